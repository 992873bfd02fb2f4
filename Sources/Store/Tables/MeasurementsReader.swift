import Metrics
package import Model

struct MeasurementsReader {
  private typealias Names = CSVColumnNames

  private let path: String
  private let kind: Way.Kind
  private let columns: [String: Int]
  private let fieldCount: Int
  private let fields: [(index: Int, name: String, read: Column<ResultRow>.Read)]
  /// Score columns of points. Values of a known metric must be possible scores.
  private let scores: [(index: Int, id: String, metric: MetricTraits?)]

  init(header: CSVRecord, path: String, kind: Way.Kind, metrics: [MetricTraits]) throws(CSVError) {
    (self.path, self.kind) = (path, kind)
    fieldCount = header.count
    var columns: [String: Int] = [:]
    for index in 0..<header.count {
      guard columns.updateValue(index, forKey: PlainText.line(header[index])) == nil else {
        throw CSVError(path: path, line: header.line, reason: "the column “\(header[index])” appears twice")
      }
    }
    for required in BaselineColumns.required(kind) where columns[required] == nil {
      throw CSVError(
        path: path, line: header.line,
        reason:
          "there is no column “\(required)”\(kind == .point ? ", so this is not a measurements.csv" : "")")
    }
    let traits = Dictionary(metrics.map { ($0.column, $0) }, uniquingKeysWith: { first, _ in first })
    let known =
      kind == .point
      ? MeasurementColumns.leading + MeasurementColumns.trailing
      : BaselineColumns.all(kind, scores: BaselineColumns.scores(of: kind))
        + BaselineColumns.named(Names.error)
    fields = known.compactMap { field in
      guard let index = columns[field.name], let read = field.read else { return nil }
      return (index, field.name, read)
    }
    let fixed = Set(known.map(\.name))
    scores = columns.filter { kind == .point && !fixed.contains($0.key) }
      .map { (index: $0.value, id: traits[$0.key]?.id ?? $0.key, metric: traits[$0.key]) }
      .sorted { $0.index < $1.index }
    self.columns = columns
  }

  func row(_ record: CSVRecord) throws(CSVError) -> ResultRow {
    guard record.count == fieldCount else {
      throw CSVError(
        path: path, line: record.line,
        reason: "there are \(record.count) fields where the header names \(fieldCount)")
    }
    guard let image = field(record, Names.image)?.text else {
      throw broken(record, Names.image, "an image's name")
    }
    var row = ResultRow(image: image, status: try status(record))
    row.variant = try variant(record)
    for (index, name, read) in fields where !record.isEmpty(index) {
      try read(CSVField(record: record, index: index, column: name, path: path), &row)
    }
    if kind == .point {
      try complete(&row, record)
    } else if let origin = row.timesOrigin, origin.processor.isEmpty || origin.jobs == 0 {
      row.timesOrigin = nil
    }
    for score in scores {
      let field = record[score.index]
      if let value = CSVField.number(field), score.metric?.allows(value) ?? true {
        row.scores[score.id] = value
      } else if score.metric != nil, !field.isEmpty {
        throw CSVError(path: path, line: record.line, reason: "“\(field)” is not a score of \(score.id)")
      }
    }
    return row
  }

  private func complete(_ row: inout ResultRow, _ record: CSVRecord) throws(CSVError) {
    if row.variant != nil, row.quality == nil, row.importedFile == nil {
      throw broken(record, Names.quality, "a quality from 0 to 1")
    }
    if row.status == .measured, row.encodedBytes ?? 0 == 0 {
      throw broken(record, Names.encodedBytes, "the size of a measured encode")
    }
    if row.rawBytes == nil, let bytes = row.encodedBytes,
      let ratio = try field(record, Names.compressionRatio)?.number()
    {
      row.rawBytes = Int(exactly: (ratio * Double(bytes)).rounded())
    }
  }

