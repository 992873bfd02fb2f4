package import Analysis
import Model
package import Store

/// Failures and suspicious results, point by point.
package enum FindingColumns {
  /// Points that failed or are unsupported.
  package static let points: [Column<ResultRow>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.image) },
    Column("variant", title: "Codec", alignment: .leading) { Cell(code: $0.variant?.name) },
    Column("quality", title: "Quality") { row in row.quality.map { .numeral($0.description) } ?? .empty },
    Column("error", title: "Cause", alignment: .leading) { Cell(text: $0.error) },
  ]

  /// Images that could not be used at all.
  package static let images: [Column<ResultRow>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.image) },
    Column("error", title: "Reason", alignment: .leading) { Cell(text: $0.error) },
  ]

  /// Points that a codec does not support, by reason.
  package static let unsupported: [Column<RunDigest.Unsupported>] = [
    Column("variant", title: "Codec", alignment: .leading) { .code($0.variant) },
    Column("points", title: "Points") { .integer($0.points) },
    Column("reason", title: "Reason", alignment: .leading) { .text($0.reason) },
    Column("example", title: "For example", alignment: .leading) { .code($0.example) },
  ]

  /// Violations found by the sweep's own checks.
  package static let sanity: [Column<SanityReport.Violation>] = [
    Column("kind", title: "Finding", alignment: .leading) { .text($0.kind.title) },
    Column("image", title: "Image", alignment: .leading) { .code($0.image) },
    Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
    Column("qualities", title: "Quality", alignment: .leading) { violation in
      Cell(text: violation.qualities.map(\.description).joined(separator: " and "))
    },
    Column("detail", title: "Seen", alignment: .leading) { .text($0.evidence.phrase) },
  ]
}
