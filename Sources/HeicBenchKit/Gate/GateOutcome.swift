import Analysis
import Model
import Reports

/// The outcome of a comparison with a baseline, for whichever of the sweep, reads, tiles and generations the baseline
/// has.
public struct GateOutcome: Sendable {
  private let parts: [GateReport]
  /// Further notices, a sentence each.
  public internal(set) var notices: [String] = []

  init(_ parts: [GateReport]) { self.parts = parts }

  /// True if the gate failed in any part.
  public var hasFailed: Bool { parts.contains(where: \.fails) }

  /// The findings of all parts: regressions, inconclusive differences and improvements, each worst first.
  public var findings: [GateDifference] {
    parts.flatMap { part in
      part.regressions.map { GateDifference($0, part.subject, .worse) }
        + part.inconclusive.map { GateDifference($0, part.subject, .inconclusive) }
        + part.improvements.map { GateDifference($0, part.subject, .better) }
    }
  }

  /// The number of points, reads, cuts and generations that were compared.
  public var compared: Int { parts.reduce(0) { $0 + $1.comparedPoints } }

  /// The outcome, one sentence per part compared.
  public var headline: String { parts.map { GateWording($0).headline }.joined(separator: " ") }

  /// The reports as Markdown.
  public var markdown: String {
    parts.map { GateSummary($0).markdown }.joined(separator: "\n")
  }

  /// The reports for a terminal with this many columns.
  package func text(width: Int) -> String {
    parts.map { GateSummary($0).text(width: width) }.joined(separator: "\n")
  }

  /// The reports as one JSON document.
  public var json: String { GateJSON.text(parts) }

  /// The findings as annotations of a GitHub job, one per line.
  package var annotations: String { parts.map(GitHubAnnotations.text).joined() }

  var junit: String { JUnitReport.xml(parts) }
}

/// A difference from the baseline beyond its threshold, or something missing.
public struct GateDifference: Sendable, Hashable {
  /// The judgement of a difference.
  public enum Verdict: Sendable, Hashable {
    /// Beyond the threshold: it fails the gate.
    case worse
    /// Beyond the threshold, but possibly noise.
    case inconclusive
    /// Better by more than the threshold.
    case better
  }

  /// The verdict.
  public let verdict: Verdict
  /// The part of the results: `points`, `reads`, `tiles` or `generations`.
  public let part: String
  /// The key of the quantity's threshold, such as `total-bytes`, `decode-time` or a metric; `compared`, `finished` and
  /// `thresholds` if the gate could not compare.
  public let quantity: String
  /// The image; nil for a figure over the whole corpus.
  public let image: String?
  /// The codec with its settings; nil for an unreadable image, or a figure over all codecs.
  public let variant: CodecVariant?
  /// The quality, from 0 to 1; nil for a figure over several qualities.
  public let quality: Double?
  /// The imported file, or how a file was read or cut; nil for a point.
  public let way: String?
  /// The baseline's value in bytes, MiB, milliseconds or the metric's unit; nil for a relative figure or if something
  /// is missing.
  public let before: Double?
  /// The value now.
  public let after: Double?
  /// The change for the worse in `unit`, or as a number for things that are counted; negative for an improvement.
  public let worsening: Double
  /// The tolerated worsening; nil if there is no threshold.
  public let limit: Double?
  /// The unit of `worsening` and `limit`: `%`, `percentage points`, `points` or the metric's.
  public let unit: String

  init(_ finding: GateFinding, _ subject: GateSubject, _ verdict: Verdict) {
    (self.verdict, part) = (verdict, subject.rawValue)
    (quantity, unit) = (finding.key, finding.unit)
    (image, variant, way) = (finding.image, finding.variant, finding.name)
    quality = finding.quality?.value
    (before, after) = (finding.before, finding.after)
    (worsening, limit) = (finding.worsening, finding.threshold)
  }
}
