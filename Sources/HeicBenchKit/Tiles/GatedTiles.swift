import Analysis
import Metrics
import Model
import Store

extension GatedRow {
  init(_ tiles: TileRow) {
    let (record, key) = (tiles.record, tiles.record.key)
    self.init(
      key.image.name, codec: key.variant.codec, build: key.variant.build, settings: tiles.settings,
      quality: key.quality.description,
      way: Self.cut(size: String(key.cut.tileSize), overlap: String(key.cut.overlap)), status: .measured)
    take(key.image, key.libraries, record.outcome.map(\.tiles)) { row, tiles in
      guard let figures = tiles else { return }
      row.encodedBytes = figures.totalBytes
      row.scores = figures.ssimulacra2.map { [MetricTraits.headline.id: $0] } ?? [:]
      row.figures[.decodePeak] = figures.viewportPeakBytes.map { Double($0) / 1_048_576 }
    }
  }
}
