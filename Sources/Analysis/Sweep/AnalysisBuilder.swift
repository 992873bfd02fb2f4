package import Model
package import Store

/// Turns a stream of rows into an analysis. Rows of one image must be contiguous, as in plan order; once an image is
/// complete, only its figures stay in memory.
package struct AnalysisBuilder: Sendable {
  var analysis: Analysis
  let headline: Int?
  private var variantIndex: [CodecVariant: Int] = [:]

  private var current: ImageAccumulator?
  private var owners = ContentOwners()

  var qualities: [[Quality: QualityAccumulator]] = []
  /// By variant; the reference's entry stays empty.
  var pairs: [PairAccumulator] = []
  var contrasts: [EqualQualityContrast] = []
  var fronts: [ParetoAccumulator]
  /// By target.
  var ratios: [PairedRatios]
  var bandRatios = PairedRatios()
  /// By metric; the headline metric's covers all images, the others cover the detailed ones.
  var meanCurves: [MeanCurves]
  var imported: Set<Int> = []
  /// By imported variant, then by the variant compared with.
  var imports: [Int: [Int: ImportAccumulator]] = [:]
  var search: TargetAccumulator?
  var lossyFiles = 0
  /// By variant, then by target.
  var files: [[FileComparison]] = []
  var recompressions: [Int: FileComparison] = [:]
  /// By target.
  var needed: [NeededQualities]
  let keepsFigures: Bool
  var figures = ImageFigures()

  /// True if the latest row belongs to a copy of an earlier image, which no figure includes.
  package var isInCopy: Bool { current?.isCopy == true }

  var options: AnalysisOptions { analysis.options }
  var metrics: [MetricTraits] { analysis.metrics }
  var variants: [CodecVariant] { analysis.variants }
  var usable: Int { analysis.usableImages }

  /// - Parameters:
  /// - variants: In the order of the run; the first is the reference. Variants that appear only in rows follow in order
  ///   of appearance.
  ///   - imported: The variants whose files are imported; those of rows are recognised as they come.
  ///   - metrics: Scores of other metrics are ignored.
  ///   - keepsFigures: Keeps every image's figures until `takeFigures` is called.
  package init(
    variants: [CodecVariant] = [], imported: [CodecVariant] = [], metrics: [MetricTraits],
    options: AnalysisOptions = .standard, defaults: [String: String] = [:], sourcesAreShrunk: Bool = false,
    keepsFigures: Bool = false
  ) {
    self.keepsFigures = keepsFigures
    analysis = Analysis(options: options, variants: [], metrics: metrics)
    (analysis.defaults, analysis.sourcesAreShrunk) = (defaults, sourcesAreShrunk)
    needed = options.targets.map { _ in NeededQualities() }
    fronts = options.targets.map(ParetoAccumulator.init)
    ratios = options.targets.map { _ in PairedRatios() }
    meanCurves = metrics.map(MeanCurves.init)
    headline = metrics.firstIndex { $0.id == options.headlineMetric }
    let traits = headline.map { metrics[$0] }
    search = options.target.map { TargetAccumulator($0, metrics: metrics, headline: traits) }
    for variant in variants { _ = index(of: variant) }
    // Images without imported files come before the first one with some, or there may be none at all.
    self.imported = Set(imported.compactMap { variantIndex[$0] })
  }

  package mutating func add(_ row: ResultRow) throws(AnalysisError) {
    if current?.owns(row) != true {
      finishImage()
      let isCopy = try owners.beginsCopy(row)
      current = ImageAccumulator(row, isCopy: isCopy)
      if isCopy { analysis.counts.copies += 1 } else { analysis.counts.images += 1 }
    }
    guard current?.isCopy != true else { return }
    current?.describe(row)
    analysis.counts.add(row)
    guard let variant = row.variant else { return }
    let position = index(of: variant)
    if row.importedFile != nil { imported.insert(position) }
    // Refined points of a quality cover few and varying images and would not be comparable in a table.
    if let quality = row.quality, row.origin != .refined {
      qualities[position][quality, default: QualityAccumulator(variant: variant, quality: quality)].add(row)
    }
    analysis.sanity.check(row)
    analysis.times.add(row)
    search?.add(row, variant: position)
    let sample = PointSample(row, metrics: metrics)
    if let earlier = current?.add(sample, variant: position), let sample {
      analysis.sanity.note(
        .duplicatePoint, row.image, variant, [sample.quality].compactMap(\.self),
        .bytes(sample.bytes, after: earlier))
    }
  }

  private mutating func index(of variant: CodecVariant) -> Int {
    if let known = variantIndex[variant] { return known }
    variantIndex[variant] = variants.count
    analysis.variants.append(variant)
    search?.append(variant)
    qualities.append([:])
    pairs.append(PairAccumulator(variant, against: variants[0], metrics: metrics, options: options))
    files.append(options.targets.map { FileComparison(variant: variant, target: $0) })
    contrasts.append(EqualQualityContrast(variant: variant, reference: variants[0]))
    return variants.count - 1
  }

  private mutating func finishImage() {
    guard let image = current else { return }
    current = nil
    if !image.isCopy { add(image) }
  }

  /// Returns and drops the figures of the complete images; includes the last image if `rowsEnded`.
  package mutating func takeFigures(rowsEnded: Bool = false) -> ImageFigures {
    if rowsEnded { finishImage() }
    defer { figures = ImageFigures() }
    return figures
  }

  /// Returns the analysis of all rows so far. Every quoted answer of an unfinished run says that it is unfinished.
  package consuming func finish(progress: RunProgress? = nil) -> Analysis {
    finishImage()
    analysis.progress = progress
    analysis.fileComparisons = files.joined().filter { $0.images > 0 }.map { comparison in
      var comparison = comparison
      comparison.outOf = lossyFiles
      return comparison
    }
    analysis.fileRecompressions = variants.indices.compactMap { recompressions[$0] }
    if options.target == nil {
      analysis.settings = variants.flatMap { variant in
        zip(options.targets, needed).compactMap { target, needed in
          needed.setting(of: variant, target: target, outOf: usable)
        }
      }
    }
    // Qualities of earlier runs may cover only some images, and sums over different images would mislead.
    let least = progress?.isFinished == true ? usable : 0
    analysis.qualitySummaries = qualities.flatMap { column in
      column.sorted { $0.key < $1.key }.map(\.value.result).filter { $0.points >= least }
    }
    analysis.target = search?.findings(outOf: usable, options: options)
    analysis.importedVariants = Set(imported.map { variants[$0] })
    analysis.importComparisons = imports.sorted { $0.key < $1.key }.flatMap { _, accumulators in
      accumulators.sorted { $0.key < $1.key }.map { $0.value.comparison(options: options) }
    }
    for position in variants.indices.dropFirst() { compare(position) }
    if options.target == nil {
      analysis.comparisons = zip(options.targets, ratios).flatMap { target, ratios in
        ratios.comparisons(variants, excluding: imported, at: target...target, options: options)
      }
    }
    if options.takesBDRates {
      analysis.bdRateComparisons = bandRatios.comparisons(
        variants, excluding: imported, at: options.band, options: options)
    }
    addCurves()
    return analysis
  }

  private mutating func addCurves() {
    let target = analysis.verdicts.compactMap(\.target).first ?? options.verdictTarget
    analysis.drawnCurves = meanCurves.indices.flatMap {
      meanCurves[$0].curves(variants, imported: imported, target: $0 == headline ? target : nil)
    }
    guard let headline, variants.count > 1 else { return }
    analysis.paretoFronts = fronts.map { $0.front(variants, metric: metrics[headline].id) }
    if options.target == nil {
      analysis.meanCurves = analysis.drawnCurves.filter { $0.metric == metrics[headline].id }
    }
  }

  private mutating func compare(_ position: Int) {
    let (variant, reference) = (variants[position], variants[0])
    let isUnfinished = analysis.progress?.isFinished == false
    let all = max(usable, isUnfinished ? analysis.progress?.images ?? 0 : 0)
    var matched = pairs[position].matchedQualities(outOf: all)
    var rates = options.takesBDRates ? pairs[position].bdRates(outOf: all) : []
    if isUnfinished {
      for index in matched.indices { matched[index].endEarly(begun: usable, outOf: all) }
      for index in rates.indices { rates[index].percent?.begun = usable }
    }
    var verdict =
      if case .bytes = options.target?.goal {
        Verdict(
          variant, against: reference, gain: analysis.target?.gains.first { $0.variant == variant })
      } else {
        Verdict(variant, against: reference, matched: matched, bdRates: rates, options: options)
      }
    verdict.unmeasured = unmeasured(among: [0, position])
    if options.target == nil { verdict.agreement = pairs[position].agreement(outOf: all) }
    // One or two files per image do not make a curve; `importComparisons` reports what they show.
    if imported.contains(position), verdict.direction == .unknown { return }
    analysis.matchedQualities += matched
    analysis.bdRates += rates
    let contrast = contrasts[position]
    if contrast.shared.areEqual { (verdict.direction, verdict.same) = (.same, contrast.shared) }
    analysis.verdicts.append(verdict)
    guard options.target == nil, verdict.same == nil else { return }
    guard contrast.points > 0, contrast.referenceBytes > 0 else { return }
    analysis.contrasts.append(contrast)
  }

  private func unmeasured(among positions: [Int]) -> Verdict.Unmeasured? {
    // Imported files are measured, but have no qualities.
    for position in positions where !imported.contains(position) {
      let points = qualities[position].values.map(\.result)
      guard points.allSatisfy({ $0.images == 0 }) else { continue }
      let (failed, unsupported) = points.reduce((0, 0)) { ($0.0 + $1.failed, $0.1 + $1.unsupported) }
      return .init(variant: variants[position], failed: failed, unsupported: unsupported)
    }
    return nil
  }
}

extension ContentOwners {
  /// Enters the image of its first row. Returns true if an earlier image has the same content under another name.
  /// Throws if the same image appears twice.
  package mutating func beginsCopy(_ row: ResultRow) throws(AnalysisError) -> Bool {
    let entry = enter(row.image, contentHash: row.imageHash)
    guard entry != .known else { throw .scatteredImage(row.image) }
    return entry == .copy
  }
}
