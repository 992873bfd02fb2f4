/// Incremental parser of RFC 4180 records.
///
/// Lines end in LF or CRLF, also within quotes; a byte order mark is skipped. A quote inside an unquoted field is an
/// ordinary character. Text after a closing quote is an error, and so is a record beyond `maximumRecord`, which
/// indicates an unclosed quote.
struct CSVParser {
  struct Problem: Error {
    var line: Int
    var reason: String
  }

  private enum State {
    case fieldStart, plain, quoted, quoteInQuoted
    /// After a CR outside quotes, which belongs to the field unless an LF follows.
    case carriageReturn
  }

  static let maximumRecord = 1 << 20
  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  private var state = State.fieldStart
  private var record = CSVRecord()
  private var line = 1

  mutating func take(_ chunk: some Sequence<UInt8>, _ body: (CSVRecord) throws -> Void) throws {
    for byte in chunk { try take(byte, body) }
  }

  /// Passes on the last record if it has no line end.
  mutating func end(_ body: (CSVRecord) throws -> Void) throws {
    switch state {
    case .quoted: throw Problem(line: record.line, reason: "a quote is never closed")
    case .fieldStart where record.ends.isEmpty: return
    case .carriageReturn: record.bytes.append(0x0d)
    default: break
    }
    try endRecord(body)
  }

  private mutating func take(_ byte: UInt8, _ body: (CSVRecord) throws -> Void) throws {
    switch state {
    case .quoted:
      if byte == UInt8(ascii: "\"") { state = .quoteInQuoted } else { try append(byte) }
      if byte == 0x0a { line += 1 }
    case .quoteInQuoted where byte == UInt8(ascii: "\""):
      state = .quoted
      try append(byte)
    case .carriageReturn where byte != 0x0a:
      state = .plain
      try append(0x0d)
      try take(byte, body)
    case .fieldStart where byte == UInt8(ascii: "\""): state = .quoted
    default: try takePlain(byte, body)
    }
  }

  private mutating func takePlain(_ byte: UInt8, _ body: (CSVRecord) throws -> Void) throws {
    switch byte {
    case UInt8(ascii: ","):
      record.ends.append(record.bytes.count)
      state = .fieldStart
    case 0x0a:
      line += 1
      try endRecord(body)
    case 0x0d: state = .carriageReturn
    default:
      if state == .quoteInQuoted { throw Problem(line: line, reason: "text follows a closing quote") }
      state = .plain
      try append(byte)
      let isStart = record.bytes.count == 3 && record.line == 1 && record.ends.isEmpty
      if isStart, record.bytes == Self.byteOrderMark { (record.bytes, state) = ([], .fieldStart) }
    }
  }

  private mutating func append(_ byte: UInt8) throws {
    guard record.bytes.count < Self.maximumRecord else {
      throw Problem(line: record.line, reason: "a record is longer than 1 MiB, so a quote may not be closed")
    }
    record.bytes.append(byte)
  }

  private mutating func endRecord(_ body: (CSVRecord) throws -> Void) throws {
    record.ends.append(record.bytes.count)
    if !record.isBlank { try body(record) }
    record.clear(line: line)
    state = .fieldStart
  }
}

struct CSVRecord {
  /// The first line of the record, counted from 1.
  var line = 1
  /// The fields' bytes, concatenated, without quotes.
  var bytes: [UInt8] = []
  var ends: [Int] = []

  var count: Int { ends.count }

  var isBlank: Bool { count == 1 && bytes.isEmpty }

  /// The field at a position, empty if missing. Invalid UTF-8 is replaced.
  subscript(_ index: Int) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }

  func isEmpty(_ index: Int) -> Bool { range(index).isEmpty }

  var fields: [String] { ends.indices.map { self[$0] } }

  private func range(_ index: Int) -> Range<Int> {
    ends.indices.contains(index) ? (index == 0 ? 0 : ends[index - 1])..<ends[index] : 0..<0
  }

  /// Discards the fields but keeps the allocated memory.
  mutating func clear(line: Int) {
    self.line = line
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
