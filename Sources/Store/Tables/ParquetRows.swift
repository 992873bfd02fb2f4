/// The rows of a table on their way into an Apache Parquet file (github.com/apache/parquet-format), column by column.
///
/// Rows are kept until a row group is full. A column chunk is a single uncompressed page of optional values: text with
/// a dictionary, since names repeat, and the rest plain. Metadata uses Thrift's compact protocol; units are file-level
/// pairs `unit.NAME`, since the format has no column metadata. Numbers are written exactly, without the rounding of CSV
/// files.
struct ParquetRows {
  static let mark = "PAR1"
  /// The number of rows in a group: some 10 MB of measurements.
  static let groupSize = 32_768

  private let names: [String]
  private let units: [String]
  private var columns: [ParquetColumn]
  private var rows = 0
  private var allRows = 0
  /// The number of bytes written so far, including the magic bytes at the beginning.
  private var offset = mark.utf8.count
  private var groups: [[UInt8]] = []

  init(_ columns: [(name: String, type: ColumnType, unit: String)]) {
    (names, units) = (columns.map(\.name), columns.map(\.unit))
    self.columns = columns.map { ParquetColumn($0.type) }
  }

  mutating func append(_ cells: some Sequence<Cell>, into buffer: inout TextBuffer) {
    for (index, cell) in cells.enumerated() { columns[index].append(cell) }
    rows += 1
    if rows == Self.groupSize { writeGroup(into: &buffer) }
  }

  mutating func finish(into buffer: inout TextBuffer) {
    if rows > 0 { writeGroup(into: &buffer) }
    let footer = footer
    buffer.write(bytes: footer)
    buffer.write(bytes: ParquetColumn.littleEndian(UInt32(footer.count)))
    buffer.write(Self.mark)
  }

  private mutating func writeGroup(into buffer: inout TextBuffer) {
    let start = offset
    var chunks: [[UInt8]] = []
    for index in columns.indices {
      let chunk = columns[index].takeChunk(at: offset, name: names[index])
      buffer.write(bytes: chunk.bytes)
      offset += chunk.bytes.count
      chunks.append(chunk.metadata)
    }
    var group = ThriftStruct()
    group.list(1, of: .structure, chunks)
    group.integer(2, .long, offset - start)
    group.integer(3, .long, rows)
    groups.append(group.bytes)
    allRows += rows
    rows = 0
  }

  private var footer: [UInt8] {
    var root = ThriftStruct()
    root.text(4, "rows")
    root.integer(5, .int, names.count)
    let schema = zip(names, columns).map { name, column in
      var element = ThriftStruct()
      element.integer(1, .int, column.type.physicalType)
      element.integer(3, .int, 1)  // OPTIONAL
      element.text(4, name)
      if column.type == .text { element.integer(6, .int, 0) }  // UTF8
      return element.bytes
    }
    var file = ThriftStruct()
    file.integer(1, .int, 2)
    file.list(2, of: .structure, [root.bytes] + schema)
    file.integer(3, .long, allRows)
    file.list(4, of: .structure, groups)
    let stated = zip(names, units).filter { !$0.1.isEmpty }
    file.list(
      5, of: .structure,
      stated.map { name, unit in
        var pair = ThriftStruct()
        pair.text(1, "unit.\(name)")
        pair.text(2, unit)
        return pair.bytes
      })
    file.text(6, "heicbench")
    return file.bytes
  }
}

extension ColumnType {
  /// BOOLEAN, INT64, DOUBLE or BYTE_ARRAY.
  fileprivate var physicalType: Int {
    switch self {
    case .flag: 0
    case .integer: 2
    case .number: 5
    case .text: 6
    }
  }
}

/// The values of one column in the row group that is being filled.
private struct ParquetColumn {
  let type: ColumnType
  /// True for each row that has a value.
  private var isPresent: [Bool] = []
  private var values: [UInt8] = []
  private var flags: [Bool] = []
  private var places: [String: Int] = [:]
  private var indices: [Int] = []

  init(_ type: ColumnType) { self.type = type }

  mutating func append(_ cell: Cell) {
    if case .empty = cell { return isPresent.append(false) }
    switch (type, cell) {
    case (.flag, .flag(let flag)): flags.append(flag)
    case (.integer, .integer(let value)): values += Self.littleEndian(UInt64(bitPattern: Int64(value)))
    case (.number, .integer(let value)): values += Self.littleEndian(Double(value).bitPattern)
    case (.number, .number(let value, _)), (.number, .change(let value, _)):
      values += Self.littleEndian(value.bitPattern)
    case (.number, .numeral(let digits)): values += Self.littleEndian((Double(digits) ?? .nan).bitPattern)
    case (.text, .text(let text)), (.text, .code(let text)): enter(text)
    case (.text, _):
      var text = TextBuffer()
      CSVText.write(cell, into: &text)
      enter(text.text)
    default: return isPresent.append(false)
    }
    isPresent.append(true)
  }

  private mutating func enter(_ text: String) {
    if let place = places[text] { return indices.append(place) }
    indices.append(places.count)
    places[text] = places.count
    values += Self.littleEndian(UInt32(text.utf8.count)) + Array(text.utf8)
  }

