/// Values of very many images, kept in blocks: growing copies nothing and leaves no holes in memory, where arrays that
/// double side by side take up to three times their values.
struct BlockArray<Element: Sendable>: Sequence, Sendable {
  private static var blockLength: Int { 1024 }

  private var blocks: [[Element]] = []
  private(set) var count = 0

  /// Adds a value at the end.
  mutating func append(_ element: Element) {
    if count.isMultiple(of: Self.blockLength) {
      blocks.append([])
      // Most corpora fill no block.
      if count > 0 { blocks[blocks.count - 1].reserveCapacity(Self.blockLength) }
    }
    blocks[blocks.count - 1].append(element)
    count += 1
  }

  /// All values in their order.
  func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { blocks.joined().makeIterator() }
  /// The number of values, so that an array of them is made in one piece.
  var underestimatedCount: Int { count }
}
