/// One record of a CSV file: its fields, decoded, in one piece of memory.
struct CSVRecord {
  /// The line that the record begins on, counted from 1.
  var line = 1
  /// The fields' bytes, one after another, without quotes.
  var bytes: [UInt8] = []
  /// Where each field ends in `bytes`.
  var ends: [Int] = []

  /// The number of fields.
  var count: Int { ends.count }

  /// Whether the record is an empty line.
  var isBlank: Bool { count == 1 && bytes.isEmpty }

  /// The field at a position, or an empty one where there is none. Bytes that are no UTF-8 are replaced.
  subscript(_ index: Int) -> String {
    guard ends.indices.contains(index) else { return "" }
    return String(decoding: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]], as: UTF8.self)
  }

  /// Whether the field at a position is empty or missing.
  func isEmpty(_ index: Int) -> Bool {
    guard ends.indices.contains(index) else { return true }
    return ends[index] == (index == 0 ? 0 : ends[index - 1])
  }

  /// Forgets the fields and keeps the memory.
  mutating func clear(line: Int) {
    self.line = line
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
