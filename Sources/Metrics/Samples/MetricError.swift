/// The reasons why a score cannot be given.
package enum MetricError: Error, Sendable, Hashable, CustomStringConvertible {
  case sizeMismatch(reference: String, candidate: String)
  /// An embedded profile cannot be used.
  case profile(String)
  /// An unknown metric identifier; the text lists the known ones.
  case unknownMetric(String)
  /// An argument is out of its range, such as a downscaling factor of 0.
  case invalidArgument(String)

  package var description: String {
    switch self {
    case .sizeMismatch(let reference, let candidate):
      "the images differ in size: \(reference) and \(candidate)"
    case .profile(let text), .unknownMetric(let text), .invalidArgument(let text): text
    }
  }
}
