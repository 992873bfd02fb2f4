import Metrics
import Model
package import Store

extension Analysis {
  /// Reservation for readers of the figures. Counts that belong to a case are in the analysis itself.
  package enum Warning: Sendable, Hashable {
    case unfinished(RunProgress)
    case noHeadlineScores
    /// Images come from lossy files, whose artefacts favour their own codec.
    case lossySources
    case gainMaps
    case missingPoints
    case contradictions
    case fewImages
    case smallImages(under: Int)
    case incomplete(MatchedQuality)
    /// Times of points were left out because they come from a host that is not one of the run's.
    case foreignTimes(host: String, points: Int)
    case drift(percent: Double)
    case spread
    case disturbed
  }

  package var usableImages: Int { counts.images - counts.unusableImages }

  package var warnings: [Warning] {
    var found: [Warning] = []
    if let progress, !progress.isFinished { found.append(.unfinished(progress)) }
    if headline == nil, variants.count > 1 { found.append(.noHeadlineScores) }
    if counts.lossyImages > 0 { found.append(.lossySources) }
    if counts.gainMapImages > 0 { found.append(.gainMaps) }
    if counts.failed + counts.unsupported + counts.unusableImages > 0 { found.append(.missingPoints) }
    if !sanity.isClean { found.append(.contradictions) }
    if variants.count > 1, (1..<Bootstrap.minimumImages).contains(usableImages) { found.append(.fewImages) }
    if counts.smallImages > 0, let side = headline?.dependableSide { found.append(.smallImages(under: side)) }
    return found + incompleteFigures + times.warnings
  }

  private var incompleteFigures: [Warning] {
    // An unfinished run has a single warning for all gaps.
    guard headline != nil, progress?.isFinished != false else { return [] }
    return verdicts.compactMap { verdict in
      let shown = matchedQualities.first { $0.variant == verdict.variant && $0.target == verdict.target }
      return shown.flatMap { $0.problems.isEmpty ? nil : .incomplete($0) }
    }
  }
}

extension TimesSummary {
  var warnings: [Analysis.Warning] {
    var found = foreign.sorted { $0.key < $1.key }.map { host, points in
      Analysis.Warning.foreignTimes(host: host, points: points)
    }
    if let drift = driftPercent, abs(drift) > Self.driftLimit { found.append(.drift(percent: drift)) }
    if spread > 0 { found.append(.spread) }
    if disturbed > 0 { found.append(.disturbed) }
    return found
  }
}
