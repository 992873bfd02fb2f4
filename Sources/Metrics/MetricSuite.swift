package import Model
package import Pixels

/// The metrics of a sweep. Prepared once per reference, it scores candidate after candidate into the same buffers.
package struct MetricSuite: Sendable {
  /// All SDR and HDR metrics; new ones go into these lists. Their order is that of the columns.
  static let registry: [any QualityMetric] = [
    PSNR.luma, PSNR.colour, SSIM(), MultiScaleSSIM(), SSIMULACRA2(), DSSIM(), PSNRHVS(),
    Butteraugli.largest, Butteraugli.norm,
  ]
  static let hdrRegistry: [any QualityMetric] = [
    PSNR.pu21, MultiScaleSSIM.pu21, ColourDifferenceITP.mean, ColourDifferenceITP.percentile95,
  ]

  /// The traits of the selected metrics, in the requested order.
  package var traits: [MetricTraits] { metrics.map(\.traits) }

  let metrics: [any QualityMetric]

  /// Selects metrics by identifier; duplicates count once. Throws for an unknown one, listing the known identifiers.
  package init(_ identifiers: [String]) throws(MetricError) {
    var chosen: [any QualityMetric] = []
    for id in identifiers {
      guard let metric = (Self.registry + Self.hdrRegistry).first(where: { $0.traits.id == id }) else {
        let known = (MetricTraits.standard + MetricTraits.hdr).map(\.id).joined(separator: ", ")
        throw MetricError(
          "no metric “\(id)”; available: \(known), and programs of your own (--metric-command)")
      }
      if !chosen.contains(where: { $0.traits.id == id }) { chosen.append(metric) }
    }
    metrics = chosen
  }

  /// Selects SDR metrics for commands that do not measure HDR. Throws for an HDR metric, naming the commands that
  /// measure it.
  package init(sdr identifiers: [String]) throws(MetricError) {
    try self.init(identifiers)
    guard let metric = traits.first(where: \.isHDR) else { return }
    throw MetricError(
      "\(metric.title) is defined only for HDR, which a sweep and “heicbench score” measure with --light file"
    )
  }

  /// Does the work that depends only on the reference, once. Throws if its colour profile is unusable.
  /// - Parameter instructions: The instruction set for the kernels, to measure the times of another processor.
  package func prepare(
    _ reference: RasterImage, instructions: InstructionSet = .best
  ) throws(MetricError) -> PreparedSuite {
    try prepare(reference, tuning: MetricTuning(instructions))
  }

  /// Scores a single candidate like `PreparedSuite`, but prepares and keeps nothing for further ones, which takes less
  /// memory and less time. `beside` runs part of the work concurrently. Throws like `prepare` and
  /// `PreparedSuite.score`.
  package func score(
    _ candidate: RasterImage, against reference: RasterImage, beside: Beside? = nil
  ) throws(MetricError) -> [String: Double] {
    var tuning = MetricTuning(.best)
    tuning.keepsReference = false
    tuning.beside = beside
    return try prepare(reference, tuning: tuning).score(candidate)
  }

  /// A remark for readers of the scores if the candidate and the reference have different colour spaces; nil if they
  /// have the same.
  package func remark(on candidate: RasterImage, against reference: RasterImage) -> String? {
    let converted = metrics.filter { !$0.rules.takesLight && !$0.traits.isHDR }.map(\.traits.title)
    guard !converted.isEmpty, (try? candidate.profile.hasLight(of: reference.profile)) == false else {
      return nil
    }
    return "converted to the original’s colour space for \(converted.joined(separator: ", "))"
  }

  func prepare(_ reference: RasterImage, tuning: MetricTuning) throws(MetricError) -> PreparedSuite {
    try PreparedSuite(reference, metrics: metrics, tuning: tuning)
  }
}

extension MetricTraits {
  /// The metrics of SDR, in column order.
  package static let standard = MetricSuite.registry.map(\.traits)
  /// The metrics that are measured by default and have a column in every measurements.csv.
  package static let usual = MetricSuite.registry.filter { !$0.rules.isOnRequest }.map(\.traits)
  /// The metrics of HDR runs, which do not have the others.
  package static let hdr = MetricSuite.hdrRegistry.map(\.traits)

  /// The metric for comparing qualities unless another is requested.
  package static let headline = ssimulacra2
  /// The same in an HDR run.
  package static let hdrHeadline = pu21MultiScaleSSIM

  /// The headline metric for a run's metrics, which also show whether the run is HDR.
  package static func headline(among metrics: [MetricTraits]) -> MetricTraits {
    metrics.contains(where: \.isHDR) ? hdrHeadline : headline
  }

  /// True for all SDR metrics or the usual ones: in an HDR run, these selections mean the HDR metrics.
  package static func isUnspecific(_ identifiers: [String]) -> Bool {
    [usual, standard].contains { $0.map(\.id) == identifiers }
  }

  /// True for a metric of HDR light.
  package var isHDR: Bool { Self.hdr.contains { $0.id == id } }

  private static let rules = Dictionary(
    (MetricSuite.registry + MetricSuite.hdrRegistry).map { ($0.traits.id, $0.rules) },
    uniquingKeysWith: { first, _ in first })

  /// Returns the rules of a standard metric; nil for a user's own.
  package static func rules(of id: String) -> MetricRules? { rules[id] }

  package var rules: MetricRules? { Self.rules[id] }

  package var dependableSide: Int? { rules?.dependableSide }

  package var cap: Double? { rules?.cap }

  /// True if the score is possible. If the metric has a cap, an infinite score is possible, for equal images.
  package func allows(_ score: Double) -> Bool {
    guard let scale else { return true }
    guard score != .infinity else { return cap != nil }
    let highest = rules?.highestMeasured ?? scale.highest
    return score.isFinite && score >= scale.lowest ?? score && score <= highest ?? score
  }
}
