import CodecKit
import Metrics
import Model
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

/// Whether all chains of a plan are there.
struct GenerationsPlanTests {
  private func plan(reaching score: Double? = nil) throws -> GenerationsPlan {
    let pixels = PixelSupport(alpha: true, maximumBitDepth: 8, maximumSide: 100)
    let registry = CodecRegistry.tiny(codecs: [SupportOnlyCodec(id: "a", pixels: pixels)])
    let builder = PlanBuilder(registry: registry)
    let variants = try builder.describe(try ["a", "a:threads=4"].map { try registry.variant($0) })
    return GenerationsPlan(
      sweep: builder.plan(
        entries: Array(ShardTests.corpus(2)), variants: variants,
        qualities: score == nil ? try QualityList(parsing: "0.5,0.55") : QualityList([]),
        target: score.map { QualityTarget(.score(.headline, $0)) }, metrics: []),
      count: 3)
  }

  private func records(_ plan: GenerationsPlan, _ qualities: [Quality?]) -> [CaseRecord] {
    plan.sweep.entries.flatMap { entry in
      plan.sweep.variants.flatMap { description in
        qualities.map { quality in
          CaseRecord(
            key: plan.key(entry, description, quality),
            outcome: quality.map { .measured(Figures(chain: [], at: $0, asked: [])) }
              ?? .unsupported(""))
        }
      }
    }
  }

  /// One codec's name begins with the other's, and one quality's spelling with the other's.
  @Test(arguments: [80.0, nil])
  func eachChainCounts(score: Double?) throws {
    let plan = try plan(reaching: score)
    let all = records(plan, score == nil ? [0.5, 0.55] : [0.7])
    #expect(plan.isComplete(with: all) && all.count == plan.chains)
    for index in all.indices {
      var some = all
      some.remove(at: index)
      #expect(
        !plan.isComplete(with: some),
        "\(all[index].key.variant.name) \(all[index].chainQuality?.description ?? "")")
    }
  }

  @Test func anImageThatCannotBeUsedHasOneRecordOfEachCodec() throws {
    let plan = try plan()
    #expect(plan.isComplete(with: records(plan, [nil])))
    #expect(!plan.isComplete(with: []))
  }
}
