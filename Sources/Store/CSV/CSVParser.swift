/// Splits bytes into the records of RFC 4180, whatever pieces they come in.
///
/// Lines end in LF or CRLF, also within quotes; a byte order mark is passed over. A quote inside a field that
/// does not begin with one is a character like any other. Anything after a closing quote is an error, and so
/// is a record beyond `maximumRecord`: there a quote was never closed.
struct CSVParser {
  /// Why parsing cannot go on.
  struct Problem: Error {
    var line: Int
    var reason: String
  }

  private enum State {
    case fieldStart, plain, quoted, quoteInQuoted
    /// After a CR outside of quotes, which belongs to the field unless LF follows.
    case carriageReturn
  }

  /// Bytes that a record may have.
  static let maximumRecord = 1 << 20

  private var state = State.fieldStart
  private var record = CSVRecord()
  private var line = 1
  private var mark: [UInt8]? = []

  /// Takes the next bytes and hands out every record that they complete.
  mutating func take(_ chunk: some Sequence<UInt8>, _ body: (CSVRecord) throws -> Void) throws {
    for byte in chunk {
      if mark != nil, try isMark(byte, body) { continue }
      try take(byte, body)
    }
  }

  /// Hands out the last record where no line end followed it.
  mutating func end(_ body: (CSVRecord) throws -> Void) throws {
    for byte in mark ?? [] { try take(byte, body) }
    mark = nil
    switch state {
    case .quoted: throw Problem(line: record.line, reason: "a quote is never closed")
    case .fieldStart where record.ends.isEmpty: return
    case .carriageReturn: record.bytes.append(0x0d)
    default: break
    }
    try endRecord(body)
  }

  /// Holds the first three bytes back until it is known whether they are a byte order mark.
  private mutating func isMark(_ byte: UInt8, _ body: (CSVRecord) throws -> Void) throws -> Bool {
    let expected: [UInt8] = [0xef, 0xbb, 0xbf]
    let held = mark ?? []
    if byte == expected[held.count] {
      mark = held.count == 2 ? nil : held + [byte]
      return true
    }
    mark = nil
    for byte in held { try take(byte, body) }
    return false
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
