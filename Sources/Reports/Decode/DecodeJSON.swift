import Analysis
import Model
import Store

/// The cost of reads as a member of a run's JSON.
enum DecodeJSON {
  /// Writes the member's value, its reads row by row.
  static func write(_ report: DecodeReport, to output: inout some TextOutputStream) throws {
    let members: [(String, JSONValue)] = [
      ("honest_score", .number(report.question.score)),
      ("bandwidth_mbits", .number(report.question.bandwidth)),
      ("answers", .array(report.summary.answers.map { answer($0, report.summary) })),
      ("time_to_pixels", .array(report.summary.breakEvens.map(breakEven))),
    ]
    var buffer = TextBuffer()
    buffer.write("{")
    for (name, value) in members {
      buffer.write("\n  \"\(name)\": ")
      value.write(into: &buffer, indent: 1)
      buffer.write(",")
    }
    buffer.write("\n  \"reads\": ")
    buffer.flush(to: &output)
    try report.write(JSONRowsWriter(DecodeColumns.all, level: 1), to: &output)
    output.write("\n}")
  }

  private static func answer(_ answer: RouteAnswer, _ summary: DecodeSummary) -> JSONValue {
    .object([
      ("kind", .text(answer.kind)), ("wanted", .text(answer.wanted.description)),
      ("files", .integer(answer.files)), ("ranked", .cell(.flag(answer.isRanked))),
      ("cheapest", .text(answer.cheapest?.route.rawValue)), ("sentence", .text(summary.sentence(answer))),
      ("routes", .array(answer.routes.map(route))),
    ])
  }

  private static func route(_ route: RouteAnswer.Route) -> JSONValue {
    .object([
      ("route", .text(route.route.rawValue)), ("files", .integer(route.files)),
      ("honest_files", .integer(route.honestFiles)), ("cpu_ms", .number(route.cpu)),
      ("peak_mib", .number(route.peakMiB)), ("ssimulacra2", .number(route.score, decimals: 1)),
      ("ssimulacra2_ceiling", .number(route.ceiling, decimals: 1)),
    ])
  }

  /// An infinite bandwidth, at which the variant is always sooner, is `null` with `always_sooner`.
  private static func breakEven(_ even: BreakEven) -> JSONValue {
    .object([
      ("variant", .text(even.variant.name)), ("reference", .text(even.reference.name)),
      ("wanted", .text(even.wanted.description)), ("score", .number(even.score)),
      ("images", .integer(even.images)),
      ("bytes", .number(even.costs.variant.bytes, decimals: 0)), ("cpu_ms", .number(even.costs.variant.cpu)),
      ("reference_bytes", .number(even.costs.reference.bytes, decimals: 0)),
      ("reference_cpu_ms", .number(even.costs.reference.cpu)),
      ("always_sooner", .cell(.flag(even.bandwidth == .infinity))),
      ("sooner_below_mbits", .number(even.bandwidth.isFinite ? even.bandwidth : nil)),
    ])
  }
}
