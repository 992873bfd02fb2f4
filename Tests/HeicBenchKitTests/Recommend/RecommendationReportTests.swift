import Foundation
import Model
import SampleData
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Reports
@testable import Store

/// The setting to use, as people and programs read it.
@Suite struct RecommendationReportTests {
  private static let metrics = SyntheticSweep.metrics

  private func found(_ wishes: Wishes) throws -> Recommendations {
    var builder = try #require(
      RecommendationBuilder(
        wishes, variants: SyntheticSweep.variants, metrics: Self.metrics,
        options: AnalysisOptions()))
    for row in (0..<4).flatMap(SyntheticSweep.rows) { try builder.add(row) }
    return builder.finish()
  }

  @Test("codecs are ordered by bytes at the score, whatever qualities were measured")
  func order() throws {
    var builder = try #require(
      RecommendationBuilder(
        Wishes(score: 58), variants: SyntheticSweep.variants, metrics: Self.metrics,
        options: AnalysisOptions()))
    // HEIC has points near the score in half of the images. The next quality that all images have is far above it.
    for image in 0..<4 {
      let missing = image < 2 ? [0.5, 0.6] : [0.6]
      for row in SyntheticSweep.rows(of: image)
      where row.variant == SyntheticSweep.jpeg || !missing.contains(row.quality?.value ?? 0) {
        try builder.add(row)
      }
    }
    let found = builder.finish().fulfilling
    #expect(found.map(\.variant) == [SyntheticSweep.heic, SyntheticSweep.jpeg])
    #expect(found.first?.bitsPerPixel ?? 0 > found.last?.bitsPerPixel ?? 0)
  }

  private func outcome(
    _ wishes: Wishes, manifest: RunManifest? = SampleRun.manifest, progress: RunProgress? = nil,
    variants: [CodecVariant] = []
  ) throws -> RecommendOutcome {
    RecommendOutcome(
      found: try found(wishes), wishes: wishes, score: try #require(wishes.score),
      headline: .sampleHeadline, variants: variants, manifest: manifest, progress: progress,
      results: "there")
  }

  @Test("answers and refusals match the schema", arguments: [70.0, 200])
  func json(_ score: Double) throws {
    let checked = try JSONSchema(of: "recommendations")
    let wishes = Wishes(score: score, savingPercent: 10, codecs: ["jpeg", "heic"])
    let outcome = try outcome(wishes)
    let (found, text) = (outcome.found, outcome.json)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(checked.problems(of: document).isEmpty, "\(checked.problems(of: document))")
    #expect((document["fulfilling"] as? [Any])?.count == found.fulfilling.count)
    // The first variant saves nothing over itself, which is not a finding.
    #expect((document["others"] as? [Any])?.count == 1 - found.fulfilling.count)
    #expect(!checked.problems(of: ["format": "heicbench-results"]).isEmpty)
  }

  /// A run of all formats in which HEIC needs the fewest bytes.
  private func formats(for purpose: Purpose?) throws -> RecommendOutcome {
    var found = Recommendations(images: 4)
    let bits: [(String, Double)] = [("jpeg", 2.0), ("heic", 0.8), ("avif", 1.0), ("webp", 1.5), ("jxl", 0.9)]
    found.fulfilling = bits.map { codec, bits in
      Recommendation(
        variant: CodecVariant(codec: codec), quality: 0.5, images: 4, holding: 4,
        worst: NamedFigure(image: "a", value: 71), bitsPerPixel: bits, relativeBytes: bits)
    }.sorted { $0.bitsPerPixel < $1.bitsPerPixel }
    if let purpose {
      found.fulfilling.sort {
        ($0.rank(for: purpose), $0.bitsPerPixel) < ($1.rank(for: purpose), $1.bitsPerPixel)
      }
    }
    var wishes = Wishes(score: 70)
    wishes.purpose = purpose
    return RecommendOutcome(
      found: found, wishes: wishes, score: 70, headline: .sampleHeadline, variants: [],
      manifest: nil,
      progress: nil, results: "there")
  }

  @Test(
    "formats that every viewer shows come first, and HEIC is never first for the web",
    arguments: [
      (Purpose?.none, ["heic", "jxl", "avif", "webp", "jpeg"]),
      (.web, ["avif", "webp", "jpeg", "jxl", "heic"]),
      (.apple, ["heic", "avif", "webp", "jpeg", "jxl"]), (.android, ["webp", "jpeg", "heic", "avif", "jxl"]),
      (.archive, ["heic", "jxl", "avif", "webp", "jpeg"]),
    ])
  func purposes(purpose: Purpose?, order: [String]) throws {
    let outcome = try formats(for: purpose)
    #expect(outcome.found.fulfilling.map(\.variant.codec) == order)
    let text = outcome.text()
    #expect(text.hasPrefix(purpose == .archive ? "For an archive" : "Use "))
    if purpose == nil || purpose == .web {
      #expect(
        text.contains("nly Safari (17 or later) shows HEIC (caniuse.com, November 2026)"), "\(text)")
    }
    #expect(text.contains(purpose == .apple ? "iOS 11, macOS 10.13" : purpose == .archive ? "HEVC" : " "))
    #expect(
      outcome.picture
        == (purpose == .web
          ? [
            "<picture>", "  <source srcset=\"photo.heic\" type=\"image/heic\">",
            "  <source srcset=\"photo.jxl\" type=\"image/jxl\">",
            "  <source srcset=\"photo.avif\" type=\"image/avif\">",
            "  <source srcset=\"photo.webp\" type=\"image/webp\">",
            "  <img src=\"photo.jpg\" alt=\"…\" width=\"…\" height=\"…\">", "</picture>",
          ] : nil))
  }

  @Test("an unfinished run says so, with the command that resumes it")
  func unfinished() throws {
    let progress = RunProgress(planned: 180, done: 40, images: 9, isFinished: false)
    var manifest = SampleRun.manifest
    manifest.command = ["heicbench", "my photos"]
    let wishes = Wishes(score: 70)
    let text = try #require(try outcome(wishes, manifest: manifest, progress: progress).unfinished)
    #expect(text.contains("(40 of 180 planned encodes, 4 of 9 images)"))
    #expect(text.hasSuffix("heicbench 'my photos'"))
    let whole = RunProgress(planned: 40, done: 40, images: 4, isFinished: true)
    #expect(try outcome(wishes, manifest: manifest, progress: whole).unfinished == nil)
  }

  @Test("images that the answer does not cover are counted")
  func leftOut() throws {
    var found = try found(Wishes(score: 70))
    let name = try #require(found.fulfilling.first?.variant.name)
    (found.unscored, found.images) = (2, 5)
    func text(_ progress: RunProgress?) -> String {
      RecommendOutcome(
        found: found, wishes: Wishes(score: 70), score: 70, headline: .sampleHeadline, variants: [],
        manifest: nil,
        progress: progress, results: "there"
      ).text()
    }
    #expect(
      text(nil).contains(
        "2 images have no SSIMULACRA2 score and are left out. \(name) has results for 4 of 5 images."),
      "\(text(nil))")
    let half = RunProgress(planned: 10, done: 5, images: 9, isFinished: false)
    #expect(!text(half).contains("has results for"))
  }

  @Test("no commands of other programs are given for other builds of the libraries")
  func builds() throws {
    let outcome = try outcome(Wishes(score: 70), manifest: nil)
    var best = try #require(outcome.found.fulfilling.first)
    let command = try #require(outcome.commands.first { $0.name == "command" })
    #expect(command.cell(best) != .empty)
    best.variant = try #require(CodecVariant(unchecked: "heic@new"))
    #expect(command.cell(best) == .empty)
  }

  @Test("a limit between two measured qualities comes with the command that measures it")
  func between() throws {
    var manifest = SampleRun.manifest
    manifest.roots = ["photos"]
    manifest.command = ["heicbench", "photos", "--downscale", "2", "--quiet"]
    // Other encoders' files cannot be measured at other qualities.
    manifest.imports = [ImportedSeries(name: "phone", folder: "from-phone")]
    let variants = SyntheticSweep.variants + [CodecVariant(codec: "phone")]
    let outcome = try outcome(Wishes(score: 82, codecs: ["heic"]), manifest: manifest, variants: variants)
    let best = try #require(outcome.found.fulfilling.first)
    let (low, enough) = (try #require(best.tooLow), try #require(best.interpolated))
    #expect(low.holding == 0 && low.quality < enough && enough < best.quality)
    let most = try self.outcome(Wishes(score: 82, share: 0.995, codecs: ["heic"]))
    #expect(most.text().contains(": 99.5 % of the images reach SSIMULACRA2 82, estimated"), "\(most.text())")
    let grid = manifest.qualities.map(\.description).joined(separator: ",")
    let command =
      "heicbench photos --codec jpeg --codec heic --qualities \(grid) --downscale 2 --score 82 --output there"
    #expect(outcome.measuring == command && outcome.text().contains("\(command)\n"))
    // Nothing in the run's own folder is replaced.
    let encoding = try #require(RecommendOutcome.encoding(best, manifest))
    #expect(encoding.contains("--qualities \(enough) --downscale 2"))
    #expect(encoding.hasSuffix("--keep-encoded encoded --output encoded"))
  }
}
