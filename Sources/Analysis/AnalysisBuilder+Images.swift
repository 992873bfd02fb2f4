import Metrics
import Model

// Work done when an image is complete.
extension AnalysisBuilder {
  mutating func add(_ image: ImageAccumulator) {
    let variants = variants
    if image.sourceIsLossy { analysis.counts.lossyImages += 1 }
    if image.hasGainMap { analysis.counts.gainMapImages += 1 }
    guard image.isUsable else {
      search?.finishImage(nil, variants)
      analysis.counts.unusableImages += 1
      return
    }
    let named = NamedImage(name: image.name, isSmall: isSmall(image))
    if named.isSmall { analysis.counts.smallImages += 1 }
    analysis.counts.pixels = saturatingSum(analysis.counts.pixels, image.pixels ?? 0)
    search?.finishImage(named, variants)
    let columns = variants.indices.map { index in
      VariantCurves(index < image.samples.count ? image.samples[index] : [], metrics: metrics)
    }
    check(image, columns)
    compareFile(image, columns)
    if let headline { addNeeded(columns, headline) }
    compareImports(named, columns)
    let figures = comparePairs(named, pixels: image.pixels, columns)
    if keepsFigures { keep(figures, of: named) }
    addCurves(image, columns)
    if analysis.imageDetails.count < options.detailedImages {
      analysis.imageDetails.append(detail(image, columns, figures, isSmall: named.isSmall))
    }
  }

  private func isSmall(_ image: ImageAccumulator) -> Bool {
    guard let side = headline.flatMap({ metrics[$0].dependableSide }) else { return false }
    return image.shorterSide ?? side < side
  }

  private mutating func check(_ image: ImageAccumulator, _ columns: [VariantCurves]) {
    let (metrics, headline) = (metrics, headline)
    for (index, column) in columns.enumerated() where !imported.contains(index) {
      analysis.sanity.check(
        column.samples.filter { !$0.isRefined }, image: image.name, variant: variants[index]
      ) { sample in
        headline.flatMap { position in
          sample.scores[position].flatMap(metrics[position].curvePosition(of:))
        }
      }
    }
  }

  private mutating func compareFile(_ image: ImageAccumulator, _ columns: [VariantCurves]) {
    let variants = variants
    guard !analysis.sourcesAreShrunk, image.sourceIsLossy, let fileBytes = image.sourceBytes, fileBytes > 0
    else { return }
    for (index, column) in columns.enumerated() where variants[index].settings["recompress"] == "true" {
      guard let sample = column.samples.first else { continue }
      recompressions[index, default: FileComparison(variant: variants[index], target: .infinity)].add(
        fileBytes: fileBytes, bytes: Double(sample.bytes))
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

  private mutating func addNeeded(_ columns: [VariantCurves], _ headline: Int) {
    for (variant, column) in zip(variants, columns) {
      // Imported files have unknown qualities.
      let samples = column.samples.filter { $0.quality != nil }
      for (index, target) in options.targets.enumerated() {
        needed[index].add(variant, samples, try? column.curves[headline].get(), target, headline, metrics)
      }
    }
  }

  private mutating func compareImports(_ image: NamedImage, _ columns: [VariantCurves]) {
    guard let headline else { return }
    for series in imported where series < columns.count {
      let files = columns[series].samples.map { sample in
        (sample, sample.scores[headline].flatMap(metrics[headline].curvePosition(of:)))
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

  private mutating func comparePairs(
    _ image: NamedImage, pixels: Int?, _ columns: [VariantCurves]
  ) -> [PairAccumulator.Figures?] {
    guard let reference = columns.first else { return [] }
    var references: [Quality: PointSample] = [:]
    for sample in reference.samples where !sample.isRefined {
      if let quality = sample.quality { references[quality] = sample }
    }
    return columns.enumerated().map { index, column in
      for sample in column.samples where !sample.isRefined {
        guard let quality = sample.quality, let other = references[quality] else { continue }
        qualities[index][quality]?.compare(bytes: sample.bytes, referenceBytes: other.bytes)
        if index > 0 { contrasts[index].add(sample, other, headline: headline) }
      }
      guard index > 0 else { return nil }
      return pairs[index].add(image: image, pixels: pixels, [.init(candidate: column, reference: reference)])
    }
  }

  private mutating func keep(_ pairs: [PairAccumulator.Figures?], of image: NamedImage) {
    for (variant, pair) in zip(variants, pairs) {
      guard let pair else { continue }
      for (target, sizes) in zip(options.targets, pair.sizes) {
        figures.savings.append(
          ImageSaving(image: image, variant: variant, reference: variants[0], target: target, result: sizes))
      }
      guard options.takesBDRates else { continue }
      let band = BDRateSummary.Range.band(options.band.lowerBound, options.band.upperBound)
      for (metric, rates) in zip(metrics, pair.rates) {
        for (range, rate) in [(band, rates.band), (.overlap, rates.overlap)] {
          figures.rates.append(
            ImageBDRate(
              image: image, variant: variant, reference: variants[0], metric: metric, range: range,
              result: rate))
        }
      }
    }
  }

  private mutating func addCurves(_ image: ImageAccumulator, _ columns: [VariantCurves]) {
    guard let pixels = image.pixels else { return }
    let isDetailed = analysis.imageDetails.count < options.detailedImages
    for metric in metrics.indices where metric == headline || isDetailed {
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
    _ image: ImageAccumulator, _ columns: [VariantCurves], _ figures: [PairAccumulator.Figures?],
    isSmall: Bool
  ) -> ImageDetail {
    ImageDetail(
      image: image.name, width: image.width, height: image.height, isSmall: isSmall,
      variants: columns.indices.filter(image.present.contains).map { index in
        ImageDetail.Variant(
          variant: variants[index],
          points: columns[index].samples.map { sample in
            ImageDetail.Point(
              quality: sample.quality, file: sample.place.file, bytes: sample.bytes,
              score: headline.flatMap { sample.scores[$0] })
          },
          changeAtTargets: figures[index]?.sizes.map { try? $0.get().changePercent }
            ?? options.targets.map { _ in nil })
      })
  }
}
