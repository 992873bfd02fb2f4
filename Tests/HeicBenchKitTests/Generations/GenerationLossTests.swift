import Metrics
import Model
import Reports
import Testing

@testable import Analysis
@testable import HeicBenchKit

struct GenerationLossTests {
  private let variant = CodecVariant(codec: "jpeg")

  private func chain(
    _ image: Int, _ scores: [Double], bytes: [Int] = [100, 90, 90], hashes: [String] = ["a", "b", "c"],
    quality: Quality = 0.5, reaching score: Double? = nil, metric: String = "ssimulacra2"
  ) -> CaseRecord {
    let generations = scores.indices.map {
      Figures(encodedBytes: bytes[$0], encodedHash: hashes[$0], scores: [metric: scores[$0]])
    }
    return record(
      image, .measured(Figures(chain: generations, at: quality, asked: [metric])), quality, score)
  }

  private func record(
    _ image: Int, _ outcome: Outcome<Figures>, _ quality: Quality = 0.5, _ score: Double? = nil
  ) -> CaseRecord {
    CaseRecord(
      key: Case(
        image: ImageIdentity(name: "\(image)", contentHash: ""), preparation: "", variant: variant,
        encodedAt: score == nil ? quality : nil, way: .generations(3, reaching: score), libraries: ""),
      outcome: outcome)
  }

  @Test func lossesAreThoseOfEachImage() throws {
    let records = [0, 1, 2, 3, 4].map { chain($0, [80, 78 - Double($0), 77 - 2 * Double($0)]) }
    let loss = try #require(
      GenerationLoss.all(records, headline: .ssimulacra2).first)
    #expect(loss.images == 5 && loss.steps.map(\.generation) == [1, 2, 3])
    #expect(loss.steps.map { $0.scores["ssimulacra2"] } == [80, 76, 73])
    #expect(loss.steps.map { $0.loss?.mean } == [0, 4, 7])
    #expect(loss.steps.map(\.bytesPercent) == [100, 90, 90])
    // The third generation has losses of 3, 5, 7, 9 and 11: s = √10, t(4) = 2.776.
    let interval = try #require(loss.steps[2].loss?.interval)
    #expect(abs(interval.upper - (7 + 2.776445 * 2.0.squareRoot())) < 1e-4)
  }

  @Test func aLossIsPositiveWhereLessIsBetter() throws {
    let metric = try #require(MetricTraits.standard.first { $0.id == "butteraugli" })
    let records = [0, 1, 2, 3, 4].map { chain($0, [1, 2, 3 + Double($0)], metric: metric.id) }
    let loss = try #require(GenerationLoss.all(records, headline: metric).first)
    #expect(loss.steps.map { $0.loss?.mean } == [0, 1, 4])
    let answer = GenerationsReport(records, metrics: [metric], headline: metric).feature.answer
    let change = "from Butteraugli 1.00 to 5.00 in 3 generations (4.00 points, 95 % 2."
    #expect(answer.contains(change), "\(answer)")
  }

  @Test func whatNoLongerChangesIsCounted() throws {
    let records = [
      chain(0, [80, 79, 79], hashes: ["a", "b", "b"]), chain(1, [80, 79, 78], hashes: ["a", "b", "a"]),
      chain(2, [80, 79, 78]),
    ]
    let loss = try #require(GenerationLoss.all(records, headline: .ssimulacra2).first)
    #expect(loss.steps.map(\.settled) == [0, 0, 2], "a chain that goes in a circle has also settled")
  }

  @Test func brokenChainsAreLeftOutAndCounted() throws {
    let broken = record(9, .unsupported("too large"))
    let loss = try #require(
      GenerationLoss.all([chain(0, [80, 79, 78]), broken], headline: .ssimulacra2).first)
    #expect((loss.images, loss.outOf) == (1, 2))
    #expect(GenerationLoss.all([broken], headline: .ssimulacra2).isEmpty)
  }

  @Test func scoresWithoutEndAreInNoMean() throws {
    let records = [chain(0, [.infinity, .infinity, .infinity]), chain(1, [80, 79, 78])]
    let loss = try #require(GenerationLoss.all(records, headline: .ssimulacra2).first)
    #expect(loss.steps[0].scores["ssimulacra2"] == 80 && loss.steps[2].loss?.mean == 2)
  }

  @Test func theEndsOfASentenceAreOfTheImagesOfItsLoss() throws {
    let records = [chain(0, [90, 90, .infinity]), chain(1, [80, 79, 78]), chain(2, [82, 81, 80])]
    let loss = try #require(GenerationLoss.all(records, headline: .ssimulacra2).first)
    let ends = try #require(loss.steps[2].ends)
    #expect(ends == (81, 79) && loss.steps[2].loss?.mean == 2)
    #expect(loss.steps[0].scores["ssimulacra2"] == 84, "a mean covers all images of its generation")
    let answer = GenerationsReport(records, metrics: [.headline], headline: .headline).feature.answer
    #expect(answer.contains("from SSIMULACRA2 81.0 to 79.0"), "\(answer)")
  }

  @Test func searchedQualitiesAreOneCurve() {
    func losses(reaching score: Double?) -> [GenerationLoss] {
      let records = [
        chain(0, [80, 79, 78], reaching: score), chain(1, [80, 79, 78], quality: 0.7, reaching: score),
      ]
      return GenerationLoss.all(records, headline: .ssimulacra2)
    }
    #expect(losses(reaching: nil).count == 2)
    let searched = losses(reaching: 80)
    #expect(searched.count == 1 && searched[0].quality == nil && searched[0].images == 2)
  }

  @Test func chainsOfTwoQuestionsAreTwoCurves() {
    let records = [
      chain(0, [80, 79, 78], reaching: 80), chain(0, [70, 69, 68]), record(1, .unsupported("too large")),
    ]
    #expect(GenerationLoss.all(records, headline: .ssimulacra2).map(\.images) == [1, 1])
    let text = GenerationsReport(records, metrics: [.headline], headline: .headline).feature.text()
    #expect(
      text.contains("at quality 0.5 goes from SSIMULACRA2 70.0")
        && text.contains("from SSIMULACRA2 80 goes from SSIMULACRA2 80.0"), "\(text)")
  }
}
