import Metrics
package import Model
package import Store

/// Turns a stream of rows into an analysis. Rows of one image must be contiguous, as in plan order; once an image is
/// complete, only its figures stay in memory.
package struct AnalysisBuilder: Sendable {
  private let options: AnalysisOptions
  private let metrics: [MetricTraits]
  private let defaults: [String: String]
  private let headline: Int?
  private var variants: [CodecVariant]
  private var variantIndex: [CodecVariant: Int] = [:]
  private var counts = Analysis.Counts()

  private var current: ImageAccumulator?
  private var finished: Set<Int> = []
  private var usable = 0
  private var details: [ImageDetail] = []

  private var qualities: [[Quality: QualityAccumulator]] = []
  /// By variant; the reference's own stays empty.
  private var pairs: [PairAccumulator] = []
  private var contrasts: [EqualQualityContrast] = []
  private var fronts: [ParetoAccumulator]
  /// By metric; of the headline metric over all images, of the others over the detailed ones.
  private var meanCurves: [MeanCurves]
  private var imported: Set<Int> = []
  /// By imported variant, then by the variant compared with.
  private var imports: [Int: [Int: ImportAccumulator]] = [:]
  private var sanity: SanityCheck
  private var search: TargetAccumulator?
  private let sourcesAreShrunk: Bool
  private var lossyFiles = 0
  /// By variant, then by target.
  private var files: [[FileComparison]] = []
  private var recompressions: [Int: FileRecompression] = [:]
  private var settings: SettingAccumulator
  private let keepsFigures: Bool
  private var figures = ImageFigures()
  private var times = TimesSummary()

  /// Starts an analysis.
  ///
  /// - Parameters:
  ///   - variants: In the order of the run; the first is the reference. Variants found only in rows follow in order of
  ///     appearance.
  ///   - metrics: Scores of other metrics are ignored.
  ///   - defaults: Plain-text defaults by codec: `preset slow, 4:2:0`.
  ///   - sourcesAreShrunk: True if images were shrunk first, which rules out a comparison with their files.
  ///   - keepsFigures: Keeps every image's figures until `takeFigures` is called.
  package init(
    variants: [CodecVariant] = [], metrics: [MetricTraits], options: AnalysisOptions = .init(),
    defaults: [String: String] = [:], sourcesAreShrunk: Bool = false, keepsFigures: Bool = false
  ) {
    self.keepsFigures = keepsFigures
    settings = SettingAccumulator(targets: options.targets)
    self.sourcesAreShrunk = sourcesAreShrunk
    self.options = options
    self.defaults = defaults
    self.metrics = metrics
    self.variants = []
    headline = metrics.firstIndex { $0.id == options.headlineMetric }
    fronts = options.targets.map(ParetoAccumulator.init)
    meanCurves = metrics.map(MeanCurves.init)
    sanity = SanityCheck(limit: options.namedViolations)
    search = options.target.map { [metrics, headline] target in
      TargetAccumulator(target, metrics: metrics, headline: headline.map { metrics[$0] })
    }
    for variant in variants { _ = index(of: variant) }
  }

  package mutating func add(_ row: ResultRow) throws(AnalysisError) {
    if current?.owns(row) != true {
      finishImage()
      guard finished.insert(ImageAccumulator.digest(row)).inserted else { throw .scatteredImage(row.image) }
      current = ImageAccumulator(row)
      counts.images += 1
    }
    current?.describe(row)
    count(row)
    guard let variant = row.variant else { return }
    let position = index(of: variant)
    if row.importedFile != nil { imported.insert(position) }
    // Refined points of a quality cover few, varying images and would not be comparable in a table.
    if let quality = row.quality, row.origin != .refined {
      qualities[position][quality, default: QualityAccumulator(variant: variant, quality: quality)].add(row)
    }
    sanity.check(row)
    times.add(row)
    search?.add(row, variant: position)
    let sample = PointSample(row, metrics: metrics)
    if let earlier = current?.add(sample, variant: position), let sample {
      sanity.note(
        .duplicatePoint, row.image, variant, [sample.quality].compactMap(\.self),
        .bytes(sample.bytes, after: earlier))
    }
  }

  /// Returns and drops the figures of the complete images; includes the last image if `rowsEnded`.
  package mutating func takeFigures(rowsEnded: Bool = false) -> ImageFigures {
    if rowsEnded { finishImage() }
    guard !figures.isEmpty else { return figures }
    defer { figures = ImageFigures() }
    return figures
  }

  /// Returns the analysis of all rows so far. An unfinished run is named as such wherever it is quoted.
  package consuming func finish(progress: RunProgress? = nil) -> Analysis {
    finishImage()
    var analysis = Analysis(options: options, variants: variants, metrics: metrics)
    analysis.counts = counts
    analysis.progress = progress
    analysis.sanity = sanity.report
    analysis.times = times
    analysis.imageDetails = details
    analysis.sourcesAreShrunk = sourcesAreShrunk
    analysis.fileComparisons = files.joined().filter { $0.images > 0 }.map { comparison in
      var comparison = comparison
      comparison.outOf = lossyFiles
      return comparison
    }
    analysis.fileRecompressions = variants.indices.compactMap { recompressions[$0] }
    if options.target == nil { analysis.settings = settings.settings(variants) }
    // Qualities of earlier runs may cover only some images, and sums over different images mislead.
    let least = analysis.progress?.isFinished == true ? usable : 0
    analysis.qualitySummaries = qualities.flatMap { column in
      column.sorted { $0.key < $1.key }.map(\.value.result).filter { $0.points >= least }
    }
    analysis.target = search?.findings(variants, outOf: usable, options: options)
    analysis.defaults = defaults
    addImports(to: &analysis)
    for position in variants.indices.dropFirst() { compare(position, in: &analysis) }
    addCurves(to: &analysis)
    return analysis
  }

  private func addCurves(to analysis: inout Analysis) {
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

  private func compare(_ position: Int, in analysis: inout Analysis) {
    let (variant, reference) = (variants[position], variants[0])
    let all = max(usable, analysis.progress?.isFinished == false ? analysis.progress?.images ?? 0 : 0)
    var matched = pairs[position].matchedQualities(variant, reference, outOf: all)
    var rates =
      options.takesBDRates ? pairs[position].bdRates(variant, reference, outOf: all) : []
    if analysis.progress?.isFinished == false {
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
    if let target = verdict.target, let rate = verdict.bdRate?.percent,
      rate.images < verdict.bytes?.images ?? 0
    {
      verdict.bytesOfRated = pairs[position].changeOfRated(at: target)
    }
    if options.target == nil { verdict.agreement = pairs[position].agreement(outOf: all) }
    // One or two files per image make no curve; `importComparisons` reports what they do show.
    if imported.contains(position), verdict.direction == .unknown { return }
    analysis.matchedQualities += matched
    analysis.bdRates += rates
    analysis.verdicts.append(verdict)
    guard options.target == nil else { return }
    var contrast = contrasts[position]
    guard contrast.points > 0, contrast.referenceBytes > 0 else { return }
    (contrast.matchedChangePercent, contrast.matchedTarget) = (verdict.bytes?.mean, verdict.target)
    analysis.contrasts.append(contrast)
  }

  private func unmeasured(among positions: [Int]) -> Verdict.Unmeasured? {
    for position in positions {
      let points = qualities[position].values.map(\.result)
      guard points.allSatisfy({ $0.images == 0 }) else { continue }
      let (failed, unsupported) = points.reduce((0, 0)) { ($0.0 + $1.failed, $0.1 + $1.unsupported) }
      return .init(variant: variants[position], failed: failed, unsupported: unsupported)
    }
    return nil
  }

  private mutating func index(of variant: CodecVariant) -> Int {
    if let known = variantIndex[variant] { return known }
    variantIndex[variant] = variants.count
    variants.append(variant)
    qualities.append([:])
    pairs.append(PairAccumulator(metrics: metrics, options: options))
    contrasts.append(EqualQualityContrast(variant: variant, reference: variants[0]))
    return variants.count - 1
  }

  private mutating func count(_ row: ResultRow) {
    switch row.status {
    case .measured:
      counts.measured += 1
      if row.conditions == .contended { counts.contended += 1 }
    case .unsupported: counts.unsupported += 1
    case .failed where row.variant != nil: counts.failed += 1
    case .failed: break
    }
  }
}

// Work done when an image is complete.
extension AnalysisBuilder {
  private mutating func finishImage() {
    guard let image = current else { return }
    current = nil
    if image.sourceIsLossy { counts.lossyImages += 1 }
    if image.hasGainMap { counts.gainMapImages += 1 }
    guard image.isUsable else {
      search?.finishImage(nil, variants)
      counts.unusableImages += 1
      return
    }
    let named = NamedImage(name: image.name, isSmall: isSmall(image))
    if named.isSmall { counts.smallImages += 1 }
    counts.pixels = saturatingSum(counts.pixels, image.pixels ?? 0)
    usable += 1
    search?.finishImage(named, variants)
    let columns = variants.indices.map { index in
      VariantCurves(index < image.samples.count ? image.samples[index] : [], metrics: metrics)
    }
    check(image, columns)
    compareFile(image, columns)
    if let headline { settings.add(columns, variants, headline: headline, metrics) }
    compareImports(named, columns)
    let figures = comparePairs(named, pixels: image.pixels, columns)
    if keepsFigures { keep(figures, of: named) }
    addCurves(image, columns)
    if details.count < options.detailedImages {
      var detail = detail(image, columns, figures)
      detail.isSmall = named.isSmall
      details.append(detail)
    }
  }

  private func isSmall(_ image: ImageAccumulator) -> Bool {
    guard let side = headline.flatMap({ metrics[$0].dependableSide }) else { return false }
    return image.shorterSide ?? side < side
  }

  private mutating func check(_ image: ImageAccumulator, _ columns: [VariantCurves]) {
    for (index, column) in columns.enumerated() where !imported.contains(index) {
      sanity.check(column.samples.filter { !$0.isRefined }, image: image.name, variant: variants[index]) {
        sample in
        headline.flatMap { position in
          sample.scores[position].flatMap(metrics[position].curvePosition(of:))
        }
      }
    }
  }

  private mutating func compareFile(_ image: ImageAccumulator, _ columns: [VariantCurves]) {
    guard !sourcesAreShrunk, image.sourceIsLossy, let fileBytes = image.sourceBytes, fileBytes > 0 else {
      return
    }
    for (index, column) in columns.enumerated() where variants[index].settings["recompress"] == "true" {
      guard let sample = column.samples.first else { continue }
      recompressions[index, default: FileRecompression(variant: variants[index])].add(
        fileBytes: fileBytes, bytes: sample.bytes)
    }
    guard let headline else { return }
    lossyFiles += 1
    files += variants.dropFirst(files.count).map { variant in
      options.targets.map { FileComparison(variant: variant, target: $0) }
    }
    for (target, score) in options.targets.map(metrics[headline].curvePosition(of:)).enumerated() {
      for (variant, column) in columns.enumerated() {
        let curve = try? column.curves[headline].get()
        if let bytes = score.flatMap({ curve?.bytes(at: $0) }) {
          files[variant][target].add(fileBytes: fileBytes, bytes: bytes)
        }
      }
    }
  }

  private mutating func compareImports(_ image: NamedImage, _ columns: [VariantCurves]) {
    guard let headline else { return }
    for series in imported where series < columns.count {
      let files = columns[series].samples.map { sample in
        ImportAccumulator.File(
          bytes: Double(sample.bytes), metadata: sample.metadata,
          score: sample.scores[headline].flatMap(metrics[headline].curvePosition(of:)))
      }
      for variant in columns.indices where !imported.contains(variant) {
        // A codec's files of an image carry the same metadata at all qualities.
        let own = columns[variant].samples.first
        let curve = own.map { _ in columns[variant].curves[headline] }
        imports[series, default: [:]][variant, default: ImportAccumulator()].add(
          image: image, files, curve, metadata: own?.metadata ?? 0)
      }
    }
  }

  private func addImports(to analysis: inout Analysis) {
    analysis.importedVariants = Set(imported.map { variants[$0] })
    for series in imports.keys.sorted() {
      for (variant, accumulator) in (imports[series] ?? [:]).sorted(by: { $0.key < $1.key }) {
        analysis.importComparisons.append(
          accumulator.comparison(variants[series], variants[variant], options: options))
      }
    }
  }

  private mutating func comparePairs(
    _ image: NamedImage, pixels: Int?, _ columns: [VariantCurves]
  ) -> [PairAccumulator.Figures?] {
    guard let reference = columns.first else { return [] }
    var references: [Quality: PointSample] = [:]
    for sample in reference.samples where !sample.isRefined {
      if let quality = sample.quality { references[quality] = sample }
    }
    var figures: [PairAccumulator.Figures?] = []
    for (index, column) in columns.enumerated() {
      compareNumbers(column.samples, of: index, with: references)
      figures.append(
        index > 0
          ? pairs[index].add(image: image, pixels: pixels, [.init(candidate: column, reference: reference)])
          : nil)
    }
    return figures
  }

  private mutating func compareNumbers(
    _ samples: [PointSample], of index: Int, with references: [Quality: PointSample]
  ) {
    for sample in samples where !sample.isRefined {
      guard let quality = sample.quality, let other = references[quality] else { continue }
      qualities[index][quality]?.compare(bytes: sample.bytes, referenceBytes: other.bytes)
      if index > 0 { contrasts[index].add(sample, other, headline: headline) }
    }
  }

  private mutating func keep(_ pairs: [PairAccumulator.Figures?], of image: NamedImage) {
    for (variant, pair) in zip(variants, pairs) {
      guard let pair else { continue }
      for (target, sizes) in zip(options.targets, pair.sizes) {
        figures.savings.append(
          ImageSaving(
            image: image.name, isSmall: image.isSmall, variant: variant, reference: variants[0],
            target: target,
            sizes: try? sizes.get(), problem: sizes.failure))
      }
      guard options.takesBDRates else { continue }
      let band = BDRateSummary.Range.band(options.band.lowerBound, options.band.upperBound)
      for (metric, rates) in zip(metrics, pair.rates) {
        for (range, rate) in [(band, rates.band), (.overlap, rates.overlap)] {
          figures.rates.append(
            ImageBDRate(
              image: image.name, isSmall: image.isSmall, variant: variant, reference: variants[0],
              metric: metric, range: range, figure: try? rate.get(), problem: rate.failure))
        }
      }
    }
  }

  private mutating func addCurves(_ image: ImageAccumulator, _ columns: [VariantCurves]) {
    guard let pixels = image.pixels else { return }
    for metric in metrics.indices where metric == headline || details.count < options.detailedImages {
      meanCurves[metric].add(
        columns.map { try? $0.curves[metric].get() }, imported: imported, pixels: pixels)
    }
    guard let headline else { return }
    let curves = columns.map { try? $0.curves[headline].get() }
    for (index, target) in options.targets.enumerated() {
      let score = metrics[headline].curvePosition(of: target) ?? target
      fronts[index].add(curves, peaksMiB: columns.map(\.peakMiB), pixels: pixels, at: score)
    }
  }

  private func detail(
    _ image: ImageAccumulator, _ columns: [VariantCurves], _ figures: [PairAccumulator.Figures?]
  ) -> ImageDetail {
    let shown = columns.indices.filter(image.present.contains)
    return ImageDetail(
      image: image.name, width: image.width, height: image.height, sourceIsLossy: image.sourceIsLossy,
      variants: shown.map { index in
        let curve = headline.map { columns[index].curves[$0] }
        var problem: CurveProblem?
        if case .failure(let reason) = curve { problem = reason }
        return ImageDetail.Variant(
          variant: variants[index],
          points: columns[index].samples.map { sample in
            ImageDetail.Point(
              quality: sample.quality, file: sample.place.file, bytes: sample.bytes,
              score: headline.flatMap { sample.scores[$0] })
          }, problem: problem, dominatedPoints: (try? curve?.get())?.dominatedPoints ?? 0,
          changeAtTargets: figures[index]?.changeAtTargets ?? options.targets.map { _ in nil },
          bdRateBand: figures[index]?.bdRateBand, bdRateOverlap: figures[index]?.bdRateOverlap)
      })
  }
}

extension Result {
  fileprivate var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}
