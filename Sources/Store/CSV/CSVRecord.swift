struct CSVRecord {
  /// The first line of the record, counted from 1.
  var line = 1
  /// The fields' bytes, concatenated, without quotes.
  var bytes: [UInt8] = []
  var ends: [Int] = []

  var count: Int { ends.count }

  var isBlank: Bool { count == 1 && bytes.isEmpty }

  /// The field at a position, empty if missing. Invalid UTF-8 is replaced.
  subscript(_ index: Int) -> String {
    guard ends.indices.contains(index) else { return "" }
    return String(decoding: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]], as: UTF8.self)
  }

  func isEmpty(_ index: Int) -> Bool {
    guard ends.indices.contains(index) else { return true }
    return ends[index] == (index == 0 ? 0 : ends[index - 1])
  }

  /// Discards the fields but keeps their memory.
  mutating func clear(line: Int) {
    self.line = line
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
