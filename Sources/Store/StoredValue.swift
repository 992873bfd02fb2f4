import Foundation
import GRDB
import Model

/// Typed access to columns of a possibly damaged or hand-edited database. NULL gives nil.
protocol StoredColumns {
  func value(_ index: Int) -> DatabaseValue
}

extension StoredColumns {
  private func value<T>(_ index: Int, _ read: (DatabaseValue.Storage) -> T?) throws -> T? {
    let storage = value(index).storage
    if case .null = storage { return nil }
    guard let value = read(storage) else { throw StoredValueError(column: index) }
    return value
  }

  func integer(_ index: Int) throws -> Int? {
    try value(index) { if case .int64(let number) = $0 { Int(number) } else { nil } }
  }

  func text(_ index: Int) throws -> String? {
    try value(index) { if case .string(let text) = $0 { text } else { nil } }
  }

  /// Whole numbers may be stored as integers.
  func number(_ index: Int) throws -> Double? {
    try value(index) {
      switch $0 {
      case .double(let number): number
      case .int64(let number): Double(number)
      default: nil
      }
    }
  }

  func bytes(_ index: Int) throws -> Data? {
    try value(index) { if case .blob(let data) = $0 { data } else { nil } }
  }

  func hash(_ index: Int) throws -> String {
    guard let text = StoredHash.text(value(index)) else { throw StoredValueError(column: index) }
    return text
  }

  /// The integer in a column that may not be NULL.
  func count(_ index: Int) throws -> Int {
    guard let value = try integer(index) else { throw StoredValueError(column: index) }
    return value
  }

  /// A value of a column that may not be NULL.
  func required<T>(_ index: Int, _ read: (Self) -> (Int) throws -> T?) throws -> T {
    guard let value = try read(self)(index) else { throw StoredValueError(column: index) }
    return value
  }
}

extension Row: StoredColumns {
  func value(_ index: Int) -> DatabaseValue { self[index] }
}

/// A statement's current row, for reads of every point: `Row` takes several times as long.
struct CurrentRow: StoredColumns {
  private let statement: SQLiteStatement

  init(of statement: Statement) { self.statement = statement.sqliteStatement }

  func value(_ index: Int) -> DatabaseValue {
    DatabaseValue(sqliteStatement: statement, index: CInt(index))
  }
}

struct StoredValueError: Error {
  /// The column's position in its query.
  let column: Int
}

/// Storage of hashes as bytes, half as long as their text; anything else is stored as text.
enum StoredHash {
  static func value(_ hash: String) -> DatabaseValue {
    guard hash.utf8.count == 64 else { return hash.databaseValue }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    var high: UInt8?
    for digit in hash.utf8 {
      guard let nibble = nibble(digit) else { return hash.databaseValue }
      if let first = high {
        bytes.append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
    return Data(bytes).databaseValue
  }

  static func text(_ value: DatabaseValue) -> String? {
    switch value.storage {
    case .string(let text): return text
    case .blob(let data):
      return String(unsafeUninitializedCapacity: data.count * 2) { digits in
        for (index, byte) in data.enumerated() {
          digits[index * 2] = digit(byte >> 4)
          digits[index * 2 + 1] = digit(byte & 15)
        }
        return data.count * 2
      }
    default: return nil
    }
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10 }
}

/// JSON storage of structured values that no query looks into, with sorted keys, so that equal values are equal text.
enum StoredJSON {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The text of a value with scores, which may be infinite.
  static func scoredText(_ value: some Encodable) throws -> String {
    let encoder = ScoreJSON.encoder([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func value<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
