import Foundation
import GRDB
import Model

/// The current row of a statement, with typed access to columns of a possibly damaged or hand-edited database. NULL
/// gives nil. Used for reading every point, because GRDB's `Row` takes several times as long.
struct CurrentRow {
  private let statement: SQLiteStatement

  fileprivate init(of statement: Statement) { self.statement = statement.sqliteStatement }

  func value(_ index: Int) -> DatabaseValue {
    DatabaseValue(sqliteStatement: statement, index: CInt(index))
  }

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
  func count(_ index: Int) throws -> Int { try required(index, integer) }

  func number(of index: Int) throws -> Int64 { Int64(try count(index)) }

  func string(_ index: Int) throws -> String { try required(index, text) }

  private func required<T>(_ index: Int, _ read: (Int) throws -> T?) throws -> T {
    guard let value = try read(index) else { throw StoredValueError(column: index) }
    return value
  }
}

extension Database {
  func forEach(
    _ sql: String, _ arguments: StatementArguments = [], _ body: (CurrentRow) throws -> Void
  ) throws {
    try forEach(cachedStatement(sql: sql), arguments, body)
  }

  func forEach(
    _ statement: Statement, _ arguments: StatementArguments, _ body: (CurrentRow) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    let current = CurrentRow(of: statement)
    while try rows.next() != nil { try body(current) }
  }

  func map<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ transform: (CurrentRow) throws -> T
  ) throws -> [T] {
    var values: [T] = []
    try forEach(sql, arguments) { values.append(try transform($0)) }
    return values
  }
}

extension StatementArguments {
  /// Arguments from values. GRDB's own initialiser creates a key path on each call, which takes a tenth of the time of
  /// an append.
  init(values: [DatabaseValue]) { self.init(values.map { $0 as (any DatabaseValueConvertible)? }) }
}

struct StoredValueError: Error {
  let column: Int
}

/// Storage of hashes as bytes, half as long as their text; anything else is stored as text.
enum StoredHash {
  static func value(_ hash: String) -> DatabaseValue {
    guard hash.utf8.count == 64, let bytes = [UInt8](hexadecimal: hash) else { return hash.databaseValue }
    return Data(bytes).databaseValue
  }

  static func text(_ value: DatabaseValue) -> String? {
    switch value.storage {
    case .string(let text): text
    case .blob(let data): data.withUnsafeBytes(\.hexadecimal)
    default: nil
    }
  }
}

/// JSON storage of structured values that queries do not look into, with sorted keys so that equal values have equal
/// text.
enum StoredJSON {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = ScoreJSON.encoder([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func value<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
