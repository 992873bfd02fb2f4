import CodecKit
import Metrics
import Model
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

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

  @Test func eachChainIsACase() throws {
    let plan = try plan()
    let cases = plan.jobs(known: []).flatMap(\.cases)
    #expect(cases.count == 8 && Set(cases).count == 8 && cases.allSatisfy { plan.chains(of: $0) == 1 })
  }

  @Test func aSearchedChainIsACaseWithoutQuality() throws {
    let plan = try plan(reaching: 80)
    let cases = plan.jobs(known: []).flatMap(\.cases)
    #expect(cases.count == 4 && cases.allSatisfy { $0.encodedAt == nil && plan.chains(of: $0) == 1 })
  }

  @Test func aCaseWithoutQualityStandsForAllOfItsImageAndCodec() throws {
    let plan = try plan()
    let key = plan.key(plan.sweep.entries[0], plan.sweep.variants[1], nil)
    let cases = plan.jobs(known: [key]).flatMap(\.cases)
    #expect(cases.count == 7 && cases.contains(key) && plan.chains(of: key) == 2)
  }
}
