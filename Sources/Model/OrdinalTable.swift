/// A key with a fixed place among all of its kind.
///
/// It and `OrdinalTable` are public for the compiler's sake: of types that are not, it specializes nothing for other modules,
/// and tables are a tenth of a report.
public protocol Ordinal: Sendable, Hashable {
  /// How many there are.
  static var count: Int { get }
  /// Its place, from 0.
  var ordinal: Int { get }
}

/// Values by the places of their keys, in one block of memory that copies share: points are read by the million, and
/// dictionaries would cost more than all else. An empty table takes no memory.
public struct OrdinalTable<Key: Ordinal, Value> {
  @usableFromInline var values: [Value?] = []

  /// Starts with nothing known.
  @inlinable package init() {}

  /// Asks for the value of each key.
  @inlinable package init(_ value: (Key) throws -> Value?) rethrows where Key: CaseIterable {
    for key in Key.allCases { self[key] = try value(key) }
  }

  /// A key's value; nil where it is not known.
  @inlinable package subscript(key: Key) -> Value? {
    get { key.ordinal < values.count ? values[key.ordinal] : nil }
    set {
      if values.isEmpty, newValue != nil { values = Array(repeating: nil, count: Key.count) }
      if key.ordinal < values.count { values[key.ordinal] = newValue }
    }
  }

  /// A key's value, which others begin with.
  @inlinable package subscript(key: Key, default start: @autoclosure () -> Value) -> Value {
    get { self[key] ?? start() }
    set { self[key] = newValue }
  }

  /// Whether no key has ever had a value.
  @inlinable package var isEmpty: Bool { values.isEmpty }

  /// The values that are known, in the order of their keys.
  @inlinable package var known: [Value] { values.compactMap(\.self) }

  /// A table of what becomes of each known value.
  @inlinable package func compactMapValues<Other>(_ transform: (Value) throws -> Other?) rethrows
    -> OrdinalTable<
      Key, Other
    >
  {
    var table = OrdinalTable<Key, Other>()
    guard !values.isEmpty else { return table }
    table.values = try values.map { try $0.flatMap(transform) }
    return table
  }
}

extension OrdinalTable: Sendable where Value: Sendable {}
extension OrdinalTable: Equatable where Value: Equatable {}
extension OrdinalTable: Hashable where Value: Hashable {}

/// A value for each operation that has one, such as its CPU time.
package typealias OperationTable<Value> = OrdinalTable<TimedOperation, Value>

extension OrdinalTable: ExpressibleByDictionaryLiteral {
  /// States the values that are known.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    for (key, value) in elements { self[key] = value }
  }
}
