import Analysis
package import Model
import Reports
package import Store

/// Recommendations as JSON, described by `$defs/recommendations` in docs/schema.json.
package enum RecommendationJSON {
  package static func text(
    _ found: Recommendations, wishes: Wishes, headline: MetricTraits?, columns: [Column<Recommendation>],
    unfinished: String? = nil
  ) -> String {
    let document = JSONValue.object([
      ("format", .text("heicbench-recommend")), ("format_version", .integer(1)),
      ("wishes", json(wishes, headline)), ("reference", .text(found.reference?.name)),
      ("images", .integer(found.images)), ("unfinished", .text(unfinished)),
      ("fulfilling", .rows(columns, found.fulfilling)),
      ("others", .rows(columns, found.others)),
    ])
    var buffer = TextBuffer()
    document.write(into: &buffer)
    return buffer.text + "\n"
  }

  private static func json(_ wishes: Wishes, _ headline: MetricTraits?) -> JSONValue {
    .object(
      [
        ("metric", .text(headline?.id)), ("score", .number(wishes.score)), ("share", .number(wishes.share)),
        ("saving_percent", .number(wishes.savingPercent)),
      ] + TimedOperation.allCases.map { ("\($0)_cpu_ms_per_megapixel", .number(wishes.cpu[$0])) }
        + [("codecs", .strings(wishes.codecs))])
  }
}
