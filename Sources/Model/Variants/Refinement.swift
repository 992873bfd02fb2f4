/// The figures of a run for which points outside its grid are measured.
package struct Refinement: Sendable, Hashable, Codable {
  package var metric: String
  package var targets: [Double]
  package var band: ClosedRange<Double>

  package init(metric: String, targets: [Double], band: ClosedRange<Double>) {
    self.metric = metric
    self.targets = Set(targets).sorted()
    self.band = band
  }
}
