import Model

/// Chooses qualities to measure of an image and variant beside or instead of the grid, given those already measured.
protocol QualityStrategy: Sendable {
  /// The qualities to measure next, in any order; empty once the strategy needs no more. `known` holds the points that
  /// the run rests on, including those that could not be measured.
  func next(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> [Quality]

  /// The expected number of points for an image, to estimate the time left.
  func expectedPoints(of variant: CodecVariant) -> Double
}
