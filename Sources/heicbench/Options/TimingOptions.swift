import ArgumentParser
import Model

/// The exclusive timing pass.
struct TimingOptions: ParsableArguments {
  @Flag(
    name: .customLong("time"),
    help: """
      After the sweep, time every point, refined ones too, with nothing beside it: one process on a core of its own, codecs in turns, \
      at least five repeats and half a second each.
      """)
  var isOn = false

  @Option(
    name: .customLong("time-qualities"),
    help: ArgumentHelp(
      "Time these of the sweep’s qualities only, spelt as for --qualities; implies --time.",
      valueName: "qualities"),
    transform: { try QualityList(parsing: $0) })
  var qualities: QualityList?

  /// Whether points are to be timed.
  var isWanted: Bool { isOn || qualities != nil }

  /// The qualities to time among those of the sweep; nil for all of them and what was refined.
  /// - Throws: `CommandError` where none is left.
  func selected(from sweep: [Quality]) throws -> [Quality]? {
    guard let qualities else { return nil }
    let selected = sweep.filter(qualities.qualities.contains)
    guard !selected.isEmpty else {
      throw CommandError(
        .usage,
        "--time-qualities \(qualities) has none of the sweep’s qualities, which are "
          + QualityList(sweep).description)
    }
    return selected
  }
}
