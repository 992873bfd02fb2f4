import Model
import Pixels

/// Turns what the store holds of an image into rows.
enum RowBuilder {
  static func rows(_ image: StoredImage) -> [ResultRow] {
    var start = ResultRow(image: image.identity.name, status: .failed)
    start.imageHash = image.identity.contentHash.isEmpty ? nil : image.identity.contentHash
    if let record = image.record { describe(record, in: &start) }
    if let problem = image.problem {
      start.error = problem.message
      return [start]
    }
    return image.points.map { row($0, from: start) } + image.imports.map { row($0, from: start) }
  }

  private static func row(_ file: StoredImport, from start: ResultRow) -> ResultRow {
    var row = start
    row.variant = CodecVariant(codec: file.series)
    row.importedFile = file.file
    switch file.outcome {
    case .measured(let measurement):
      row.status = .measured
      row.encodedBytes = measurement.bytes
      row.importedFormat = measurement.format
      row.importedMaking = measurement.making.summary
      row.scores = measurement.scores
      row.libraries = measurement.decoder.isEmpty ? nil : measurement.decoder
      row.conditions = .contended
      row.repeats = 1
      row.decodeWall = ResultRow.Timing(nanoseconds: [measurement.decode.wallNanoseconds])
      row.decodeCPU = ResultRow.Timing(nanoseconds: [measurement.decode.cpuNanoseconds])
    case .refused(let failure):
      row.status = .failed
      row.error = failure.message
    }
    return row
  }

  private static func describe(_ record: ImageRecord, in row: inout ResultRow) {
    row.sourceBytes = record.fileBytes
    row.sourceFormat = record.header?.format
    row.sourceIsLossy = record.header?.isLossy
    guard let width = record.preparedWidth, let height = record.preparedHeight else { return }
    row.width = width
    row.height = height
    guard let format = record.preparedFormat else { return }
    row.bitDepth = format.bitDepth
    row.alpha = format.layout.hasAlpha
    row.rawBytes = record.rawBytes
  }

  private static func row(_ point: StoredPoint, from start: ResultRow) -> ResultRow {
    var row = start
    row.variant = point.key.variant
    row.libraries = point.key.libraries
    row.quality = point.key.quality
    row.origin = point.origin
    switch point.outcome {
    case .measured(let measurement):
      row.status = .measured
      describe(measurement, point, in: &row)
    case .unsupported(let reason):
      row.status = .unsupported
      row.error = reason
    case .failed(let failure):
      row.status = .failed
      row.error = failure.message
    }
    return row
  }

  private static func describe(
    _ measurement: Measurement, _ point: StoredPoint, in row: inout ResultRow
  ) {
    row.nativeQuality = measurement.nativeQuality
    row.encodedBytes = measurement.encodedBytes
    row.repeatsAgree = measurement.repeatsAgree
    for (figure, count) in measurement.figures {
      row.figures[figure] = Double(count) / figure.traits.scale
    }
    row.scores = measurement.scores
    let failed = measurement.failedScores.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let remarks = failed + measurement.remarks
    row.error = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    if point.hasForeignTimes {
      row.foreignHost = point.timesOrigin?.host
      return
    }
    let timing = point.exclusive ?? measurement.timing
    row.timesOrigin = point.timesOrigin
    row.conditions = timing.conditions
    row.repeats = timing.encode.count
    for call in TimedCall.of(TimedOperation.allCases) {
      row[call] = ResultRow.Timing(nanoseconds: timing[call.operation].map { $0[call.clock] })
    }
  }
}

extension ResultRow.Timing {
  /// Statistics over repeats in nanoseconds; nil without any. An even number of repeats has the mean of the
  /// middle two as its median.
  package init?(nanoseconds: [Int64]) {
    let sorted = nanoseconds.map { Double($0) / 1e6 }.sorted()
    guard let first = sorted.first else { return nil }
    let median = Self.median(sorted)
    self.init(
      minimum: first, median: median, deviation: Self.median(sorted.map { abs($0 - median) }.sorted()))
  }

  private static func median(_ sorted: [Double]) -> Double {
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
