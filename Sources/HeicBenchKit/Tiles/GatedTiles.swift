package import Analysis

extension GatedCost {
  package init(_ row: TileRow) {
    let key = row.record.key
    self.init(
      Name(
        key.image.name, key.variant.codec, build: key.variant.build ?? "", row.settings,
        quality: key.quality.description,
        Self.cut(size: String(key.cut.tileSize), overlap: String(key.cut.overlap))), "measured")
    hash = key.image.contentHash.isEmpty ? nil : key.image.contentHash
    libraries = key.libraries.isEmpty ? nil : key.libraries
    switch row.record.outcome.map(\.tiles) {
    case .measured(let figures?):
      (bytes, score) = (figures.totalBytes, figures.ssimulacra2)
      peakMiB = figures.viewportPeakBytes.map { Double($0) / 1_048_576 }
    case .measured: break
    case .unsupported(let reason): (status, self.reason) = ("unsupported", reason)
    case .failed(let failure): (status, self.reason) = ("failed", failure.message)
    }
  }
}
