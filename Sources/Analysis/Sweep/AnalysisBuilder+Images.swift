import Metrics
import Model
import Pixels

extension AnalysisBuilder {
  mutating func add(_ image: ImageAccumulator) {
    let variants = variants
    if image.sourceIsLossy { analysis.counts.lossyImages += 1 }
    if image.hasGainMap { analysis.counts.gainMapImages += 1 }
    analysis.remarks.add(image.remarks.subtracting([ImageRecord.gainMapStep]), on: image.name)
    guard image.isUsable else {
      search?.finishImage(nil)
      analysis.counts.unusableImages.add(image.name)
      return
    }
    let named = NamedImage(name: image.name, isSmall: isSmall(image))
    if named.isSmall { analysis.counts.smallImages += 1 }
    analysis.counts.pixels +|= (image.pixels ?? 0)
    search?.finishImage(named)
    let columns = variants.indices.map { index in
      VariantCurves(index < image.samples.count ? image.samples[index] : [], metrics: metrics)
    }
    check(image, columns)
    compareFile(image, columns)
    if let headline { addNeeded(columns, headline) }
    compareImports(named, columns, present: image.present)
    let figures = comparePairs(named, pixels: image.pixels, columns)
    if keepsFigures {
      self.figures.savings += figures.flatMap { $0?.savings ?? [] }
      if options.takesBDRates { self.figures.rates += figures.flatMap { $0?.rates ?? [] } }
    }
    addCurves(image, columns)
    addRatios(columns)
    if analysis.imageDetails.count < options.detailedImages {
      analysis.imageDetails.append(detail(image, columns, figures, isSmall: named.isSmall))
    }
  }

  private func isSmall(_ image: ImageAccumulator) -> Bool {
    guard let side = headline.flatMap({ metrics[$0].dependableSide }) else { return false }
    return image.shorterSide ?? side < side
  }

  private mutating func check(_ image: ImageAccumulator, _ columns: [VariantCurves]) {
    let metrics = metrics
    let headline = headline.map { (index: $0, metric: metrics[$0]) }
    for (index, column) in columns.enumerated() where !imported.contains(index) {
      let samples = column.samples.filter { !$0.isRefined }
      analysis.sanity.checkPrograms(samples, image: image.name, variant: variants[index], metrics: metrics)
      analysis.sanity.check(samples, image: image.name, variant: variants[index], headline: headline)
    }
  }

  private mutating func compareFile(_ image: ImageAccumulator, _ columns: [VariantCurves]) {
    let variants = variants
    guard !analysis.sourcesAreShrunk, image.sourceIsLossy, let fileBytes = image.sourceBytes, fileBytes > 0
    else { return }
    for (index, column) in columns.enumerated() where variants[index].recompresses {
      guard let sample = column.samples.first else { continue }
      recompressions[index, default: FileComparison(variant: variants[index], target: .infinity)].add(
        fileBytes: fileBytes, bytes: Double(sample.bytes))
    }
    guard let headline else { return }
    lossyFiles += 1
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

  private mutating func compareImports(
    _ image: NamedImage, _ columns: [VariantCurves], present: Set<Int>
  ) {
    guard let headline else { return }
    let variants = variants
    for series in imported where present.contains(series) {
      let files = columns[series].samples.map { sample in
        (sample, sample.scores[headline].flatMap(metrics[headline].curvePosition(of:)))
      }
      for variant in columns.indices where !imported.contains(variant) {
        // A codec's files of an image contain the same metadata at all qualities.
        let own = columns[variant].samples.first
        let curve = own.map { _ in columns[variant].curves[headline] }
        let fresh = ImportAccumulator(series: variants[series], variant: variants[variant])
        imports[series, default: [:]][variant, default: fresh].add(
          image: image, files, curve, metadata: own?.metadata ?? 0)
      }
    }
  }

  private mutating func comparePairs(
    _ image: NamedImage, pixels: Int?, _ columns: [VariantCurves]
  ) -> [ImageFigures?] {
    guard let reference = columns.first else { return [] }
    var references: [Quality: PointSample] = [:]
    for sample in reference.samples {
      if let quality = sample.quality { references[quality] = sample }
    }
    let cap = headline.flatMap { metrics[$0].cap } ?? .infinity
    return columns.enumerated().map { index, column in
      let sharedBefore = contrasts[index].shared.count
      for sample in column.samples {
        guard let quality = sample.quality, let other = references[quality] else { continue }
        if index > 0 { contrasts[index].add(sample, other, headline: headline, cap: cap) }
        guard !sample.isRefined, !other.isRefined else { continue }
        qualities[index][quality]?.compare(bytes: sample.bytes, referenceBytes: other.bytes)
      }
      if contrasts[index].shared.count > sharedBefore { contrasts[index].shared.images += 1 }
      guard index > 0 else { return nil }
      return pairs[index].add(image: image, pixels: pixels, [(column, reference)])
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

  private mutating func addRatios(_ columns: [VariantCurves]) {
    guard let headline, columns.count > 1 else { return }
    let curves = columns.map { try? $0.curves[headline].get() }
    for (index, target) in options.targets.enumerated() {
      guard let score = metrics[headline].curvePosition(of: target) else { continue }
      let bytes = curves.map { $0?.bytes(at: score) }
      ratios[index].add(curves.count) { own, other in
        guard let own = bytes[own], let other = bytes[other] else { return nil }
        return own / other
      }
    }
    guard options.takesBDRates else { return }
    let band = metrics[headline].curveRange(of: options.band)
    bandRatios.add(curves.count) { own, other in
      guard let own = curves[own], let other = curves[other] else { return nil }
      return (try? BDRate.over(band, own, against: other)).map { 1 + $0.percent / 100 }
    }
  }

  private func detail(
    _ image: ImageAccumulator, _ columns: [VariantCurves], _ figures: [ImageFigures?], isSmall: Bool
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
          changeAtTargets: figures[index]?.savings.map { $0.sizes?.changePercent }
            ?? options.targets.map { _ in nil })
      })
  }
}