  /// Empties the column into a chunk that begins at `offset` in the file.
  mutating func takeChunk(at offset: Int, name: String) -> (bytes: [UInt8], metadata: [UInt8]) {
    let count = isPresent.count
    var bytes: [UInt8] = []
    var metadata = ThriftStruct()
    metadata.integer(1, .int, type.physicalType)
    metadata.integers(2, type == .text ? [0, 3, 8] : [0, 3])  // PLAIN, RLE, RLE_DICTIONARY
    metadata.texts(3, [name])
    metadata.integer(4, .int, 0)
    metadata.integer(5, .long, count)
    if type == .text { bytes = Self.page(values, values: places.count, isDictionary: true) }
    let dataOffset = offset + bytes.count
    bytes += Self.page(Self.levels(isPresent) + data, values: count, encoding: type == .text ? 8 : 0)
    metadata.integer(6, .long, bytes.count)
    metadata.integer(7, .long, bytes.count)
    metadata.integer(9, .long, dataOffset)
    if type == .text { metadata.integer(11, .long, offset) }
    var chunk = ThriftStruct()
    chunk.integer(2, .long, offset)
    chunk.structure(3, metadata.bytes)
    self = ParquetColumn(type)
    return (bytes, chunk.bytes)
  }

  private var data: [UInt8] {
    switch type {
    case .integer, .number: return values
    case .flag:
      var bits = [UInt8](repeating: 0, count: (flags.count + 7) / 8)
      for (index, flag) in flags.enumerated() where flag { bits[index / 8] |= 1 << UInt8(index % 8) }
      return bits
    case .text:
      let width = max(1, Int.bitWidth - max(places.count - 1, 0).leadingZeroBitCount)
      return [UInt8(width)] + Self.runs(indices, width: width)
    }
  }

  private static func page(
    _ body: [UInt8], values: Int, encoding: Int = 0, isDictionary: Bool = false
  ) -> [UInt8] {
    var head = ThriftStruct()
    head.integer(1, .int, isDictionary ? 2 : 0)
    head.integer(2, .int, body.count)
    head.integer(3, .int, body.count)
    var kind = ThriftStruct()
    kind.integer(1, .int, values)
    kind.integer(2, .int, encoding)
    if !isDictionary {
      kind.integer(3, .int, 3)  // RLE of the levels
      kind.integer(4, .int, 3)
    }
    head.structure(isDictionary ? 7 : 5, kind.bytes)
    return head.bytes + body
  }

  /// Definition levels, one for a value and zero for none, preceded by their length.
  private static func levels(_ isPresent: [Bool]) -> [UInt8] {
    let runs = runs(isPresent.map { $0 ? 1 : 0 }, width: 1)
    return littleEndian(UInt32(runs.count)) + runs
  }

  /// Runs of equal values: twice the length, then the value in whole bytes.
  private static func runs(_ values: [Int], width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var start = 0
    while start < values.count {
      let end = values[start...].firstIndex { $0 != values[start] } ?? values.count
      ThriftStruct.append(UInt64(end - start) << 1, to: &bytes)
      bytes += littleEndian(UInt32(values[start])).prefix((width + 7) / 8)
      start = end
    }
    return bytes
  }

  static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Value($0 * 8)) }
  }
}

/// A struct in Thrift's compact protocol; fields must be added in ascending order.
private struct ThriftStruct {
  enum Kind: UInt8 {
    case int = 5
    case long = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  private var fields: [UInt8] = []
  private var last = 0

  /// The struct with its end marker.
  var bytes: [UInt8] { fields + [0] }

  mutating func integer(_ field: Int, _ kind: Kind, _ value: Int) {
    begin(field, kind)
    Self.append(Self.zigzag(value), to: &fields)
  }

  mutating func text(_ field: Int, _ text: String) {
    begin(field, .binary)
    fields += Self.binary(text)
  }

  mutating func structure(_ field: Int, _ bytes: [UInt8]) {
    begin(field, .structure)
    fields += bytes
  }

  mutating func texts(_ field: Int, _ texts: [String]) { list(field, of: .binary, texts.map(Self.binary)) }

  mutating func integers(_ field: Int, _ values: [Int]) {
    list(
      field, of: .int,
      values.map { value in
        var bytes: [UInt8] = []
        Self.append(Self.zigzag(value), to: &bytes)
        return bytes
      })
  }

  mutating func list(_ field: Int, of kind: Kind, _ elements: [[UInt8]]) {
    begin(field, .list)
    if elements.count < 15 {
      fields.append(UInt8(elements.count) << 4 | kind.rawValue)
    } else {
      fields.append(0xF0 | kind.rawValue)
      Self.append(UInt64(elements.count), to: &fields)
    }
    for element in elements { fields += element }
  }

  private mutating func begin(_ field: Int, _ kind: Kind) {
    fields.append(UInt8(field - last) << 4 | kind.rawValue)
    last = field
  }

  private static func binary(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    append(UInt64(text.utf8.count), to: &bytes)
    return bytes + Array(text.utf8)
  }

  private static func zigzag(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value << 1 ^ value >> 63)) }

  /// Appends a number in groups of seven bits, lowest first.
  static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
