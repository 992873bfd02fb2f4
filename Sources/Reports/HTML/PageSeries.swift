import Analysis
import Model
import Store

/// Collects the points that the page plots; rows of images that the analysis does not keep in detail are dropped, as
/// are those of copies, which would take the places of others.
struct PageSeries: Sendable {
  private let limit: Int
  private var variants: [CodecVariant]
  private(set) var images: [String: PageData.Image] = [:]
  private var owners = ContentOwners()

  init(variants: [CodecVariant], limit: Int = AnalysisOptions.standard.detailedImages) {
    self.variants = variants
    self.limit = limit
  }

  mutating func add(_ row: ResultRow) {
    guard row.status == .measured, images.count < limit || images[row.image] != nil,
      let variant = row.variant, let bytes = row.encodedBytes,
      row.quality != nil || row.importedFile != nil, let width = row.width, let height = row.height,
      images[row.image] != nil || owners.enter(row.image, contentHash: row.imageHash) != .copy
    else { return }
    let index = index(of: variant)
    // Mutated in place: a copy would make this quadratic in the qualities.
    let image = PageData.Image(name: row.image, w: width, h: height, raw: row.rawBytes, series: [])
    images[row.image, default: image].series.add(row, variant: index, bytes: bytes)
  }

  private mutating func index(of variant: CodecVariant) -> Int {
    if let known = variants.firstIndex(of: variant) { return known }
    variants.append(variant)
    return variants.count - 1
  }
}

extension PageSeries {
  /// The images in the order of the analysis, with changes at the targets and pictures.
  func images(of analysis: Analysis, pictures: [ReportImage]) -> [PageData.Image] {
    let shown = Dictionary(pictures.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return analysis.imageDetails.compactMap { detail in
      guard var image = images[detail.image] else { return nil }
      for index in image.series.indices {
        let variant = variants[image.series[index].v]
        // If the run does not name its variants, the analysis determines the order.
        guard let place = analysis.variants.firstIndex(of: variant) else { return nil }
        image.series[index].v = place
        image.series[index].c =
          detail.variants.first { $0.variant == variant }?.changeAtTargets
          .map { $0.flatMap { $0.isFinite ? PageData.rounded($0, decimals: 2) : nil } } ?? []
      }
      image.assets = shown[detail.image].map { assets($0, of: image, analysis: analysis) }
      return image
    }
  }

  private func assets(_ shown: ReportImage, of image: PageData.Image, analysis: Analysis) -> PageData.Assets {
    func byPoint(_ addresses: [String: [String: String]]) -> [String: [String?]] {
      let lists = image.series.map { series in
        let ofVariant = addresses[analysis.variants[series.v].name] ?? [:]
        let qualities = series.q.map { quality in
          quality.flatMap { Quality(thousandths: Int(($0 * 1000).rounded())) }?.description
        }
        return (String(series.v), (series.f ?? qualities).map { label in label.flatMap { ofVariant[$0] } })
      }
      return Dictionary(lists) { first, _ in first }
    }
    return PageData.Assets(
      reference: shown.reference, thumbnail: shown.thumbnail, pictures: byPoint(shown.pictures),
      maps: byPoint(shown.maps))
  }
}

extension [PageData.Series] {
  fileprivate mutating func add(_ row: ResultRow, variant: Int, bytes: Int) {
    if last?.v != variant { append(PageData.Series(v: variant)) }
    self[count - 1].add(row, bytes: bytes)
  }
}

extension PageData.Series {
  fileprivate mutating func add(_ row: ResultRow, bytes: Int) {
    let position = b.count
    q.append(row.quality?.value)
    if let file = row.importedFile { f = (f ?? []) + [file] }
    b.append(bytes)
    e.append(row[.encode, .cpu].map { PageData.rounded($0.median, decimals: 2) })
    for (metric, score) in row.scores where score.isFinite {
      // Each earlier point without this metric gets a gap.
      while s[metric, default: []].count < position { s[metric, default: []].append(nil) }
      s[metric, default: []].append(PageData.rounded(score: score))
    }
  }
}
