import CodecKit
import Foundation
import Model
import TestSupport
import Testing

@testable import HeicBenchKit

/// Figures with a known optimum: each setting multiplies bytes and time, and images differ by seeded noise.
private final class ScriptedMeter: TuneMeter {
  struct Effect {
    var bytes = 1.0
    var time = 1.0
  }

  private let effects: [String: Effect]
  /// The standard deviation of a setting's effect over images, in natural logarithms of bytes.
  private let spread: Double
  private let seed: UInt64
  /// The number of variants and images that may be measured; nil for all.
  private var left: Int?
  private(set) var measured: Set<String> = []

  init(_ effects: [String: Effect], spread: Double = 0.01, seed: UInt64 = 1, left: Int? = nil) {
    (self.effects, self.spread, self.seed, self.left) = (effects, spread, seed, left)
  }

  var isOver: Bool { left.map { $0 <= 0 } ?? false }

  func measure(_ variants: [CodecVariant], on images: [Int], from origin: CodecVariant) {
    for variant in variants {
      for image in images where !isOver {
        if measured.insert("\(variant.name) \(image)").inserted { left = left.map { $0 - 1 } }
      }
    }
  }

  func figure(_ variant: CodecVariant, _ image: Int) -> TuneFigure? {
    guard measured.contains("\(variant.name) \(image)") else { return nil }
    var (bytes, time) = (1000 * Double(image + 1), 100.0)
    for (key, value) in variant.settings {
      let setting = "\(key)=\(value)"
      let effect = effects[setting] ?? Effect()
      bytes *= effect.bytes * exp(spread * noise(setting, image))
      time *= effect.time
    }
    return TuneFigure(bytes: bytes, encode: time, quality: 0.5)
  }

  /// Approximately normal, and the same in every variant for a setting and an image.
  private func noise(_ setting: String, _ image: Int) -> Double {
    let text = setting.utf8.reduce(seed &* 1_000_003 &+ UInt64(image)) { $0 &* 31 &+ UInt64($1) }
    var generator = SeededGenerator(seed: text)
    return (0..<12).reduce(-6.0) { sum, _ in sum + generator.unit() }
  }
}

struct TuneSearchTests {
  private static let base = CodecVariant(codec: "c")
  private static let images = Array(0..<16)

  private func search(
    _ trials: [SettingTrial], _ meter: ScriptedMeter, refusing refused: Set<String> = []
  ) throws -> TuneSearch {
    var search = TuneSearch(from: Self.base, trials, images: Self.images) { variant in
      // Defaults are left out, as registries do.
      let settings = variant.settings.filter { $0.value != "default" }
      return refused.isDisjoint(with: settings.map { "\($0.key)=\($0.value)" })
        ? CodecVariant(codec: variant.codec, settings: settings) : nil
    }
    try search.run(meter)
    return search
  }

  private func chosen(_ search: TuneSearch, _ meter: ScriptedMeter, cpu: Double?) -> TuneChoice {
    TuneChoice(among: search.tried, against: Self.base, meter, images: Self.images, cpu: cpu)
  }

  private static let landscape: [String: ScriptedMeter.Effect] = [
    "depth=10": .init(bytes: 0.95, time: 1.05), "offset=-2": .init(bytes: 0.96),
    "offset=-4": .init(bytes: 0.93),
    "aq=3": .init(bytes: 1.06), "ctu=32": .init(bytes: 1.02, time: 0.8),
    "preset=slow": .init(bytes: 0.97, time: 3), "preset=fast": .init(bytes: 1.08, time: 0.4),
  ]
  private static let trials = [
    SettingTrial("speed", ["preset=fast", "preset=slow"], isSpeed: true),
    SettingTrial("depth", ["depth=10"]), SettingTrial("offset", ["offset=-2", "offset=-4"]),
    SettingTrial("aq", ["aq=3", "aq=0"]), SettingTrial("blocks", ["ctu=32"]),
  ]

  @Test("the best combination is found, and speeds are tried with it")
  func findsTheBest() throws {
    let meter = ScriptedMeter(Self.landscape)
    let search = try search(Self.trials, meter)
    #expect(search.found.name == "c:depth=10,offset=-4")
    #expect(search.isComplete)
    let choice = chosen(search, meter, cpu: nil)
    let answers = Dictionary(uniqueKeysWithValues: choice.answers.map { ($0.wish, $0.variant?.name) })
    #expect(answers[.anyCPU] == "c:depth=10,offset=-4,preset=slow")
    // Ten bits take longer than the default.
    #expect(answers[.limited(nil)] == "c:offset=-4")
    #expect(answers[.cheapest] == "c:depth=10,offset=-4,preset=fast")
    // The runners-up are confirmed, too.
    let finalists = choice.finalists.map(\.name)
    #expect(finalists.prefix(2) == ["c:depth=10,offset=-4,preset=slow", "c:depth=10,offset=-4"])
    let limited = chosen(search, meter, cpu: 50)
    #expect(limited.answers[1].variant?.name == "c:depth=10,offset=-4,preset=fast")
    #expect(chosen(search, meter, cpu: 1).answers[1].variant == nil)
  }

