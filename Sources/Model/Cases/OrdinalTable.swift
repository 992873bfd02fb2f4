/// A key with a fixed index among all keys of its type.
///
/// This and `OrdinalTable` are public so that the compiler specialises them in other modules: tables take a tenth of a
/// report's time.
public protocol Ordinal: Sendable, Hashable {
  /// The number of keys.
  static var count: Int { get }
  /// The key's index, from 0.
  var ordinal: Int { get }
}

/// Values indexed by the ordinals of their keys, in one block of memory that copies share: points are read by the
/// million, and dictionaries would cost more than everything else. An empty table takes no memory.
public struct OrdinalTable<Key: Ordinal, Value> {
  @usableFromInline var values: [Value?] = []

  @inlinable package init() {}

  @inlinable package init(_ value: (Key) throws -> Value?) rethrows where Key: CaseIterable {
    for key in Key.allCases { self[key] = try value(key) }
  }

  @inlinable package subscript(key: Key) -> Value? {
    get { key.ordinal < values.count ? values[key.ordinal] : nil }
    set {
      if values.isEmpty, newValue != nil { values = Array(repeating: nil, count: Key.count) }
      if key.ordinal < values.count { values[key.ordinal] = newValue }
    }
  }

  @inlinable package subscript(key: Key, default start: @autoclosure () -> Value) -> Value {
    get { self[key] ?? start() }
    set { self[key] = newValue }
  }

  /// True if no key has ever had a value.
  @inlinable package var isEmpty: Bool { values.isEmpty }

  @inlinable package var known: [Value] { values.compactMap(\.self) }

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

package typealias OperationTable<Value> = OrdinalTable<TimedOperation, Value>

extension OrdinalTable: ExpressibleByDictionaryLiteral {
  /// Creates a table of the given values.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    for (key, value) in elements { self[key] = value }
  }
}
