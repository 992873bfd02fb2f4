import Model

/// Turns the records of one `measurements.csv` into rows, once its header is known.
struct MeasurementsReader {
  private typealias Names = CSVColumnNames

  private let path: String
  private let columns: [String: Int]
  private let fieldCount: Int
  /// Columns that hold scores. Those of a known metric have to hold numbers.
  private let scores: [(index: Int, id: String, isKnown: Bool)]

  init(header: CSVRecord, path: String, metrics: [MetricTraits]) throws(CSVError) {
    self.path = path
    fieldCount = header.count
    var columns: [String: Int] = [:]
    for index in 0..<header.count {
      guard columns.updateValue(index, forKey: PlainText.line(header[index])) == nil else {
        throw CSVError(path: path, line: header.line, reason: "the column “\(header[index])” is there twice")
      }
    }
    for required in [Names.image, Names.codec, Names.quality, Names.encodedBytes]
    where columns[required] == nil {
      throw CSVError(
        path: path, line: header.line,
        reason: "there is no column “\(required)”, so this is no measurements.csv")
    }
    let ids = Dictionary(metrics.map { ($0.column, $0.id) }, uniquingKeysWith: { first, _ in first })
    let fixed = Set(Names.leading + Names.trailing)
    scores = columns.filter { !fixed.contains($0.key) }
      .map { (index: $0.value, id: ids[$0.key] ?? $0.key, isKnown: ids[$0.key] != nil) }
      .sorted { $0.index < $1.index }
    self.columns = columns
  }

  /// The row of a record.
  func row(_ record: CSVRecord) throws(CSVError) -> ResultRow {
    guard record.count == fieldCount else {
      throw CSVError(
        path: path, line: record.line,
        reason: "there are \(record.count) fields where the header names \(fieldCount)")
    }
    guard let image = text(record, Names.image) else { throw broken(record, Names.image, "an image's name") }
    var row = ResultRow(image: image, status: try status(record))
    try readImage(record, into: &row)
    try readPoint(record, into: &row)
    try readTimes(record, into: &row)
    for score in scores {
      let field = record[score.index]
      if let value = Self.number(field) {
        row.scores[score.id] = value
      } else if score.isKnown, !field.isEmpty {
        throw CSVError(path: path, line: record.line, reason: "“\(field)” is no score of \(score.id)")
      }
    }
    return row
  }

  private func readImage(_ record: CSVRecord, into row: inout ResultRow) throws(CSVError) {
    row.imageHash = text(record, Names.imageHash)
    // Sides beyond 2³¹ − 1 are no image, and their product would not be a number.
    row.width = try integer(record, Names.width, 1...Int(Int32.max))
    row.height = try integer(record, Names.height, 1...Int(Int32.max))
    row.bitDepth = try integer(record, Names.bitDepth, 1...32)
    row.alpha = try boolean(record, Names.alpha)
    row.sourceFormat = text(record, Names.sourceFormat)
    row.sourceBytes = try integer(record, Names.sourceBytes, 0...Int.max)
    row.sourceIsLossy = try boolean(record, Names.sourceLossy)
  }

  private func readPoint(_ record: CSVRecord, into row: inout ResultRow) throws(CSVError) {
    row.variant = try variant(record)
    row.libraries = text(record, Names.libraries)
    if let field = text(record, Names.quality) {
      guard let quality = Quality(field) else { throw broken(record, Names.quality, "a quality from 0 to 1") }
      row.quality = quality
    }
    row.importedFile = text(record, Names.importedFile)
    row.importedFormat = text(record, Names.importedFormat)
    row.importedMaking = text(record, Names.importedMaking)
    if row.variant != nil, row.quality == nil, row.importedFile == nil {
      throw broken(record, Names.quality, "a quality from 0 to 1")
    }
    row.nativeQuality = try integer(record, Names.nativeQuality, Int(Int32.min)...Int(Int32.max))
    row.encodedBytes = try integer(record, Names.encodedBytes, 0...Int.max)
    if row.status == .measured, row.encodedBytes ?? 0 == 0 {
      throw broken(record, Names.encodedBytes, "the size of a measured point")
    }
    row.rawBytes = try integer(record, Names.rawBytes, 0...Int.max)
    if row.rawBytes == nil, let bytes = row.encodedBytes,
      let ratio = try number(record, Names.compressionRatio)
    {
      row.rawBytes = Int(exactly: (ratio * Double(bytes)).rounded())
    }
    row.repeatsAgree = try boolean(record, Names.repeatsAgree)
    row.peakMemoryMiB = try number(record, Names.peakMemory)
    row.origin = text(record, Names.origin).flatMap(PointOrigin.init)
    row.encodePeakMiB = try number(record, Names.encodePeak)
    row.decodePeakMiB = try number(record, Names.decodePeak)
    row.error = text(record, Names.error)
  }