  @Test("half the time for the same bytes is an answer, for 2 % more it is not", arguments: [1.0, 1.02])
  func sameBytes(bytes: Double) throws {
    let meter = ScriptedMeter(["preset=fast": .init(bytes: bytes, time: 0.5)])
    let search = try search([SettingTrial("speed", ["preset=fast"], isSpeed: true)], meter)
    let cheapest = chosen(search, meter, cpu: nil).answers.last
    #expect(cheapest?.wish == .cheapest)
    #expect(cheapest?.variant?.name == (bytes == 1 ? "c:preset=fast" : nil))
  }

  @Test("what few images leave undecided is tried on others, too")
  func loosely() throws {
    let answers = try (1...20 as ClosedRange<UInt64>).map { seed in
      let meter = ScriptedMeter(["preset=fast": .init(time: 0.5)], spread: 0.05, seed: seed)
      let tried = try search([SettingTrial("speed", ["preset=fast"], isSpeed: true)], meter).tried
      return [false, true].map { loosely in
        TuneChoice(
          among: tried, against: Self.base, meter, images: Self.images, cpu: nil, loosely: loosely
        ).variants.isEmpty
      }
    }
    #expect(answers.contains([true, false]) && answers.contains([true, true]))
    #expect(!answers.contains([false, true]))
  }

  @Test("harmful settings are tried on only a few images")
  func racesOut() throws {
    let meter = ScriptedMeter(Self.landscape)
    _ = try search(Self.trials, meter)
    #expect(meter.measured.count { $0.hasPrefix("c:aq=3 ") } == 6)
    #expect(meter.measured.count { $0.hasPrefix("c:offset=-4 ") } == Self.images.count)
  }

  @Test("noise is not kept", arguments: 1...20 as ClosedRange<UInt64>)
  func keepsNoNoise(seed: UInt64) throws {
    let changes = (1...20).map { "knob\($0)=on" }
    let meter = ScriptedMeter([:], spread: 0.03, seed: seed)
    let search = try search(changes.map { SettingTrial("nothing", [$0]) }, meter)
    #expect(search.found == Self.base)
  }

  @Test("an effect as large as the noise is kept on enough images")
  func keepsSmallEffects() throws {
    let meter = ScriptedMeter(["depth=10": .init(bytes: 0.97)], spread: 0.015)
    let search = try search(
      [SettingTrial("depth", ["depth=10"]), SettingTrial("no", ["aq=1", "aq=2"])], meter)
    #expect(search.found.name == "c:depth=10")
  }

  @Test("changes of two settings at once, and changes that a codec refuses")
  func changesTogether() throws {
    let meter = ScriptedMeter(["encoder=svt": .init(bytes: 1.1), "tune=iq": .init(bytes: 0.8)])
    let trials = [SettingTrial("encoder", ["encoder=svt", "encoder=svt,tune=iq", "bad=1"])]
    let search = try search(trials, meter, refusing: ["bad=1"])
    #expect(search.found.name == "c:encoder=svt,tune=iq")
    #expect(!search.tried.contains { $0.settings["bad"] != nil })
  }

  @Test("a stopped search has what it has found so far")
  func stops() throws {
    let meter = ScriptedMeter(Self.landscape, left: 60)
    let search = try search(Self.trials, meter)
    #expect(!search.isComplete)
    let choice = chosen(search, meter, cpu: nil)
    #expect(choice.variants.allSatisfy { $0 != Self.base })
  }

  @Test func needsOfDecoders() {
    let needs = [
      "heic:depth=10", "heic:chroma=444", "avif:depth=12", "avif:chroma=444", "avif:depth=10", "heic",
    ]
    .map { CodecVariant(unchecked: $0).flatMap(DecoderNeed.of) }
    #expect(needs[0]?.contains("Main 10") == true && needs[1]?.contains("range extensions") == true)
    #expect(needs[2]?.contains("Professional") == true && needs[3]?.contains("High") == true)
    #expect(needs[4] == nil && needs[5] == nil)
  }
}
