import Foundation
import GRDB
import Model

/// Reads columns without trusting that they hold what this code once wrote: a database may be damaged, or
/// edited by hand.
extension Row {
  /// The integer in a column, or nil for NULL.
  func integer(_ index: Int) throws -> Int? { try (self[index] as DatabaseValue).integer(column: index) }

  /// The text in a column, or nil for NULL.
  func text(_ index: Int) throws -> String? { try (self[index] as DatabaseValue).text(column: index) }

  /// The number in a column, or nil for NULL. Whole numbers may be stored as integers.
  func number(_ index: Int) throws -> Double? { try (self[index] as DatabaseValue).number(column: index) }

  /// The bytes in a column, or nil for NULL.
  func bytes(_ index: Int) throws -> Data? {
    try (self[index] as DatabaseValue).bytes(column: index)
  }

  /// The hash in a column; see `StoredHash`.
  func hash(_ index: Int) throws -> String { try (self[index] as DatabaseValue).hash(column: index) }

  /// A value of a column that may not be NULL.
  func required<T>(_ index: Int, _ read: (Row) -> (Int) throws -> T?) throws -> T {
    guard let value = try read(self)(index) else { throw StoredValueError(column: index) }
    return value
  }
}

/// The row that a statement stands at, for what is asked of every point: a `Row` hands out its columns through generic
/// code, which takes several times as long.
struct CurrentRow {
  private let statement: SQLiteStatement

  init(of statement: Statement) { self.statement = statement.sqliteStatement }

  private func value(_ index: Int) -> DatabaseValue {
    DatabaseValue(sqliteStatement: statement, index: CInt(index))
  }

  /// The integer in a column, or nil for NULL.
  func integer(_ index: Int) throws -> Int? { try value(index).integer(column: index) }

  /// The text in a column, or nil for NULL.
  func text(_ index: Int) throws -> String? { try value(index).text(column: index) }

  /// The number in a column, or nil for NULL. Whole numbers may be stored as integers.
  func number(_ index: Int) throws -> Double? { try value(index).number(column: index) }

  /// The bytes in a column, or nil for NULL.
  func bytes(_ index: Int) throws -> Data? { try value(index).bytes(column: index) }

  /// The hash in a column; see `StoredHash`.
  func hash(_ index: Int) throws -> String { try value(index).hash(column: index) }

  /// The integer in a column that may not be NULL.
  func count(_ index: Int) throws -> Int {
    guard let value = try integer(index) else { throw StoredValueError(column: index) }
    return value
  }
}

extension DatabaseValue {
  fileprivate func integer(column: Int) throws -> Int? {
    switch storage {
    case .int64(let number): return Int(number)
    case .null: return nil
    default: throw StoredValueError(column: column)
    }
  }

  fileprivate func text(column: Int) throws -> String? {
    switch storage {
    case .string(let text): return text
    case .null: return nil
    default: throw StoredValueError(column: column)
    }
  }

  fileprivate func bytes(column: Int) throws -> Data? {
    switch storage {
    case .blob(let data): return data
    case .null: return nil
    default: throw StoredValueError(column: column)
    }
  }

  fileprivate func hash(column: Int) throws -> String {
    guard let text = StoredHash.text(self) else { throw StoredValueError(column: column) }
    return text
  }

  fileprivate func number(column: Int) throws -> Double? {
    switch storage {
    case .double(let number): return number
    case .int64(let number): return Double(number)
    case .null: return nil
    default: throw StoredValueError(column: column)
    }
  }
}

/// A column holds something else than it should.
struct StoredValueError: Error {
  /// The column's position in its query.
  let column: Int
}

/// Hashes are stored as bytes, half as long as their text; what is no such hash is stored as text.
enum StoredHash {
  /// The value to store.
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

  /// The text that was stored; nil where the column holds no hash.
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

/// Structured values that no query looks into are stored as JSON with sorted keys, so that equal values are
/// equal text.
enum StoredJSON {
  /// The text to store.
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The text to store of a value with scores.
  static func scoredText(_ value: some Encodable) throws -> String {
    let encoder = ScoreJSON.encoder([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The value that was stored.
  static func value<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
