import Model

/// Chooses which qualities of an image are measured with a variant beside the plan's grid, or in place of it, in the light
/// of those that are.
protocol QualityStrategy: Sendable {
  /// The qualities to measure next, in any order; empty when the strategy has what it wants. `known` are the
  /// points that the run stands on, those that could not be measured included.
  func next(_ variant: CodecVariant, known: [Quality: FinishedPoint]) -> [Quality]

  /// How many points of an image it is expected to take, for the time that is left.
  func expectedPoints(of variant: CodecVariant) -> Double
}
