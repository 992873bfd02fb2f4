import Foundation
import GRDB
import Model

/// Typed access to columns of a possibly damaged or hand-edited database. NULL gives nil.
extension Row {
  func integer(_ index: Int) throws -> Int? { try (self[index] as DatabaseValue).integer(column: index) }

  func text(_ index: Int) throws -> String? { try (self[index] as DatabaseValue).text(column: index) }

  /// Whole numbers may be stored as integers.
  func number(_ index: Int) throws -> Double? { try (self[index] as DatabaseValue).number(column: index) }

  func bytes(_ index: Int) throws -> Data? {
    try (self[index] as DatabaseValue).bytes(column: index)
  }

  func hash(_ index: Int) throws -> String { try (self[index] as DatabaseValue).hash(column: index) }

  /// A value of a column that may not be NULL.
  func required<T>(_ index: Int, _ read: (Row) -> (Int) throws -> T?) throws -> T {
    guard let value = try read(self)(index) else { throw StoredValueError(column: index) }
    return value
  }
}

/// A statement's current row, for reads of every point: `Row` takes several times as long. NULL gives nil.
struct CurrentRow {
  private let statement: SQLiteStatement

  init(of statement: Statement) { self.statement = statement.sqliteStatement }

  private func value(_ index: Int) -> DatabaseValue {
    DatabaseValue(sqliteStatement: statement, index: CInt(index))
  }

  func integer(_ index: Int) throws -> Int? { try value(index).integer(column: index) }

  func text(_ index: Int) throws -> String? { try value(index).text(column: index) }

  /// Whole numbers may be stored as integers.
  func number(_ index: Int) throws -> Double? { try value(index).number(column: index) }

  func bytes(_ index: Int) throws -> Data? { try value(index).bytes(column: index) }

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
