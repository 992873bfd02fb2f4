import ArgumentParser
import HeicBenchKit

/// Settings for how a sweep runs. None of them changes sizes or scores.
struct RunnerOptions: ParsableArguments {
  @OptionGroup var workers: WorkerOptions

  @Option(
    "The number of timings of each encode and decode.", value: "n", name: .customLong("repeat"),
    transform: Limits.repeats.parse)
  var repeats = 1

  @Option(
    "Stop after this long, such as 90s, 2m or 1h, and report the results so far: the headline's encodes come first. Exit code "
      + "4 if encodes are missing.", value: "time")
  var budget: TimeSpan?

  @Option(
    "coarse: all images first at the few qualities that the headline needs, then at the others; image: one image after "
      + "another. The results are the same.", value: "coarse|image")
  var order = SweepRequest.Order.coarseFirst

  @Option("Keep every encoded file in this folder.", value: "folder", completion: .directory)
  var keepEncoded: String?

  func apply(to request: inout SweepRequest) {
    request.repeats = repeats
    request.budget = budget?.seconds
    request.order = order
    request.keptFiles = keepEncoded
    request.workers = workers.settings
  }
}

/// Options that measure qualities in addition to the named ones, or instead of them.
struct StrategyOptions: ParsableArguments {
  enum Refinement: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  @Option(
    "Instead of sweeping qualities, find for every image and codec the lowest quality that reaches a score, such "
      + "as ssimulacra2=80, or the highest that fits a size, such as bytes=200kB.",
    value: "metric=score|bytes=size")
  var target: String?

  @Option(
    "on: also measure the qualities that the figures at --score and at the ends of --band need, even outside "
      + "the given range, and every image at the quality to set for the headline's score; off: measure only the given "
      + "qualities, and leave out figures where these are too far apart.", value: "on|off")
  var refine = Refinement.on

  func apply(to request: inout SweepRequest) {
    request.target = target
    request.refines = refine == .on
  }
}

struct TimingOptions: ParsableArguments {
  @Flag(
    name: .customLong("time"),
    help: """
      After the sweep, time every point, including refined ones, with nothing else running: one process on its own \
      core, codecs in turn, at least five repeats and half a second each.
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

/// A time as people write it: `90s`, `2m`, `1.5h`, `1h30m`; a number without a unit is in seconds.
struct TimeSpan: ParsedValue, Hashable {
  /// More than 0 and at most a year.
  let seconds: Double

  private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

  static let twoMinutes = TimeSpan(wholeSeconds: 120)

  private init(wholeSeconds: Int) { seconds = Double(wholeSeconds) }

  init(parsing text: String) throws {
    guard let time = TimeSpan(text) else {
      throw ValidationError("write a time as 90s, 2m, 1h or 1h30m, more than 0 and at most a year")
    }
    self = time
  }

  init?(_ text: String) {
    var (total, number) = (0.0, "")
    for character in text.lowercased() {
      guard let unit = Self.units[character] else {
        number.append(character)
        continue
      }
      guard let value = Double(number), value.isFinite, value >= 0 else { return nil }
      total += value * unit
      number = ""
    }
    if !number.isEmpty {
      guard total == 0, let value = Double(number) else { return nil }
      total = value
    }
    guard total > 0, total <= 365 * 86_400 else { return nil }
    seconds = total
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The time as `90s`, which can be parsed again.
  var description: String { seconds == seconds.rounded() ? "\(Int(seconds))s" : "\(seconds)s" }
}
