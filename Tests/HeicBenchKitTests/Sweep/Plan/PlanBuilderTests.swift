import CodecKit
import Model
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

@Suite("Plans")
struct PlanBuilderTests {
  private let registry = CodecRegistry.tiny(codecs: [
    SupportOnlyCodec(id: "a", pixels: PixelSupport(alpha: true, maximumBitDepth: 10, maximumSide: 100)),
    SupportOnlyCodec(id: "b", pixels: PixelSupport(alpha: true, maximumBitDepth: 8, maximumSide: 100)),
  ])

  @Test("variants are in the order given, each once, with versions and threads")
  func variants() throws {
    let variants = try PlanBuilder(registry: registry).describe(
      try ["b", "a:threads=4", "b:threads=1"].map { try registry.variant($0) })
    #expect(variants.map(\.variant.name) == ["b", "a:threads=4"])
    #expect(variants.map(\.threads) == [1, 4])
    #expect(variants[0].libraries == [LibraryVersion(name: "b", version: "1.0")])
    #expect(try PlanBuilder(registry: registry).describe([CodecVariant(codec: "c")]).isEmpty)
  }

  @Test("a plan has its shard of the images and the preparation that all variants support")
  func plan() throws {
    let builder = PlanBuilder(registry: registry)
    let entries = ShardTests.corpus(10)
    let qualities = try QualityList(parsing: "0.5,0.9")
    let variants = try builder.describe(try ["a", "b"].map { try registry.variant($0) })
    let whole = builder.plan(entries: entries, variants: variants, qualities: qualities, metrics: ["psnr-y"])
    #expect(whole.pointCount == 40)
    #expect(whole.preparation == Preparation(keepsAlpha: true))
    let part = builder.plan(
      entries: entries, variants: variants, qualities: qualities, metrics: [],
      shard: Shard(index: 1, count: 10))
    #expect(part.entries.count == 1)
  }
}
