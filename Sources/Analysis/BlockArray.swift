/// Values of very many images in blocks: growth copies nothing and leaves no holes in memory, whereas arrays that
/// double side by side take up to three times their values.
package struct BlockArray<Element: Sendable>: Sequence, Sendable {
  private static var blockLength: Int { 1024 }

  private var blocks: [[Element]] = []
  package private(set) var count = 0

  package init() {}

  package mutating func append(_ element: Element) {
    if count.isMultiple(of: Self.blockLength) {
      blocks.append([])
      // Most corpora fill no block.
      if count > 0 { blocks[blocks.count - 1].reserveCapacity(Self.blockLength) }
    }
    blocks[blocks.count - 1].append(element)
    count += 1
  }

  package func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { blocks.joined().makeIterator() }
  /// Exact, so that an array of the values is allocated once.
  package var underestimatedCount: Int { count }
}
