import CodecKit
import Model
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

/// Whether all chains of a plan are there.
struct GenerationsPlanTests {
  private func plan(_ start: GenerationsPlan.Start) throws -> GenerationsPlan {
    let pixels = PixelSupport(alpha: true, maximumBitDepth: 8, maximumSide: 100)
    let registry = CodecRegistry.tiny(codecs: [SupportOnlyCodec(id: "a", pixels: pixels)])
    let builder = PlanBuilder(registry: registry)
    let variants = try builder.describe(try ["a", "a:threads=4"].map { try registry.variant($0) })
    return GenerationsPlan(
      builder.plan(
        entries: Array(ShardTests.corpus(2)), variants: variants,
        qualities: try QualityList(parsing: "0.5,0.55"),
        metrics: []),
      start: start, count: 3)
  }

  private func records(_ plan: GenerationsPlan, _ qualities: [Quality?]) -> [CaseRecord] {
    plan.sweep.entries.flatMap { entry in
      plan.sweep.variants.flatMap { description in
        qualities.map { quality in
          CaseRecord(
            key: plan.key(entry, description, quality),
            outcome: quality.map { .measured(Figures(nativeQuality: $0.thousandths / 10, encodedBytes: 1)) }
              ?? .unsupported(""))
        }
      }
    }
  }

  /// One codec's name begins with the other's, and one quality's spelling with the other's.
  @Test(arguments: [GenerationsPlan.Start.score(80), .qualities([0.5, 0.55])])
  func eachChainCounts(start: GenerationsPlan.Start) throws {
    let plan = try plan(start)
    let all = records(plan, start == .score(80) ? [0.7] : [0.5, 0.55])
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
    let plan = try plan(.qualities([0.5, 0.55]))
    #expect(plan.isComplete(with: records(plan, [nil])))
    #expect(!plan.isComplete(with: []))
  }
}
