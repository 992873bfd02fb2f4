import Model
import SampleData
import Store
import Testing

@testable import Analysis
@testable import HeicBenchKit

@Suite("Recommended settings")
struct RecommendationTests {
  /// Compared with the first variant, the samples' second one needs 0.7 times the bytes at equal score and 20 times the
  /// time.
  private func find(
    _ wishes: Wishes, variants: [CodecVariant] = [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")],
    images: Int = 8, qualities: Int = 20, isFinished: Bool = true,
    change: @escaping (inout ResultRow) -> Void = { _ in }
  ) throws -> Recommendations {
    var builder = try #require(
      RecommendationBuilder(
        wishes, variants: variants, metrics: [.sampleHeadline], options: AnalysisOptions(),
        isFinished: isFinished))
    for row in SampleRows(images: images, qualities: qualities, change: change).rows() {
      try builder.add(row)
    }
    return builder.finish()
  }

  @Test("rows sorted by codec are refused instead of leaving out all codecs but one")
  func scattered() throws {
    var builder = try #require(
      RecommendationBuilder(
        Wishes(score: 70), variants: [], metrics: [.sampleHeadline], options: AnalysisOptions()))
    let rows = SampleRows(images: 2).rows().sorted { $0.variant?.codec ?? "" < $1.variant?.codec ?? "" }
    #expect(throws: AnalysisError.scatteredImage("image0.png")) {
      for row in rows { try builder.add(row) }
    }
  }

  /// A distance of which nobody said that lower is better.
  @Test("a metric whose scores fall as files grow is refused, as in a report", arguments: [false, true])
  func reversed(isReversed: Bool) throws {
    var metric = MetricTraits.sampleHeadline
    metric.isDirectionAssumed = true
    var builder = try #require(
      RecommendationBuilder(
        Wishes(score: 70), variants: [], metrics: [metric], options: AnalysisOptions()))
    for var row in SampleRows(images: 2).rows() {
      if isReversed { row.scores = row.scores.mapValues { -$0 } }
      try builder.add(row)
    }
    let directions = builder.directions
    if isReversed {
      #expect(throws: DirectionError(metric: metric.id)) { try directions.refuseReversed() }
    } else {
      try directions.refuseReversed()
    }
  }

  @Test("each codec's lowest measured quality with the score, the smallest file first")
  func score() throws {
    let found = try find(Wishes(score: 70, share: 1))
    #expect(found.fulfilling.map(\.variant.name) == ["heic", "jpeg"])
    // 20 + 75 q is 70 at 0.667 for the first variant, and three points less for the second. The grid has steps of 0.05.
    #expect(found.fulfilling.map(\.quality.description) == ["0.75", "0.7"])
    #expect(found.fulfilling.allSatisfy { $0.holding == 8 && $0.images == 8 && $0.worst.value >= 70 })
    #expect(found.others.isEmpty && found.images == 8 && found.reference?.name == "jpeg")
    // On the curves, 20 + 75 q reaches 70 within these hundredths.
    #expect(found.fulfilling.map { $0.tooLow?.quality.description } == ["0.7", "0.65"])
    #expect(
      found.fulfilling.allSatisfy { $0.tooLow?.holding ?? 8 < 8 })
    for best in found.fulfilling {
      let (enough, low) = (try #require(best.interpolated), try #require(best.tooLow))
      #expect(enough > low.quality && enough < best.quality)
    }
    let change = try #require(found.fulfilling[0].change)
    #expect(abs(change.mean + 30) < 0.2 && change.images == 8)
    #expect(found.fulfilling[1].change == nil)
  }

  @Test("the first image counts, even if a file does not say beforehand which variants it has")
  func unknownVariants() throws {
    let found = try find(Wishes(score: 70, savingPercent: 25), variants: [], images: 1)
    #expect(found.reference?.name == "jpeg" && found.fulfilling.map(\.variant.name) == ["heic"])
    #expect(found.fulfilling.first?.change?.images == 1)
  }

  @Test("of qualities with files of the same size, the lowest is chosen in every process")
  func equalSizes() throws {
    let found = try find(Wishes(score: 70, share: 1), qualities: 40) { $0.encodedBytes = 1_000 }
    #expect(found.fulfilling.map(\.quality.description).sorted() == ["0.675", "0.725"])
  }

  @Test("settings that are too slow, save too little or were not requested are no answer")
  func otherWishes() throws {
    let slow = try find(Wishes(score: 70, cpu: [.encode: 100]))
    #expect(slow.fulfilling.map(\.variant.name) == ["jpeg"])
    #expect(slow.others.map(\.shortfalls) == [[.cpu(.encode)]])
    #expect(try find(Wishes(score: 70, savingPercent: 25)).fulfilling.map(\.variant.name) == ["heic"])
    #expect(try find(Wishes(score: 70, savingPercent: 35)).fulfilling.isEmpty)
    #expect(try find(Wishes(score: 70, cpu: [.decode: 1])).others.count == 2)
    #expect(try find(Wishes(score: 70, codecs: ["jpeg"])).fulfilling.map(\.variant.name) == ["jpeg"])
    #expect(try find(Wishes(score: 99)).others.allSatisfy { $0.shortfalls == [.score] && $0.holding == 0 })
  }

  @Test("points that are too far apart give no quality between them")
  func coarse() throws {
    let found = try find(Wishes(score: 70, share: 1), qualities: 2)
    #expect(found.fulfilling.count == 2)
    #expect(found.fulfilling.allSatisfy { $0.interpolated == nil && $0.tooLow != nil })
  }

  @Test("the reference of savings does not lack a saving")
  func reference() throws {
    let found = try find(Wishes(score: 70, savingPercent: 25))
    #expect(found.others.isEmpty)
    #expect(try find(Wishes(score: 70, savingPercent: 0)).fulfilling.map(\.variant.name) == ["heic", "jpeg"])
  }

  @Test("an unfinished run answers from the images that have points")
  func unfinished() throws {
    let gone: (inout ResultRow) -> Void = { row in
      // So far, two images have only the lowest quality of the first variant.
      let isFirst = row.variant?.codec == "jpeg" && row.quality == Quality(thousandths: 50)
      if ["image6.png", "image7.png"].contains(row.image), !isFirst {
        (row.status, row.quality) = (.failed, nil)
      }
    }
    #expect(try find(Wishes(score: 70, share: 1), change: gone).fulfilling.isEmpty)
    let found = try find(Wishes(score: 70, share: 1), isFinished: false, change: gone)
    #expect(found.fulfilling.map(\.variant.name) == ["heic", "jpeg"])
    #expect(found.fulfilling.allSatisfy { $0.images == 6 && $0.holding == 6 } && found.images == 8)
  }

  @Test("images without a score are left out, and for one codec those that it cannot encode")
  func unscored() throws {
    let found = try find(Wishes(score: 70)) { row in
      if row.image == "image3.png" { row.scores = [:] }
      if row.image == "image5.png", row.variant?.codec == "heic" { row.status = .failed }
    }
    #expect(found.images == 7 && found.unscored == 1)
    #expect(found.fulfilling.map { [$0.holding, $0.images] } == [[6, 6], [7, 7]])
  }

  @Test("the share of images decides, and the worst image is named")
  func share() throws {
    let hard: (inout ResultRow) -> Void = { row in
      if row.image == "image3.png" { row.scores["ssimulacra2"] = (row.scores["ssimulacra2"] ?? 0) - 20 }
    }
    let most = try find(Wishes(score: 70, share: 0.8), change: hard)
    let all = try find(Wishes(score: 70, share: 1), change: hard)
    let (some, every) = (try #require(most.fulfilling.last), try #require(all.fulfilling.last))
    #expect(some.holding == 7 && some.worst.image == "image3.png" && some.worst.value < 70)
    #expect(every.quality > some.quality && every.holding == 8)
  }

  @Test("the saving is at the requested score, whatever its quality, and counts its images")
  func equalScore() throws {
    // One image's JPEG never reaches the score, so there is nothing to compare with.
    let found = try find(Wishes(score: 70, share: 0.5)) { row in
      if row.image == "image5.png", row.variant?.codec == "jpeg" {
        row.scores["ssimulacra2"] = (row.scores["ssimulacra2"] ?? 0) / 2
      }
    }
    let change = try #require(found.fulfilling.first { $0.variant.name == "heic" }?.change)
    #expect(change.images == 7 && abs(change.mean + 30) < 0.2)
  }

  @Test("the lowest measured quality has none below it")
  func lowest() throws {
    let found = try find(Wishes(score: 0, share: 1))
    #expect(found.fulfilling.allSatisfy { $0.tooLow == nil && $0.interpolated == nil })
    #expect(found.fulfilling.count == 2)
  }

  @Test("below the lowest quality of all images, the curves of those measured there decide")
  func belowTheGrid() throws {
    let found = try find(Wishes(score: 50, share: 0.85)) { row in
      if row.image == "image0.png", let quality = row.quality, quality.thousandths < 500 {
        (row.status, row.quality) = (.failed, nil)
      }
    }
    let jpeg = try #require(found.fulfilling.first { $0.variant.name == "jpeg" })
    #expect(jpeg.quality == Quality(thousandths: 500) && jpeg.tooLow == nil)
    // 20 + 75 q is 50 at 0.4.
    #expect(jpeg.set.thousandths >= 400 && jpeg.set.thousandths <= 430, "\(jpeg.set)")
  }

  @Test("qualities that some images lack and files of other encoders are not recommended")
  func partial() throws {
    let found = try find(Wishes(score: 70, share: 1)) { row in
      if row.image == "image0.png", row.quality == Quality(thousandths: 700) {
        row.quality = nil
        row.importedFile = "a.heic"
      }
    }
    #expect(found.fulfilling.last?.quality == Quality(thousandths: 750))
  }
}
