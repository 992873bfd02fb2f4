import ArgumentParser
import HeicBenchKit

/// What a baseline covers.
struct BaselineOptions: ParsableArguments {
  @Flag(
    help:
      "Write the baseline even if the run is unfinished or lacks shards; it then covers less than planned."
  )
  var force = false

  @Flag var way: BaselineRequest.Way?

  /// The first of these options that was given.
  var given: String? { force ? "--force" : way.map { "--\($0.rawValue)" } }

  /// Writes a baseline of the results to a file, or to standard output for `-`.
  func write(_ results: String, to file: String) throws {
    var request = BaselineRequest(results: results)
    request.way = way
    request.acceptsUnfinished = force
    if file == "-" {
      var output = StandardOutput()
      try request.write(to: &output)
    } else {
      for notice in try request.write(to: file) { StandardError.notice(notice) }
    }
  }
}
