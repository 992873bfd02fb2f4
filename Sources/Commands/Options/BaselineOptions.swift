import ArgumentParser
import HeicBenchKit

/// The contents of a baseline.
struct BaselineOptions: ParsableArguments {
  @Flag(
    help:
      "Write the baseline even if the run is unfinished or lacks shards; it then covers less than planned."
  )
  var force = false

  @Flag var way: BaselineRequest.Way?

  /// The first of these options that was given.
  var given: String? { force ? "--force" : way.map { "--\($0.rawValue)" } }
}
