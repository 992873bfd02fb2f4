import Metrics
import Model
import Store

extension ResultRow {
  /// What the gate compares of measurements other than points, with the decimals of their table, so that a store and
  /// its exported file agree exactly.
  private init(_ record: CaseRecord, _ figures: Figures?) {
    let key = record.key
    self.init(image: key.image.name, status: Status(record.outcome))
    (variant, quality, encodedBytes) = (key.cutVariant, key.encodedAt, figures?.encodedBytes)
    imageHash = key.image.contentHash.isEmpty ? nil : key.image.contentHash
    libraries = key.libraries.isEmpty ? nil : key.libraries
    for metric in BaselineColumns.scores(of: key.way.kind) {
      scores[metric.id] = figures?.scores[metric.id]?.roundedAsInFiles(metric.decimals)
    }
    error = record.outcome.failure?.message
    if case .unsupported(let reason) = record.outcome { error = reason }
  }

  init(read record: CaseRecord) {
    self.init(record, record.figures)
    let key = record.key
    variant = CodecVariant(codec: record.codec, build: key.build, settings: key.variant.settings)
    (way.route, way.wanted) = (key.route.rawValue, key.wanted.description)
    way.touchedBytes = record.figures?.figures[.touchedBytes]
    figures[.decodePeak] = record.figures?.mebibytes(.decodePeak)?.roundedAsInFiles(2)
    (repeats, timesOrigin) = (record.figures?.timing.decode.count, record.timesOrigin)
    self[.decode, .cpu] = record.cpu.map {
      Timing(
        minimum: $0.minimum.roundedAsInFiles(2), median: $0.median.roundedAsInFiles(2),
        deviation: $0.deviation.roundedAsInFiles(2))
    }
  }

  init(cut row: TileRow) {
    self.init(row.record, row.figures)
    (way.tileSize, way.overlap) = (row.cut.tileSize, row.cut.overlap)
    way.level0Bytes = row.tiles?.bytes(ofLevel: 0)
    figures[.decodePeak] = row.figures?.mebibytes(.decodePeak)?.roundedAsInFiles(2)
    guard row.figures != nil, let whole = row.whole else { return }
    let headline = MetricTraits.headline
    way.wholeBytes = whole.encodedBytes
    scores[BaselineColumns.wholeScore] = whole.scores[headline.id]?.roundedAsInFiles(headline.decimals)
  }

  init(generation row: GenerationColumns.Row) {
    self.init(row.record, row.generation)
    (quality, way.generation) = (row.record.chainQuality, row.number)
  }
}
