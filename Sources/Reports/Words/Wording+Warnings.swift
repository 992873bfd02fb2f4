import Analysis
import Metrics
import Model
import Store

// The warnings to read before the figures, and the notes under tables of times.
extension Wording {
  package var warnings: [String] {
    let (counts, usable) = (analysis.counts, analysis.usableImages)
    let isComparison = analysis.variants.count > 1
    var found: [String] = []
    func add(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
      if isTrue { found.append(sentence()) }
    }
    if let progress = analysis.progress { add(!progress.isFinished, Self.unfinished(progress)) }
    add(
      isComparison && analysis.headline == nil,
      "Nothing can be said at equal quality: \(noScores).")
    found += [Self.copies(counts.copies, "image")].compactMap(\.self)
    add(counts.lossyImages > 0, lossySources)
    add(counts.gainMapImages > 0, gainMaps)
    found += analysis.remarks.lines.map { $0 + "." }
    add(counts.failed + counts.unsupported + counts.unusableImages > 0, missingPoints)
    add(!analysis.sanity.isClean, contradictions)
    add(
      isComparison && (1..<Bootstrap.minimumImages).contains(usable),
      "\(Numerals.counted(usable, "image")) \(usable == 1 ? "says" : "say") little "
        + "about others: an interval takes at least \(Bootstrap.minimumImages).")
    if let side = analysis.headline?.dependableSide { add(counts.smallImages > 0, smallImages(under: side)) }
    return found + incompleteFigures + timeWarnings
  }

  private static func unfinished(_ progress: RunProgress) -> String {
    progress.phrase.map {
      "\($0.prefix(1).uppercased())\($0.dropFirst()): the same command again measures the rest."
        + (progress.untouched.map { " \(untouched($0))" } ?? "")
    } ?? ""
  }

  private var timeWarnings: [String] {
    let times = analysis.times
    let processors = Set(times.origins.keys.map(\.processor)).count
    let unlike =
      processors > 1
      ? "Times are of \(processors) unlike processors and are not pooled: they stand side by side, by processor, in "
        + "summary.md and report.html." : nil
    var found = [unlike].compactMap(\.self)
    found += times.foreign.sorted { $0.key < $1.key }.map { host, points in
      "Times of \(Numerals.counted(points, "point")) were taken on \(host.isEmpty ? "another host" : host) and are "
        + "left out: --fresh measures them on this machine."
    }
    if let drift = times.driftPercent, abs(drift) > TimesSummary.driftLimit {
      found.append(
        "The machine drifted by \(Numerals.plain(drift, 1)) % while points were timed: close what else runs and "
          + "time again with --fresh.")
    }
    let timedAlone = "\(Numerals.counted(times.exclusive, "point")) timed alone"
    if times.spread > 0 {
      found.append(
        "Times of \(times.spread) of \(timedAlone) vary from repeat to repeat by more than "
          + "\(Numerals.plain(TimesSummary.spreadLimit * 100, 0)) % (median deviation over median).")
    }
    if times.disturbed > 0 {
      found.append(
        "Wall times of \(times.disturbed) of \(timedAlone) are more than "
          + "\(Numerals.plain((TimesSummary.disturbance - 1) * 100, 0)) % over their CPU times: something else was "
          + "running.")
    }
    return found
  }

  /// `Nothing yet of Canon.jpg, arrow.heic.`, with the number of others.
  private static func untouched(_ images: RunProgress.Untouched) -> String {
    let others = images.count - images.names.count
    return "Nothing yet of \(images.names.joined(separator: ", "))"
      + (others > 0 ? " and \(Numerals.counted(others, "other image"))." : ".")
  }

  private var lossySources: String {
    let counts = analysis.counts
    let remedy =
      analysis.sourcesAreShrunk
      ? ", though less once they are shrunk." : ": use lossless sources, or --downscale to wash them out."
    return
      "\(counts.lossyImages) of \(Numerals.counted(counts.images, "image")) \(counts.lossyImages == 1 ? "comes" : "come") "
      + "from lossy files (JPEG, HEIC "
      + "or AVIF), whose artefacts favour their own codec\(remedy)"
  }

  private var gainMaps: String {
    let (count, all) = (analysis.counts.gainMapImages, Numerals.counted(analysis.counts.images, "image"))
    let shown =
      analysis.metrics.contains(where: \.isHDR)
      ? "in its own light, without the map’s" : "as SDR displays show it"
    return
      "\(count) of \(all) \(count == 1 ? "has" : "have") a gain map, which makes HDR of the base picture. It is left "
      + "out: measured is the base picture, \(shown)."
  }

