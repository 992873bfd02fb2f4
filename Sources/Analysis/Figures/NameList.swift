/// The number of names, and the first few of them.
package struct NameList: Sendable, Hashable {
  private static let limit = 5
  package private(set) var count = 0
  package private(set) var first: [String] = []

  package init() {}

  package mutating func add(_ name: String) {
    count += 1
    if first.count < Self.limit { first.append(name) }
  }
}
