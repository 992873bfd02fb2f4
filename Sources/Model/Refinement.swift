/// The figures of a run for which points outside its grid are measured.
package struct Refinement: Sendable, Hashable, Codable {
  /// The metric of `targets` and `band`.
  package var metric: String
  /// Scores at which variants are compared, ascending.
  package var targets: [Double]
  /// The range of scores for BD-rates.
  package var band: ClosedRange<Double>

  package init(metric: String, targets: [Double], band: ClosedRange<Double>) {
    self.metric = metric
    self.targets = Set(targets).sorted()
    self.band = band
  }
}
