/// Which figures of a run the points beside its grid are measured for.
package struct Refinement: Sendable, Hashable, Codable {
  /// Identifier of the metric that targets and band are scores of.
  package var metric: String
  /// The scores at which variants are compared, ascending.
  package var targets: [Double]
  /// The scores over which BD-rates are taken.
  package var band: ClosedRange<Double>

  /// States what is to be exact.
  package init(metric: String, targets: [Double], band: ClosedRange<Double>) {
    self.metric = metric
    self.targets = Set(targets).sorted()
    self.band = band
  }
}
