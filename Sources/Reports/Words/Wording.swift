package import Analysis
import Metrics
package import Model
package import Store

/// The wording of an analysis: its figures as sentences, for the terminal, Markdown, JSON and the page alike.
package struct Wording {
  let analysis: Analysis

  package init(_ analysis: Analysis) { self.analysis = analysis }

  var scoreTitle: String {
    let id = analysis.options.headlineMetric
    return analysis.headline?.title ?? (MetricTraits.standard + MetricTraits.hdr).first { $0.id == id }?.title
      ?? id
  }

  var noScores: String {
    "there are no \(scoreTitle) scores"
      + (analysis.metrics.isEmpty
        ? "" : "; choose another metric with --headline \(analysis.metrics[0].id)")
  }

  /// The meaning of the headline metric's numbers; nil for a metric without a scale in words. HDR metrics have none,
  /// because no published study rates their scores.
  var scale: String? {
    if analysis.metrics.contains(where: \.isHDR) {
      return
        "HDR scores compare light on a display. Do not compare them with SDR scores. Images on this page are "
        + "tone-mapped for SDR screens; the tone mapping is not measured."
    }
    guard let headline = analysis.headline, headline.id == MetricTraits.headline.id else { return nil }
    return Self.scale
  }

  static let scale =
    "\(MetricTraits.headline.title) scores how close an image looks to the original; 100 is identical. Score guide "
    + "(viewed at 100 %): \(MetricTraits.words())."

  /// The largest difference in SSIMULACRA2 points at which two means count as about equal.
  private static let closeMeans = 3.0

  /// The reason that equal quality numbers do not mean equal quality, with the results of both comparisons.
  func explanation(_ contrast: EqualQualityContrast) -> String {
    let (name, other) = (contrast.variant.title, contrast.reference.title)
    var text =
      "At equal quality numbers, \(name) needs \(Self.change(contrast.changePercent)) than \(other) in total "
      + "(\(Numerals.counted(contrast.points, "encode")))"
    if let headline = analysis.headline, let score = contrast.score, let otherScore = contrast.referenceScore
    {
      let means =
        "\(Numerals.plain(score, headline.decimals)) with \(name) and "
        + "\(Numerals.plain(otherScore, headline.decimals)) with \(other)"
      text +=
        headline.id == MetricTraits.headline.id && abs(score - otherScore) < Self.closeMeans
        ? ". The mean \(headline.title) is about the same: \(means)."
        : ", but the numbers mean different things: the mean \(headline.title) is \(means)."
    } else {
      text += ", but each codec has its own quality scale."
    }
    return text
  }

  /// Bytes against the lossy source files, at the highest three scores that at least half of them reach with a variant.
  package var files: String? {
    // While images are missing, the codecs' totals would cover different files.
    guard analysis.progress?.isFinished != false else { return nil }
    if analysis.sourcesAreShrunk, analysis.counts.lossyImages > 0 {
      return
        "No comparison with your original files, because --downscale changed the images."
    }
    let sentences = ([convertedFiles] + analysis.fileRecompressions.map(Self.packed)).compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  private var convertedFiles: String? {
    guard let headline = analysis.headline else { return nil }
    let parts = analysis.variants.compactMap { variant -> String? in
      let own = analysis.fileComparisons.filter { $0.variant == variant && $0.images * 2 >= $0.outOf }
      let sizes = own.suffix(3).enumerated().compactMap { index, comparison -> String? in
        guard let change = comparison.changePercent else { return nil }
        let few = comparison.images < comparison.outOf ? " (\(comparison.images) of them)" : ""
        let place = index == 0 ? headline.phrase(comparison.target) : Numerals.brief(comparison.target)
        return "\(Self.side(change))\(index == 0 ? " bytes in total" : "") at \(place)\(few)"
      }
      return sizes.isEmpty ? nil : "\(variant.title) needs \(sizes.joined(separator: ", "))"
    }
    guard let first = analysis.fileComparisons.first, !parts.isEmpty else { return nil }
    return
      "Compared with your \(Numerals.counted(first.outOf, "lossy file")), including metadata, which the encoded "
      + "files lack: \(parts.joined(separator: "; "))."
  }

  /// `JPEG XL (recompress=true) packs 12 files losslessly into exactly 15.9 % fewer bytes.`
  private static func packed(_ files: FileComparison) -> String? {
    files.changePercent.map { change in
      "\(files.variant.title) packs \(files.images == 1 ? "the file" : "\(files.images) files") losslessly into "
        + "exactly \(side(change)) bytes."
    }
  }

  /// The side to widen so that a target lies within the measured range, if that is the problem and is possible.
  static func advice(_ matched: MatchedQuality, of metric: MetricTraits?) -> String? {
    let (better, worse) = metric?.higherIsBetter == false ? ("below", "above") : ("above", "below")
    func part(_ name: String, _ verb: String, _ images: Int, _ forGood: Int, _ way: String) -> String? {
      guard images > 0 else { return nil }
      let found = "\(name) \(verb) this score in \(Numerals.counted(images, "image"))"
      if forGood == images { return "\(found) and has no \(way)er quality" }
      let few = forGood > 0 ? " (\(Numerals.grouped(forGood)) of them at its \(way)est quality)" : ""
      return "\(found)\(few): measure \(name) at \(way)er qualities"
    }
    func advice(_ side: TargetReach.Side, _ name: String) -> [String] {
      [
        part(name, "starts \(better)", side.above, side.aboveForGood, "low"),
        part(name, "ends \(worse)", side.below, side.belowForGood, "high"),
      ].compactMap(\.self)
    }
    let (variant, reference) = (matched.variant.title, matched.reference.title)
    let parts = advice(matched.reach.variant, variant) + advice(matched.reach.reference, reference)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// `−33.0 % (95 % interval −37.2 to −29.1 %)`. In a list, only the first `isNamed`.
  static func rate(_ mean: Double, _ interval: ConfidenceInterval, isNamed: Bool = true) -> String {
    let ends = "\(isNamed ? "95 % interval " : "")\(interval.ends(decimals: 1)) %"
    return "\(Numerals.plain(mean, 1)) % (\(ends))"
  }

  /// A percentage without its sign: whole from 10 up, one decimal below. `like`, if given, decides instead of the
  /// value.
  package static func percent(_ value: Double, like reference: Double? = nil) -> String {
    Numerals.plain(abs(value), abs(reference ?? value) >= 9.95 ? 0 : 1)
  }

  /// `5.0 % fewer`, `3.1 % more`.
  static func side(_ value: Double) -> String { "\(percent(value)) % \(value < 0 ? "fewer" : "more")" }

  /// `27 % fewer bytes` or `40 % more bytes`.
  package static func change(_ value: Double) -> String { "\(side(value)) bytes" }

  /// `27 % fewer bytes`, or `as many bytes`.
  static func amount(_ value: Double) -> String {
    Numerals.plain(value, 1) == "0.0" ? "as many bytes" : change(value)
  }

  /// `27 % fewer bytes than`, or `as many bytes as`.
  static func than(_ value: Double) -> String {
    Numerals.plain(value, 1) == "0.0" ? "as many bytes as" : "\(change(value)) than"
  }

  /// `3 images are exact copies of others; each image counts once.` Nil without copies.
  package static func copies(_ count: Int, _ noun: String) -> String? {
    guard count > 0 else { return nil }
    return Numerals.counted(count, noun)
      + (count == 1
        ? " is an exact copy of another and counts once."
        : " are exact copies of others; each image counts once.")
  }

  /// Bytes in a sentence: `30 kB`, `1,500 bytes`.
  static func size(_ bytes: Int) -> String {
    for (unit, name) in [(1_000_000, "MB"), (1000, "kB")] where bytes >= unit && bytes % unit == 0 {
      return "\(bytes / unit) \(name)"
    }
    return Numerals.counted(bytes, "byte")
  }

  static func images(_ figure: CorpusFigure) -> String {
    figure.images == figure.outOf
      ? Numerals.counted(figure.images, "image")
      : "\(figure.images) of \(Numerals.counted(figure.outOf, "image"))"
  }
}

extension CodecVariant {
  /// The variant in a sentence: `HEIC`, or `HEIC (chroma=444)`.
  package var title: String {
    settings.isEmpty ? shownCodec : "\(shownCodec) (\(canonicalSettings))"
  }

  private var shownCodec: String {
    let name = CodecName.title(of: codec)
    return build.map { "\(name)@\($0)" } ?? name
  }

  /// The title with the codec's defaults: `HEIC (defaults: preset slow, 4:2:0)`; without them for a build, whose
  /// defaults may differ.
  func title(defaults: [String: String]) -> String {
    guard settings.isEmpty, build == nil, let text = defaults[codec] else { return title }
    return "\(shownCodec) (defaults: \(text))"
  }

  /// The title in a headline, with the defaults of the codec that others are compared with: `JPEG (baseline
  /// libjpeg-turbo, 4:2:0)`.
  func title(comparedWith other: CodecVariant, _ defaults: [String: String]) -> String {
    guard codecAndBuild != other.codecAndBuild, settings.isEmpty, build == nil, let text = defaults[codec]
    else {
      return title(beside: other)
    }
    return "\(shownCodec) (\(text))"
  }

  /// The title beside another variant, possibly of the same codec: `HEIC (defaults)`.
  package func title(beside other: CodecVariant) -> String {
    settings.isEmpty && codecAndBuild == other.codecAndBuild ? "\(shownCodec) (defaults)" : title
  }
}

extension ProblemCount {
  var phrase: String { "\(Numerals.counted(images, "image")) with \(problem.explanation)" }
}

extension MetricTraits {
  /// A score of this metric in a sentence: `SSIMULACRA2 70`, `PSNR-Y 40 dB`.
  func phrase(_ score: Double) -> String {
    "\(title) \(Numerals.brief(score))\(unit.isEmpty ? "" : " \(unit)")"
  }
}

extension RunProgress {
  package var phrase: String? {
    guard !isFinished else { return nil }
    guard let planned else { return "not finished: \(Numerals.counted(done, "encode")) so far" }
    guard done < planned else {
      return "not finished, although all \(Numerals.counted(planned, "planned encode")) are done"
    }
    return "not finished: \(Numerals.grouped(done)) of \(Numerals.counted(planned, "planned encode"))"
  }
}

extension StoreNotice {
  package var sentence: String {
    switch self {
    case .gone(let image):
      return "“\(image)” was in an earlier run but is not in this one. Reports leave it out."
    case .changed(let image):
      return "“\(image)” has changed since an earlier run. heicbench measures it again."
    case .replaced(let folder, let run, let points):
      let question = run.target.map { ", searched for \($0)" } ?? ""
      let names = Numerals.listed(run.variants.map(\.variant.name))
      return "“\(folder)” has results for \(run.roots.joined(separator: " ")) (\(names)\(question); "
        + "\(Numerals.counted(points, "encode"))). heicbench keeps them and replaces the reports."
    }
  }
}

extension ConfidenceInterval.Method {
  var title: String {
    switch self {
    case .studentT: "Student’s t on the logarithms of the ratios"
    case .bootstrap: "percentile bootstrap over the images"
    case .normal: "normal approximation"
    }
  }
}

extension SanityReport.Kind {
  var title: String {
    switch self {
    case .qualityHasNoEffect: "quality has no effect"
    case .sizeFalls: "size falls as quality rises"
    case .scoreFalls: "score gets worse as quality rises"
    case .repeatsDiffer: "repeats give different bytes"
    case .duplicatePoint: "one encode with two sizes"
    case .scoreStandsStill: "a metric’s program gives every quality the same score"
    }
  }
}

extension SanityReport.Evidence {
  /// The observation in words, such as `12034 bytes after 12400`.
  var phrase: String {
    switch self {
    case .sameBytes(let bytes, let qualities): "\(qualities) qualities gave \(bytes) bytes each"
    case .bytes(let bytes, let earlier): "\(bytes) bytes after \(earlier)"
    case .score(let score, let earlier, let decimals):
      "score \(Numerals.plain(score, decimals)) after \(Numerals.plain(earlier, decimals))"
    case .sameScore(let score, let metric, let qualities, let identical):
      "\(metric) is \(Numerals.plain(score, 4)) at all \(qualities) qualities"
        + (identical.map { ", and \(Numerals.plain($0, 4)) for identical images" } ?? "")
    case .repeats(let count): "\(count.map { "\($0) repeats" } ?? "repeats") gave different bytes"
    }
  }
}
