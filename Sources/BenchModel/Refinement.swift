/// Which figures of a run the points beside its grid are measured for.
public struct Refinement: Sendable, Hashable, Codable {
  /// Identifier of the metric that targets and band are scores of.
  public var metric: String
  /// The scores at which variants are compared, ascending.
  public var targets: [Double]
  /// The scores over which BD-rates are taken.
  public var band: ClosedRange<Double>

  /// States what is to be exact.
  public init(metric: String, targets: [Double], band: ClosedRange<Double>) {
    self.metric = metric
    self.targets = Set(targets).sorted()
    self.band = band
  }
}
