internal import Curves
internal import Model
import Store

extension Analysis {
  /// What readers have to know before they believe the figures.
  func makeWarnings(sourcesAreShrunk: Bool) -> [String] {
    [
      progressWarning, headlineWarning, lossyWarning(sourcesAreShrunk), failureWarning, sanityWarning,
      smallCorpusWarning, smallImageWarning,
    ].compactMap(\.self)
      + curveWarnings + times.warnings
  }

  private var progressWarning: String? {
    progress?.phrase.map {
      "\($0.prefix(1).uppercased())\($0.dropFirst()): the same command again measures the rest."
    }
  }

  private var smallImageWarning: String? {
    guard counts.smallImages > 0, let headline, let side = headline.dependableSide else { return nil }
    let usable = counts.images - counts.unusableImages
    return
      "\(counts.smallImages) of \(counted(usable, "image")) \(counts.smallImages == 1 ? "is" : "are") under "
      + "\(side) pixels on the shorter side, where \(headline.title) lacks scales that it was tuned with: such "
      + "scores say little."
  }

  private var headlineWarning: String? {
    guard headline == nil, variants.count > 1 else { return nil }
    return "There are no \(options.headlineMetric) scores, so nothing can be said at equal quality."
  }

  private func lossyWarning(_ areShrunk: Bool) -> String? {
    guard counts.lossyImages > 0 else { return nil }
    return "\(counts.lossyImages) of \(counted(counts.images, "image")) come from lossy files (JPEG, HEIC or "
      + "AVIF), whose artefacts favour their own codec\(areShrunk ? ", though less once they are shrunk." : ": use lossless sources, or --downscale to wash them out.")"
  }

  private var failureWarning: String? {
    var parts: [String] = []
    if counts.failed > 0 { parts.append("\(counted(counts.failed, "point")) failed") }
    if counts.unsupported > 0 {
      parts.append(
        "\(counted(counts.unsupported, "point")) \(counts.unsupported == 1 ? "is" : "are") unsupported")
    }
    if counts.unusableImages > 0 {
      parts.append("\(counted(counts.unusableImages, "image")) could not be read")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ") + ": these are in no figure."
  }

  private var sanityWarning: String? {
    let found = SanityReport.Kind.allCases.compactMap { kind in
      sanity.counts[kind].map { "\(kind.title) (\(counted($0, "time")))" }
    }
    return found.isEmpty ? nil : "The sweep contradicts itself: \(found.joined(separator: ", "))."
  }

  private var smallCorpusWarning: String? {
    let usable = counts.images - counts.unusableImages
    guard variants.count > 1, (1..<Bootstrap.minimumImages).contains(usable) else { return nil }
    return
      "\(counted(usable, "image")) \(usable == 1 ? "says" : "say") little about others: an interval takes at least "
      + "\(Bootstrap.minimumImages)."
  }

  /// One warning for each pair whose figure at the verdict's target does not hold for all images.
  private var curveWarnings: [String] {
    verdicts.compactMap { verdict in
      let shown = matchedQualities.first { $0.variant == verdict.variant && $0.target == verdict.target }
      guard let shown, let headline, !shown.problems.isEmpty else { return nil }
      let reasons = shown.problems.map { "\(counted($0.images, "image")) with \($0.problem.explanation)" }
      return "At \(headline.phrase(shown.target)) there is no figure for \(verdict.variant.title) against "
        + "\(verdict.reference.title) from \(reasons.joined(separator: ", "))"
        + "\(shown.advice.map { "; \($0)" } ?? "")."
    }
  }
}

extension SanityReport.Kind {
  /// The kind as a phrase.
  package var title: String {
    switch self {
    case .qualityHasNoEffect: "quality has no effect"
    case .sizeFalls: "size falls as quality rises"
    case .scoreFalls: "score falls as quality rises"
    case .repeatsDiffer: "repeats give different bytes"
    case .duplicatePoint: "one point with two sizes"
    }
  }
}
