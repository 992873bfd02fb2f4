import ArgumentParser
import HeicBenchKit
import Model

struct TimingOptions: ParsableArguments {
  @Flag(
    name: .customLong("time"),
    help: """
      After the sweep, time every point, including refined ones, with nothing else running: one process on a core of its own, codecs in turns, \
      at least five repeats and half a second each.
      """)
  var isOn = false

  @Option(
    "Time only these of the sweep’s qualities, spelt as for --qualities; implies --time.", value: "qualities",
    name: .customLong("time-qualities"))
  var qualities: QualityList?

  var isWanted: Bool { isOn || qualities != nil }

  var timing: SweepRequest.Timing {
    qualities.map { .qualities($0.qualities) } ?? (isOn ? .all : .none)
  }
}
