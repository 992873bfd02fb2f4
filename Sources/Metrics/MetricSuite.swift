public import BenchModel

/// The metrics of a sweep. Prepared once per reference, it scores candidate after candidate into the same
/// buffers.
public struct MetricSuite: Sendable {
  /// The traits of the metrics, in the order asked for.
  public let traits: [MetricTraits]

  /// Selects metrics by identifier.
  public init(_ identifiers: [String]) throws(MetricError) {
    traits = []
    if let first = identifiers.first { throw .unknownMetric("no metric “\(first)”") }
  }
}
