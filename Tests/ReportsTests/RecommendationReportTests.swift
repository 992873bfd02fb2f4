import Foundation
import Model
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Reports
@testable import Store

/// What to set, as people and programs read it.
@Suite struct RecommendationReportTests {
  private static let metrics = Array(SampleRows.metrics.prefix(3))
  private static let headline = metrics.first { $0.id == "ssimulacra2" }

  private func found(_ wishes: Wishes) throws -> Recommendations {
    var builder = try #require(
      RecommendationBuilder(
        wishes, variants: [SampleAnalysis.jpeg, SampleAnalysis.heic], metrics: Self.metrics,
        options: AnalysisOptions()))
    for row in (0..<4).flatMap(SyntheticSweep.rows) { builder.add(row) }
    return builder.finish()
  }

  private func outcome(
    _ wishes: Wishes, manifest: RunManifest? = SampleRun.manifest, progress: RunProgress? = nil,
    variants: [CodecVariant] = []
  ) throws -> RecommendOutcome {
    RecommendOutcome(
      found: try found(wishes), wishes: wishes, score: try #require(wishes.score),
      headline: try #require(Self.headline), variants: variants, manifest: manifest, progress: progress,
      results: "there")
  }

  @Test("both ends of the answer are what the schema says", arguments: [70.0, 200])
  func json(_ score: Double) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/schema.json")
    var schema = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    schema["$ref"] = "#/$defs/recommendations"
    let checked = try JSONSchema(try JSONSerialization.data(withJSONObject: schema))
    let wishes = Wishes(score: score, savingPercent: 10, codecs: ["jpeg", "heic"])
    let outcome = try outcome(wishes)
    let (found, text) = (outcome.found, outcome.json)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(checked.problems(of: document).isEmpty, "\(checked.problems(of: document))")
    #expect((document["fulfilling"] as? [Any])?.count == found.fulfilling.count)
    // The first variant saves nothing against itself, which is no finding.
    #expect((document["others"] as? [Any])?.count == 1 - found.fulfilling.count)
    #expect(!checked.problems(of: ["format": "heicbench-results"]).isEmpty)
  }

  @Test("a run that is not finished says so, with the command that goes on")
  func unfinished() throws {
    let progress = RunProgress(planned: 180, done: 40, images: 9, isFinished: false)
    var manifest = SampleRun.manifest
    manifest.command = ["heicbench", "my photos"]
    let wishes = Wishes(score: 70)
    let text = try #require(try outcome(wishes, manifest: manifest, progress: progress).unfinished)
    #expect(text.contains("40 of 180 planned points, and 4 of 9 images have any"))
    #expect(text.hasSuffix("heicbench 'my photos'"))
    let whole = RunProgress(planned: 40, done: 40, images: 4, isFinished: true)
    #expect(try outcome(wishes, manifest: manifest, progress: whole).unfinished == nil)
  }

  @Test("commands of other programs are not given for other builds of the libraries")
  func builds() throws {
    let outcome = try outcome(Wishes(score: 70), manifest: nil)
    var best = try #require(outcome.found.fulfilling.first)
    let command = try #require(outcome.commands.first { $0.name == "command" })
    #expect(command.cell(best) != .empty)
    best.variant = try #require(CodecVariant(unchecked: "heic@new"))
    #expect(command.cell(best) == .empty)
  }

  @Test("a limit between two measured qualities is told with the command that measures it")
  func between() throws {
    var manifest = SampleRun.manifest
    manifest.roots = ["photos"]
    manifest.command = ["heicbench", "photos", "--downscale", "2", "--quiet"]
    // Files of other encoders cannot be measured at other qualities.
    manifest.imports = [ImportedSeries(name: "phone", folder: "from-phone")]
    let variants = [SampleAnalysis.jpeg, SampleAnalysis.heic, CodecVariant(codec: "phone")]
    let outcome = try outcome(Wishes(score: 82, codecs: ["heic"]), manifest: manifest, variants: variants)
    let best = try #require(outcome.found.fulfilling.first)
    let (low, enough) = (try #require(best.tooLow), try #require(best.interpolated))
    #expect(low.holding == 0 && low.quality.value < enough && enough < best.quality.value)
    let command =
      "heicbench photos --codec jpeg --codec heic --qualities \(enough) --downscale 2 --output there"
    #expect(outcome.measuring == command && outcome.text.contains("\(command)\n"))
    // Nothing that was asked for in the run's own folder is replaced.
    let encoding = try #require(RecommendOutcome.encoding(best, manifest))
    #expect(encoding.contains("--qualities \(best.quality) --downscale 2"))
    #expect(encoding.hasSuffix("--keep-encoded encoded --output encoded"))
  }
}
