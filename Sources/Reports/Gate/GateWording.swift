package import Analysis
import Model
import Store

/// The wording of a comparison with a baseline, or of two runs.
package struct GateWording {
  let report: GateReport

  package init(_ report: GateReport) { self.report = report }

  /// The outcome in a sentence, for annotations and the first line of a comment.
  package var headline: String {
    let changed = report.inventory.changedImages
    guard changed.count > 0, report.inventory.goneImages.count + report.inventory.unusableImages.count == 0
    else {
      return outcome
    }
    let start =
      "\(Numerals.counted(changed.count, "image")) \(changed.count == 1 ? "differs" : "differ") from the "
      + "baseline: \(changed.phrase)"
    guard report.comparedPoints > 0 else { return "\(start); no other image was compared." }
    return "\(start); the other \(report.comparedImages): " + outcome.prefix(1).lowercased()
      + outcome.dropFirst()
  }

  private var outcome: String {
    let points = notCompared.map { "\(comparedPoints); \($0)" } ?? comparedPoints
    if report.regressions.contains(where: { $0.quantity == .uncompared }) {
      return "Nothing compared: baseline and run have no \(report.subject.noun) in common."
    }
    let worse = worseParts
    if !worse.isEmpty { return "Regression: \((worse + absentParts).joined(separator: ", ")), \(points)." }
    if !absentParts.isEmpty { return "Not passed: \(absentParts.joined(separator: ", ")), \(points)." }
    if report.isRegression, let notCompared {
      return "Not passed: \(comparedPoints), none worse; \(notCompared)."
    }
    if !report.improvements.isEmpty { return "No regression, and better in places, \(points)." }
    if !report.inconclusive.isEmpty { return "No regression, but times are inconclusive, \(points)." }
    let isSame =
      report.worstPoints.isEmpty && report.variants.allSatisfy { $0.bytesBefore == $0.bytesAfter }
    return report.inventory.changedImages.count > 0 && isSame
      ? "No change, \(points)." : "No regression, \(points)."
  }

  private var comparedPoints: String {
    let images = notCompared == nil ? "" : " of \(Numerals.counted(report.comparedImages, "image"))"
    return "\(Numerals.counted(report.comparedPoints, report.subject.noun))\(images) compared"
  }

  /// The images that were not compared at all, with the first names of each kind; nil if only changed images were not
  /// compared.
  private var notCompared: String? {
    guard report.inventory.goneImages.count + report.inventory.unusableImages.count > 0 else { return nil }
    let parts = [
      (report.inventory.changedImages, "changed"), (report.inventory.goneImages, "gone"),
      (report.inventory.unusableImages, "unusable"),
    ].filter { $0.0.count > 0 }.enumerated().map { index, part in
      let count = index == 0 ? Numerals.counted(part.0.count, "image") : Numerals.grouped(part.0.count)
      return "\(count) \(part.1) (\(part.0.phrase))"
    }
    return "not compared: \(parts.joined(separator: ", "))"
  }

  private var absentParts: [String] {
    report.regressions.compactMap { finding in
      switch finding.quantity {
      case .missing(let name): "\(name) is missing"
      case .unfinished:
        if case .shards(let shards, _) = finding.detail {
          shards.phrase
        } else {
          "the run is not finished"
        }
      default: nil
      }
    }
  }

  /// Regressions counted by kind. Images that were not compared are stated separately.
  private var worseParts: [String] {
    let noun = report.subject.noun
    let listed = report.regressions.count { $0.quantity == .failure }
    let vanished = report.regressions.filter { $0.quantity == .vanished }.reduce(0) { $0 + $1.worsening }
    let corpus = report.regressions.count { $0.quantity.traits.scope == .corpus }
    let counts = [
      (corpus, "figure over the corpus", "figures over the corpus"),
      (
        listed > 0 ? max(report.newFailures, listed) - report.inventory.newlyUnusable : 0, "new failure",
        "new failures"
      ),
      (
        (Int(exactly: vanished) ?? 0) - report.inventory.goneImagePoints, "missing \(noun)",
        "missing \(noun)s"
      ),
      (report.worsePoints, "figure of a single \(noun)", "figures of single \(noun)s"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
  }

  var reproduce: String? {
    guard report.subject == .points, let worst = report.worst, let image = worst.image else { return nil }
    return ReproduceCommand.line(
      image: image, variant: worst.variant, quality: worst.quality,
      variants: report.manifest?.variants.map(\.variant) ?? report.variants.map(\.variant),
      manifest: report.manifest)
  }
}

extension VariantComparison {
  /// The cost of other settings: `heic:preset=slow against heic: −2.10 % bytes at score 70, BD-rate −1.95 %`.
  var replacementPhrase: String {
    let target = targets.first { $0.target == 70 } ?? targets.first
    let figures = [
      target.map {
        "\(Numerals.signed($0.percent.mean, decimals: 2)) % bytes at score \(Numerals.brief($0.target))"
      },
      bdRate.map { "BD-rate \(Numerals.signed($0.mean, decimals: 2)) %" },
    ].compactMap(\.self)
    let text = figures.isEmpty ? "no figures at equal score" : figures.joined(separator: ", ")
    return "\(variant.name) against \(baselineVariant.name): \(text)"
  }
}

extension GateFinding {
  var improvement: String { "Better than the baseline: \(words(allows: false))" }

  var sentence: String { words(allows: true) }

  /// The finding in words. An improvement omits the allowance, which concerns the other direction.
  private func words(allows: Bool) -> String {
    func allowing(_ change: String, _ sign: String = "+", _ unit: String = "") -> String {
      allows ? "\(change), allowed \(sign)\(Numerals.brief(threshold ?? 0))\(unit)" : change
    }
    let title = metric?.title ?? ""
    return switch quantity {
    case .pointBytes: "\(bytes) (\(allowing(changePercent(1), "+", " %")))."
    case .totalBytes where image != nil: "\(bytes) (\(changePercent(1))) in \(counted("encode"))."
    case .totalBytes:
      "\(plain(before, 0)) bytes in total became \(plain(after, 0)) (\(allowing(changePercent(2), "+", " %")))."
    case .score:
      "\(title) went from \(plain(before, decimals)) to \(plain(after, decimals)) ("
        + allowing(
          Numerals.signed((after ?? 0) - (before ?? 0), decimals: decimals),
          metric?.higherIsBetter == false ? "+" : "−") + ")."
    case .saving(let target):
      "At \(title) \(Numerals.brief(target)), bytes changed by \(changePercent(2)) "
        + "(\(allowing(counted("image"), "+", " points")))."
    case .bdRate:
      "The BD-rate against the baseline is \(changePercent(2)) (\(allowing(counted("image"), "+", " points")))."
    case .time(let operation): went(operation.gerund, "ms", allowing(changePercent(1), "+", " %"))
    case .memory: went("Memory", "MiB", allowing(changePercent(1), "+", " %"))
    case .uncompared:
      "Baseline and run have no point in common (the same image, codec, settings and quality)."
    case .missing(let key) where detail == nil: "The baseline has \(key), but the run does not."
    case .failure, .vanished, .changed, .missing, .unfinished: detail?.sentence(of: self) ?? ""
    }
  }

  private var decimals: Int { metric?.decimals ?? 0 }
  private var bytes: String { "\(plain(before, 0)) bytes became \(plain(after, 0))" }

  private func plain(_ value: Double?, _ decimals: Int) -> String { Numerals.plain(value ?? 0, decimals) }

  private func counted(_ noun: String) -> String { Numerals.counted(count ?? 0, noun) }

  private func changePercent(_ decimals: Int) -> String {
    "\(Numerals.signed(worsening, decimals: decimals)) %"
  }

  private func went(_ subject: String, _ unit: String, _ change: String) -> String {
    let doubt = detail == .noise ? ", but that is within the noise of the repeats" : ""
    return "\(subject) went from \(plain(before, 1)) to \(plain(after, 1)) \(unit) (\(change))\(doubt)."
  }
}

extension GateFinding.Detail {
  fileprivate func sentence(of finding: GateFinding) -> String {
    let points = Numerals.counted(Int(finding.worsening), finding.subject.noun)
    switch self {
    case .unusable(let reason): return "heicbench cannot use the image: \(reason)"
    case .fails(let error): return "Fails now: \(error ?? "no reason given")"
    case .unsupported(let reason): return "No longer supported: \(reason ?? "no reason given")"
    case .changed(let images):
      let isOne = images.count == 1
      return
        "\(Numerals.counted(images.count, "image")) \(isOne ? "has a name" : "have names") from the baseline but "
        + "different content. Not compared: \(images.phrase)."
    case .vanished(let image, let run, let images, let qualities):
      var text = "The run lacks \(points) of the baseline, the first for “\(image)”"
      if let run {
        text +=
          run.isEmpty
          ? "; the run has no codecs" : "; the run has \(run.spelling) but not \(finding.variant?.name ?? "")"
      } else {
        if images.count > 0 { text += "; missing images: \(images.phrase)" }
        if !qualities.isEmpty { text += "; missing qualities: \(qualities.spelling)" }
      }
      return text + "."
    case .unscored(let image):
      return
        "\(finding.metric?.title ?? "Memory") is missing or not finite at \(points) where the baseline has it, "
        + "the first for “\(image)”."
    case .unguarded(let headline):
      guard case .missing(let key) = finding.quantity else { return "" }
      return "A threshold is set for \(key), but \(GateThresholds.lack(key, headline: headline))."
    case .unfinished(let progress): return "The run is \(progress.phrase ?? "")."
    case .shards(let shards, let images):
      return
        "The run covers only part of the corpus: \(shards.phrase). \(Numerals.counted(images.count, "image")) of the "
        + "baseline may be in the rest: \(images.phrase)."
    case .noise: return ""
    }
  }
}

extension TimeObstacle {
  var phrase: String {
    switch self {
    case .unknownMachine: "one side's machine is unknown"
    case .differentMachines: "they come from different machines"
    case .jobs(let before, let after): "one side ran \(before) jobs at a time, the other \(after)"
    case .origins: "both sides must record the same machine and number of jobs"
    case .threads: "encoders used different numbers of threads"
    }
  }
}

extension MissingShards {
  /// The missing shards: `shard 2/2 is missing`.
  package var phrase: String {
    guard !numbers.isEmpty else { return "there are only shards \(present)" }
    let first = numbers.prefix(8).map(String.init).joined(separator: ",") + (numbers.count > 8 ? ",…" : "")
    return numbers.count == 1 ? "shard \(first)/\(count) is missing" : "shards \(first)/\(count) are missing"
  }
}

extension [CodecVariant] {
  var spelling: String { map(\.name).joined(separator: ", ") }
}

extension [Quality] {
  var spelling: String { map(\.description).joined(separator: ", ") }
}

extension GateThresholds {
  static func lack(_ key: String, headline: String = "") -> String {
    if equalScoreKeys.contains(key) {
      return "bytes at equal \(headline) need the score and "
        + "\(RateQualityCurve.minimumPoints) qualities on both sides"
    }
    if TimedOperation.allCases.contains(where: { GateQuantity.time($0).key == key }) {
      return
        "times need two results folders from one machine, with the same jobs and threads"
    }
    if key == GateQuantity.memory.key { return "only reads and tiles have it, and none were compared" }
    return keys.contains(key)
      ? "only a sweep has it, and none was compared" : "baseline and run have no such score in common"
  }
}
