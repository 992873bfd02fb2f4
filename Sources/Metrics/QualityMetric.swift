public import BenchModel

/// Why a score cannot be given.
public enum MetricError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The two images differ in size.
  case sizeMismatch(reference: String, candidate: String)
  /// An embedded profile cannot be used.
  case profile(String)
  /// No metric has this identifier; the text lists those that exist.
  case unknownMetric(String)

  /// One sentence.
  public var description: String {
    switch self {
    case .sizeMismatch(let reference, let candidate):
      "the images differ in size: \(reference) and \(candidate)"
    case .profile(let text), .unknownMetric(let text): text
    }
  }
}

/// A full-reference image quality metric.
public protocol QualityMetric: Sendable {
  /// What readers of its scores have to know.
  var traits: MetricTraits { get }
}
