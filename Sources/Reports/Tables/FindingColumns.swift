import Analysis
package import Model
import Store

enum FindingColumns {
  static let points: [Column<ResultRow>] = [
    .code("image", "Image") { $0.image },
    .code("variant", "Codec") { $0.variant?.name },
    Column("quality", title: "Quality") { row in row.quality.map { .numeral($0.description) } ?? .empty },
    .text("error", "Cause") { $0.error },
  ]

  static let images: [Column<ResultRow>] = [
    .code("image", "Image") { $0.image },
    .text("error", "Reason") { $0.error },
  ]

  static let unsupported: [Column<RunDigest.Unsupported>] = [
    .code("variant", "Codec") { $0.variant },
    .count("points", "Points") { $0.points },
    .text("reason", "Reason") { $0.reason },
    .code("example", "For example") { $0.example },
  ]

  static let sanity: [Column<SanityReport.Violation>] = [
    .text("kind", "Finding") { $0.kind.title },
    .code("image", "Image") { $0.image },
    .code("variant", "Codec") { $0.variant.name },
    .text("qualities", "Quality") { $0.qualities.map(\.description).joined(separator: " and ") },
    .text("detail", "Seen") { $0.evidence.phrase },
  ]
}

extension Outcome {
  package var word: String {
    switch self {
    case .measured: "measured"
    case .unsupported: "unsupported"
    case .failed: "failed"
    }
  }

  /// The reason that nothing was measured, or the remarks on a measurement; nil if there are none.
  package func remark(_ remarks: (Value) -> [String]) -> String? {
    switch self {
    case .measured(let value): remarks(value).isEmpty ? nil : remarks(value).joined(separator: "; ")
    case .unsupported(let reason): reason
    case .failed(let failure): "\(failure.kind.rawValue): \(failure.message)"
    }
  }
}
