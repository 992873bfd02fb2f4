import CodecKit
import Codecs
import HeicBenchKit
import Model
import Pixels
import Workers

/// The encodes of a plan, one after the other in this process, with nothing around them.
struct BareLoop {
  let plan: SweepPlan

  /// Reads and prepares each image once and encodes all its points.
  func run() throws -> SweepCost {
    var cost = SweepCost()
    let before = CPUClock.seconds()
    let time = try ContinuousClock().measure {
      for entry in plan.entries { try encode(prepared(entry), into: &cost) }
    }
    cost.wallSeconds = time / .seconds(1)
    cost.cpuSeconds = CPUClock.seconds() - before
    return cost
  }

  private func prepared(_ entry: CorpusEntry) throws -> RasterImage? {
    let bytes = try SourceFile.bytes(at: entry.path)
    // A worker also skips a file that turns out not to be an image.
    guard let reader = CodecRegistry.standard.reader(for: bytes),
      let source = try? reader.read(bytes, limits: ReadLimits())
    else { return nil }
    return try Preprocessor(plan.preparation).prepare(source).image
  }

  private func encode(_ image: RasterImage?, into cost: inout SweepCost) throws {
    guard let image else { return }
    for variant in plan.variants.map(\.variant) {
      guard let codec = CodecRegistry.standard.codec(variant.codec) else { continue }
      for quality in plan.qualities {
        let settings = EncodeSettings(variant: variant, quality: quality, traits: codec.traits)
        let start = CPUClock.seconds()
        guard let file = try? codec.encode(image, settings) else { continue }
        cost.encodeSeconds += CPUClock.seconds() - start
        cost.points += 1
        cost.encodedBytes += file.count
      }
    }
  }
}