  private func readTimes(_ record: CSVRecord, into row: inout ResultRow) throws(CSVError) {
    row.repeats = try integer(record, Names.repeats, 0...Int(Int32.max))
    row.conditions = text(record, Names.timing).flatMap(TimingSeries.Conditions.init)
    row.encodeWall = try timing(
      record, Names.encodeWall, Names.encodeWallMinimum, Names.encodeWallDeviation)
    row.encodeCPU = try timing(record, Names.encodeCPU, Names.encodeCPUMinimum, Names.encodeCPUDeviation)
    row.decodeWall = try timing(
      record, Names.decodeWall, Names.decodeWallMinimum, Names.decodeWallDeviation)
    row.decodeCPU = try timing(record, Names.decodeCPU, Names.decodeCPUMinimum, Names.decodeCPUDeviation)
  }

  /// Older files have the median alone.
  private func timing(
    _ record: CSVRecord, _ median: String, _ minimum: String, _ deviation: String
  ) throws(CSVError) -> ResultRow.Timing? {
    guard let value = try number(record, median) else { return nil }
    return ResultRow.Timing(
      minimum: try number(record, minimum) ?? value, median: value,
      deviation: try number(record, deviation) ?? 0)
  }

  /// Older files without the column list measured points only, or leave the size of others empty.
  private func status(_ record: CSVRecord) throws(CSVError) -> ResultRow.Status {
    guard let field = text(record, Names.status) else {
      return text(record, Names.encodedBytes) == nil ? .failed : .measured
    }
    guard let status = ResultRow.Status(rawValue: field) else {
      throw broken(record, Names.status, "measured, unsupported or failed")
    }
    return status
  }

  private func variant(_ record: CSVRecord) throws(CSVError) -> CodecVariant? {
    guard let codec = text(record, Names.codec) else {
      if text(record, Names.encodedBytes) != nil { throw broken(record, Names.codec, "a codec") }
      return nil
    }
    var settings: [String: String] = [:]
    for part in (text(record, Names.settings) ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, settings.updateValue(String(pair[1]), forKey: String(pair[0])) == nil else {
        throw broken(record, Names.settings, "a list such as chroma=444,preset=medium")
      }
    }
    return CodecVariant(codec: codec, build: text(record, Names.build), settings: settings)
  }
}

/// Fields by column and type. A missing column and an empty field are nil.
extension MeasurementsReader {
  private func text(_ record: CSVRecord, _ column: String) -> String? {
    guard let index = columns[column], !record.isEmpty(index) else { return nil }
    return PlainText.line(SpreadsheetText.unguarded(record[index]))
  }

  /// The field as it stands: numbers are never guarded.
  private func plain(_ record: CSVRecord, _ column: String) -> String? {
    guard let index = columns[column], !record.isEmpty(index) else { return nil }
    return record[index]
  }

  private func integer(
    _ record: CSVRecord, _ column: String, _ range: ClosedRange<Int>
  ) throws(CSVError) -> Int? {
    guard let field = plain(record, column) else { return nil }
    guard let value = Int(field), range.contains(value) else {
      throw broken(record, column, "a whole number in its range")
    }
    return value
  }

  private func number(_ record: CSVRecord, _ column: String) throws(CSVError) -> Double? {
    guard let field = plain(record, column) else { return nil }
    guard let value = Self.number(field), value.isFinite else { throw broken(record, column, "a number") }
    return value
  }

  private func boolean(_ record: CSVRecord, _ column: String) throws(CSVError) -> Bool? {
    guard let field = plain(record, column) else { return nil }
    guard let value = Bool(field) else { throw broken(record, column, "true or false") }
    return value
  }

  /// A decimal number or an infinity, which is what PSNR gives for equal images.
  private static func number(_ field: String) -> Double? {
    guard let value = Double(field), !value.isNaN, !field.contains(where: { $0 == "x" || $0 == "X" }) else {
      return nil
    }
    return value
  }

  private func broken(_ record: CSVRecord, _ column: String, _ expected: String) -> CSVError {
    let field = columns[column].map { record[$0] } ?? ""
    let shown = field.count > 60 ? field.prefix(60) + "…" : field[...]
    return CSVError(
      path: path, line: record.line, reason: "“\(shown)” in column \(column) is not \(expected)")
  }
}
