import Analysis
import Metrics
import Model
import Store

// The warnings to read before the figures, and the notes under tables of times.
extension Wording {
  /// Sorted by weight: the first affect the conclusions most.
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
      "No comparison at equal quality: \(noScores).")
    add(!analysis.sanity.isClean, contradictions)
    add(
      isComparison && (1..<Bootstrap.minimumImages).contains(usable),
      "\(Numerals.counted(usable, "image")) \(usable == 1 ? "is" : "are") too few to generalise: intervals need at least "
        + "\(Bootstrap.minimumImages).")
    add(counts.failed + counts.unsupported + counts.unusableImages.count > 0, missingPoints)
    add(counts.lossyImages > 0, lossySources)
    found += incompleteFigures + [Self.copies(counts.copies, "image")].compactMap(\.self)
    add(counts.gainMapImages > 0, gainMaps)
    if let side = analysis.headline?.dependableSide { add(counts.smallImages > 0, smallImages(under: side)) }
    add(!analysis.remarks.lines.isEmpty, analysis.remarks.lines.joined(separator: "; ") + ".")
    return found + timeWarnings
  }

  private static func unfinished(_ progress: RunProgress) -> String {
    progress.phrase.map {
      "\($0.prefix(1).uppercased())\($0.dropFirst()). Run the same command again for the rest."
        + (progress.untouched.map { " \(untouched($0))" } ?? "")
    } ?? ""
  }

  private var timeWarnings: [String] {
    let times = analysis.times
    let processors = Set(times.origins.keys.map(\.processor)).count
    let unlike =
      processors > 1
      ? "Times come from \(processors) different processors and are not combined. summary.md and report.html list them by "
        + "processor." : nil
    var found = [unlike].compactMap(\.self)
    found += times.foreign.sorted { $0.key < $1.key }.map { host, points in
      "Times of \(Numerals.counted(points, "encode")) come from \(host.isEmpty ? "another host" : host) and are "
        + "left out. Use --fresh to measure them on this machine."
    }
    if let drift = times.driftPercent, abs(drift) > TimesSummary.driftLimit {
      found.append(
        "This machine's speed changed by \(Numerals.plain(drift, 1)) % during timing. Close other programs and time again "
          + "with --fresh.")
    }
    let timedAlone = "\(Numerals.counted(times.exclusive, "encode")) timed alone"
    if times.spread > 0 {
      found.append(
        "\(times.spread) of \(timedAlone) \(times.spread == 1 ? "varies" : "vary") between repeats by more than "
          + "\(Numerals.plain(TimesSummary.spreadLimit * 100, 0)) % (median deviation over median).")
    }
    if times.disturbed > 0 {
      found.append(
        "\(times.disturbed) of \(timedAlone) \(times.disturbed == 1 ? "has a wall time" : "have wall times") more than "
          + "\(Numerals.plain((TimesSummary.disturbance - 1) * 100, 0)) % above CPU time: another program was "
          + "running.")
    }
    return found
  }

  /// `No results yet for Canon.jpg, arrow.heic.`, with the number of others.
  private static func untouched(_ images: RunProgress.Untouched) -> String {
    let others = images.count - images.names.count
    return "No results yet for \(images.names.joined(separator: ", "))"
      + (others > 0 ? " and \(Numerals.counted(others, "other image"))." : ".")
  }

  private var lossySources: String {
    let counts = analysis.counts
    let remedy =
      analysis.sourcesAreShrunk
      ? ", though less after downscaling." : ". Use lossless sources, or --downscale to reduce the effect."
    return
      "\(counts.lossyImages) of \(Numerals.counted(counts.images, "image")) \(counts.lossyImages == 1 ? "comes" : "come") "
      + "from lossy files, whose artefacts favour "
      + "their own codec\(remedy)"
  }

  private var gainMaps: String {
    let (count, all) = (analysis.counts.gainMapImages, Numerals.counted(analysis.counts.images, "image"))
    let shown =
      analysis.metrics.contains(where: \.isHDR)
      ? "in its own light" : "as SDR displays show it"
    return
      "\(count) of \(all) \(count == 1 ? "has" : "have") an HDR gain map. heicbench leaves it out and measures the base "
      + "picture, \(shown)."
  }

  private var missingPoints: String {
    let counts = analysis.counts
    let parts = [
      (counts.failed, "encode", "failed"),
      (counts.unsupported, "encode", counts.unsupported == 1 ? "is unsupported" : "are unsupported"),
      (counts.unusableImages.count, "image", "could not be read (\(counts.unusableImages.phrase))"),
    ].filter { $0.0 > 0 }.map { count, noun, lack in "\(Numerals.counted(count, noun)) \(lack)" }
    return parts.joined(separator: ", ") + ". No figure includes them; the summary lists the reasons."
  }

  private var contradictions: String {
    let found = SanityReport.Kind.allCases.compactMap { kind in
      analysis.sanity.counts[kind].map { "\(kind.title) (\(Numerals.counted($0, "time")))" }
    }
    return "Results are inconsistent: \(found.joined(separator: ", "))."
  }

  private func smallImages(under side: Int) -> String {
    let small = analysis.counts.smallImages
    return
      "\(small) of \(Numerals.counted(analysis.usableImages, "image")) \(small == 1 ? "is" : "are") under "
      + "\(side) pixels on the shorter side. \(scoreTitle) was tuned on larger images, so these scores are less "
      + "reliable."
  }

  /// The pairs without a figure for all images at the verdict's target.
  private var incompleteFigures: [String] {
    // An unfinished run gets a single warning for all gaps.
    guard let headline = analysis.headline, analysis.progress?.isFinished != false else { return [] }
    return analysis.verdicts.compactMap { verdict in
      let shown = analysis.matchedQualities.first {
        $0.variant == verdict.variant && $0.target == verdict.target
      }
      guard let shown, !shown.problems.isEmpty else { return nil }
      return
        "At \(headline.phrase(shown.target)), \(shown.variant.title) could not be compared with "
        + "\(shown.reference.title) for \(Self.phrase(shown.problems))"
        + "\(Self.advice(shown, of: headline).map { " (\($0))" } ?? "")."
    }
  }

  /// `1 image with …`, or `3 images: 2 with …, 1 with …`, so that the numbers are not added up.
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
        "Wall times of \(Numerals.counted(analysis.counts.contended, "encode")) include waiting for other jobs. Use --time "
          + "to time encodes alone. CPU times exclude waiting, but not the effect of shared caches and memory."
      )
    }
    return notes
  }

  /// Cautions about the rows of the table at equal quality; nil for none.
  package var rowNotes: String? {
    let notes = [boundByChroma, unequalRows].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: " ")
  }

  /// A note that rows of the table at equal quality cover different images; nil if all cover the same number.
  private var unequalRows: String? {
    let counts = analysis.matchedQualities.compactMap { $0.bytes?.images }
    guard let least = counts.min(), let most = counts.max(), least < most else { return nil }
    return
      "Rows cover different images (\(least) to \(most)), so do not compare rows with each other."
  }

  /// A note on rows of the table at equal quality that halved chroma limits more than the codecs do; nil without any.
  private var boundByChroma: String? {
    guard let headline = analysis.headline else { return nil }
    let bound = analysis.matchedQualities.filter { 2 * $0.boundByChroma > $0.bytes?.images ?? 0 }
    let targets = Set(bound.map(\.target)).sorted()
    guard let lowest = targets.first else { return nil }
    let isDeep = analysis.variants.contains(where: \.isDeep)
    let further = [
      analysis.variants.contains(where: \.isFullChroma) ? nil : (option: "--chroma both", measures: "4:4:4"),
      isDeep ? nil : (option: "--depth both", measures: "10 bits"),
    ].compactMap(\.self)
    let remedy =
      further.isEmpty
      ? ""
      : " Add \(further.map(\.option).joined(separator: " ")) to measure "
        + "\(further.map(\.measures).joined(separator: " and "))."
    return
      "At \(headline.phrase(lowest))\(targets.count > 1 ? " and above" : ""), halved chroma (4:2:0) causes more than half of "
      + "the loss in most images\(isDeep ? "" : ", and rounding to 8 bits adds to it").\(remedy)"
  }

  private var timesOrigin: String? {
    let origins = analysis.times.origins
    guard !origins.isEmpty else { return nil }
    let sorted = origins.sorted {
      ($1.value, $0.key.host, $0.key.jobs) < ($0.value, $1.key.host, $1.key.jobs)
    }
    let phrases = sorted.map { origin, points in
      "\(origin.host) (\(origin.processor)) with \(Numerals.counted(origin.jobs, "job"))"
        + (sorted.count > 1 ? ", \(Numerals.counted(points, "encode"))" : "")
    }
    let remark =
      Set(origins.keys.map(\.processor)).count > 1
      ? " They are listed by processor." : sorted.count > 1 ? " They are combined." : ""
    return
      "Times measured on \(phrases.joined(separator: "; ")).\(remark)"
  }
}
