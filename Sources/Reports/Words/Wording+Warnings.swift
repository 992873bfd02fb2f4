import Analysis
import Model
import Store

// The warnings to read before the figures, and the notes under tables of times.
extension Wording {
  package var warnings: [String] { analysis.warnings.map(sentence) }

  private func sentence(_ warning: Analysis.Warning) -> String {
    let times = analysis.times
    let timedAlone = "\(Numerals.counted(times.exclusive, "point")) timed alone"
    return switch warning {
    case .unfinished(let progress):
      progress.phrase.map {
        "\($0.prefix(1).uppercased())\($0.dropFirst()): the same command again measures the rest."
          + (progress.untouched.map { " \(Self.untouched($0))" } ?? "")
      } ?? ""
    case .noHeadlineScores:
      "There are no \(analysis.options.headlineMetric) scores, so nothing can be said at equal quality."
    case .lossySources: lossySources
    case .gainMaps: gainMaps
    case .missingPoints: missingPoints
    case .contradictions: contradictions
    case .fewImages:
      "\(Numerals.counted(analysis.usableImages, "image")) \(analysis.usableImages == 1 ? "says" : "say") little "
        + "about others: an interval takes at least \(Bootstrap.minimumImages)."
    case .smallImages(let side): smallImages(under: side)
    case .incomplete(let matched): incomplete(matched)
    case .foreignTimes(let host, let points):
      "Times of \(Numerals.counted(points, "point")) were taken on \(host.isEmpty ? "another host" : host) and are "
        + "left out: --fresh measures them on this machine."
    case .drift(let percent):
      "The machine drifted by \(Numerals.plain(percent, 1)) % while points were timed: close what else runs and "
        + "time again with --fresh."
    case .spread:
      "Times of \(times.spread) of \(timedAlone) vary from repeat to repeat by more than "
        + "\(Numerals.plain(TimesSummary.spreadLimit * 100, 0)) % (median deviation over median)."
    case .disturbed:
      "Wall times of \(times.disturbed) of \(timedAlone) are more than "
        + "\(Numerals.plain((TimesSummary.disturbance - 1) * 100, 0)) % over their CPU times: something else was "
        + "running."
    }
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
      "\(counts.lossyImages) of \(Numerals.counted(counts.images, "image")) come from lossy files (JPEG, HEIC "
      + "or AVIF), whose artefacts favour their own codec\(remedy)"
  }

  private var gainMaps: String {
    let (count, all) = (analysis.counts.gainMapImages, Numerals.counted(analysis.counts.images, "image"))
    return
      "\(count) of \(all) \(count == 1 ? "has" : "have") a gain map, which makes HDR of the base picture. It is left "
      + "out: measured is the base picture, as SDR displays show it."
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

  private func incomplete(_ matched: MatchedQuality) -> String {
    let reasons = matched.problems.map(\.phrase).joined(separator: ", ")
    let place = analysis.headline?.phrase(matched.target) ?? ""
    return
      "At \(place) there is no figure for \(matched.variant.title) against \(matched.reference.title) from "
      + "\(reasons)\(Self.advice(matched).map { "; \($0)" } ?? "")."
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

  /// A note that rows of the table at equal quality cover different images; nil if all cover equally many.
  package var unequalRows: String? {
    let counts = analysis.matchedQualities.compactMap { $0.bytes?.images }
    guard let least = counts.min(), let most = counts.max(), least < most else { return nil }
    return
      "The rows stand on different images, \(least) to \(most) of them: part of what changes from one row to the "
      + "next may be the images."
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
    return
      "Times were taken on \(phrases.joined(separator: "; ")).\(sorted.count > 1 ? " They are mixed." : "")"
  }
}
