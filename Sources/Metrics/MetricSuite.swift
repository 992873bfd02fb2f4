package import Model
package import Pixels

/// The metrics of a sweep. Prepared once per reference, it scores candidate after candidate into the same
/// buffers.
package struct MetricSuite: Sendable {
  /// Every metric there is: the one list to add to. Its order is that of the columns.
  static let registry: [any QualityMetric] = [
    PSNRLuma(), PSNRColour(), SSIM(), MultiScaleSSIM(), SSIMULACRA2(),
  ]

  /// The traits of every metric there is, in the order of the columns.
  package static let standard: [MetricTraits] = registry.map(\.traits)

  /// The traits of the metrics, in the order asked for.
  package var traits: [MetricTraits] { metrics.map(\.traits) }

  let metrics: [any QualityMetric]

  /// Selects metrics by identifier; one named twice counts once.
  ///
  /// Throws `unknownMetric`, with the identifiers that exist, for any other.
  package init(_ identifiers: [String]) throws(MetricError) {
    var chosen: [any QualityMetric] = []
    for id in identifiers {
      guard let metric = Self.registry.first(where: { $0.traits.id == id }) else {
        let known = Self.standard.map(\.id).joined(separator: ", ")
        throw .unknownMetric("no metric “\(id)”; there are \(known)")
      }
      if !chosen.contains(where: { $0.traits.id == id }) { chosen.append(metric) }
    }
    metrics = chosen
  }

  /// Does once what depends on the reference alone.
  ///
  /// Throws `profile` when the reference's colour profile cannot be used.
  package func prepare(_ reference: RasterImage) throws(MetricError) -> PreparedSuite {
    try prepare(reference, tuning: .standard)
  }

  /// The scores of one candidate, as `PreparedSuite` has them, without preparing and keeping what further candidates
  /// would need: less memory, and less time for one.
  ///
  /// `beside` does a part of the work at the same time. Throws as `prepare` and `PreparedSuite.score` do.
  package func score(
    _ candidate: RasterImage, against reference: RasterImage, beside: Beside? = nil
  ) throws(MetricError) -> [String: Double] {
    var tuning = MetricTuning.standard
    tuning.keepsReference = false
    tuning.beside = beside
    return try prepare(reference, tuning: tuning).score(candidate)
  }

  /// The same with the kernels of one instruction set, for measuring what another processor would take.
  package func prepare(
    _ reference: RasterImage, instructions: InstructionSet
  ) throws(MetricError) -> PreparedSuite {
    try prepare(reference, tuning: MetricTuning(instructions))
  }

  func prepare(_ reference: RasterImage, tuning: MetricTuning) throws(MetricError) -> PreparedSuite {
    try PreparedSuite(reference, metrics: metrics, tuning: tuning)
  }
}

extension MetricSuite {
  /// The instruction set that scores are computed with on this processor, for the record: `AVX-512`. Scores
  /// do not depend on it.
  package static var instructionSet: String {
    (InstructionSet.allCases.last { $0.isAvailable } ?? .baseline).rawValue
  }
}