  private var missingPoints: String {
    let counts = analysis.counts
    let parts = [
      (counts.failed, "point", "failed"),
      (counts.unsupported, "point", counts.unsupported == 1 ? "is unsupported" : "are unsupported"),
      (counts.unusableImages, "image", "could not be read"),
    ].filter { $0.0 > 0 }.map { count, noun, lack in "\(Numerals.counted(count, noun)) \(lack)" }
    return parts.joined(separator: ", ") + ": these are in no figure."
  }

  private var contradictions: String {
    let found = SanityReport.Kind.allCases.compactMap { kind in
      analysis.sanity.counts[kind].map { "\(kind.title) (\(Numerals.counted($0, "time")))" }
    }
    return "The sweep contradicts itself: \(found.joined(separator: ", "))."
  }

  private func smallImages(under side: Int) -> String {
    let small = analysis.counts.smallImages
    return
      "\(small) of \(Numerals.counted(analysis.usableImages, "image")) \(small == 1 ? "is" : "are") under "
      + "\(side) pixels on the shorter side, where \(scoreTitle) lacks scales that it was tuned with: such "
      + "scores say little."
  }

  /// The pairs without a figure for all images at the verdict's target.
  private var incompleteFigures: [String] {
    // An unfinished run has a single warning for all gaps.
    guard let headline = analysis.headline, analysis.progress?.isFinished != false else { return [] }
    return analysis.verdicts.compactMap { verdict in
      let shown = analysis.matchedQualities.first {
        $0.variant == verdict.variant && $0.target == verdict.target
      }
      guard let shown, !shown.problems.isEmpty else { return nil }
      return
        "At \(headline.phrase(shown.target)) there is no figure for \(shown.variant.title) against "
        + "\(shown.reference.title) from \(Self.phrase(shown.problems))"
        + "\(Self.advice(shown).map { " (of these, \($0))" } ?? "")."
    }
  }

  /// `1 image with …`, or `3 images: 2 with …, 1 with …`, so that nobody adds them up.
  private static func phrase(_ problems: [ProblemCount]) -> String {
    guard problems.count > 1 else { return problems.map(\.phrase).joined() }
    let parts = problems.map { "\($0.images) with \($0.problem.explanation)" }
    return
      "\(Numerals.counted(problems.reduce(0) { $0 + $1.images }, "image")): \(parts.joined(separator: ", "))"
  }

  var timeNotes: [String] {
    var notes = [timesOrigin].compactMap(\.self)
    if analysis.timesAreContended {
      notes.append(
        "Wall times of \(Numerals.counted(analysis.counts.contended, "point")) were taken beside other jobs: they "
          + "are not those of one encode alone (--time measures these). CPU times do not count waiting; what "
          + "neighbours in caches and memory add to them was not measured.")
    }
    return notes
  }

  /// Cautions about the rows of the table at equal quality; nil for none.
  package var rowNotes: String? {
    let notes = [boundByChroma, unequalRows].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: " ")
  }

  /// A note that rows of the table at equal quality cover different images; nil if all cover equally many.
  private var unequalRows: String? {
    let counts = analysis.matchedQualities.compactMap { $0.bytes?.images }
    guard let least = counts.min(), let most = counts.max(), least < most else { return nil }
    return
      "The rows stand on different images, \(least) to \(most) of them: part of what changes from one row to the "
      + "next may be the images."
  }

  /// The rows of the table at equal quality that compare halved chroma more than codecs; nil without any.
  private var boundByChroma: String? {
    guard let headline = analysis.headline else { return nil }
    let bound = analysis.matchedQualities.filter { 2 * $0.boundByChroma > $0.bytes?.images ?? 0 }
    let targets = Set(bound.map(\.target)).sorted()
    guard let lowest = targets.first else { return nil }
    let remedy =
      analysis.variants.contains(where: \.isWholeChroma) ? "" : " --chroma both adds 4:4:4."
    return
      "At \(headline.phrase(lowest))\(targets.count > 1 ? " and above" : "") halved chroma (4:2:0) takes more than half of "
      + "the loss in most images, before anything is coded: these rows compare chroma more than codecs.\(remedy)"
  }

  private var timesOrigin: String? {
    let origins = analysis.times.origins
    guard !origins.isEmpty else { return nil }
    let sorted = origins.sorted {
      ($1.value, $0.key.host, $0.key.jobs) < ($0.value, $1.key.host, $1.key.jobs)
    }
    let phrases = sorted.map { origin, points in
      "\(origin.host) (\(origin.processor)) with \(Numerals.counted(origin.jobs, "job"))"
        + (sorted.count > 1 ? ", \(Numerals.counted(points, "point"))" : "")
    }
    let remark =
      Set(origins.keys.map(\.processor)).count > 1
      ? " Processors stand side by side." : sorted.count > 1 ? " They are mixed." : ""
    return
      "Times were taken on \(phrases.joined(separator: "; ")).\(remark)"
  }
}