  /// Derives the status in older files, which list only measured points or leave the size of others empty, and in a
  /// generations.csv.
  private func status(_ record: CSVRecord) throws(CSVError) -> ResultRow.Status {
    guard columns[Names.status] != nil else {
      guard field(record, Names.encodedBytes)?.text == nil else { return .measured }
      return field(record, Names.error)?.text?.hasPrefix("unsupported: ") == true ? .unsupported : .failed
    }
    guard let status = field(record, Names.status)?.text.flatMap(ResultRow.Status.init) else {
      throw broken(record, Names.status, "measured, unsupported or failed")
    }
    return status
  }

  private func variant(_ record: CSVRecord) throws(CSVError) -> CodecVariant? {
    // A read of a file with an unknown format has no codec.
    guard let codec = field(record, Names.codec)?.text ?? (kind == .point ? nil : "") else {
      if field(record, Names.encodedBytes)?.text != nil { throw broken(record, Names.codec, "a codec") }
      return nil
    }
    var settings: [String: String] = [:]
    for part in (field(record, Names.settings)?.text ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, settings.updateValue(String(pair[1]), forKey: String(pair[0])) == nil else {
        throw broken(record, Names.settings, "a list such as chroma=444,preset=medium")
      }
    }
    return CodecVariant(
      codec: codec, build: LibraryBuild.name(inCell: field(record, Names.build)?.text), settings: settings)
  }

  private func field(_ record: CSVRecord, _ column: String) -> CSVField? {
    guard let index = columns[column], !record.isEmpty(index) else { return nil }
    return CSVField(record: record, index: index, column: column, path: path)
  }

  private func broken(_ record: CSVRecord, _ column: String, _ expected: String) -> CSVError {
    CSVField(record: record, index: columns[column] ?? -1, column: column, path: path).broken(expected)
  }
}

/// A field parsed as the type of its column; nil if it is empty.
package struct CSVField {
  let record: CSVRecord
  let index: Int
  let column: String
  let path: String

  package var text: String? {
    record.isEmpty(index) ? nil : PlainText.line(SpreadsheetText.unguarded(record[index]))
  }

  /// The raw field, for numbers, which are never guarded.
  private var plain: String? { record.isEmpty(index) ? nil : record[index] }

  package func integer(in range: ClosedRange<Int>) throws(CSVError) -> Int? {
    guard let plain else { return nil }
    guard let value = Int(plain), range.contains(value) else { throw broken("a whole number in its range") }
    return value
  }

  /// A word of a list.
  package func word<Word: RawRepresentable<String> & CaseIterable>() throws(CSVError) -> Word {
    guard let word = text.flatMap(Word.init) else {
      throw broken("one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  package func number() throws(CSVError) -> Double? {
    guard let plain else { return nil }
    guard let value = Self.number(plain), value.isFinite else { throw broken("a number") }
    return value
  }

  /// Memory in MiB or a time in milliseconds: whole bytes fit an `Int`.
  func amount() throws(CSVError) -> Double {
    guard let amount = try number(), (0...0x1p43).contains(amount) else {
      throw broken("a number from 0 to 2⁴³")
    }
    return amount
  }

  /// A score, which may be infinite.
  func score() throws(CSVError) -> Double {
    guard let score = Self.number(record[index]) else { throw broken("a score") }
    return score
  }

  package func quality() throws(CSVError) -> Quality {
    guard let quality = text.flatMap({ Quality($0) }) else { throw broken("a quality from 0 to 1") }
    return quality
  }

  package func boolean() throws(CSVError) -> Bool? {
    guard let plain else { return nil }
    guard let value = Bool(plain) else { throw broken("true or false") }
    return value
  }

  /// A decimal number or an infinity, the PSNR of equal images.
  static func number(_ field: String) -> Double? {
    guard let value = Double(field), !value.isNaN, !field.contains(where: { $0 == "x" || $0 == "X" }) else {
      return nil
    }
    return value
  }

  package func broken(_ expected: String) -> CSVError {
    let field = record[index]
    let shown = field.count > 60 ? field.prefix(60) + "…" : field[...]
    return CSVError(
      path: path, line: record.line, reason: "“\(shown)” in column \(column) is not \(expected)")
  }
}
