import ArgumentParser
import HeicBenchKit
import Model

/// The exclusive timing pass.
struct TimingOptions: ParsableArguments {
  @Flag(
    name: .customLong("time"),
    help: """
      After the sweep, time every point, including refined ones, with nothing else running: one process on a core of its own, codecs in turns, \
      at least five repeats and half a second each.
      """)
  var isOn = false

  @Option(
    name: .customLong("time-qualities"),
    help: ArgumentHelp(
      "Time only these of the sweep’s qualities, spelt as for --qualities; implies --time.",
      valueName: "qualities"),
    transform: { try QualityList(parsing: $0) })
  var qualities: QualityList?

  var isWanted: Bool { isOn || qualities != nil }

  var timing: SweepRequest.Timing {
    qualities.map { .qualities($0.qualities) } ?? (isOn ? .all : .none)
  }
}
