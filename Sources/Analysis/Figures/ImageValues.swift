/// One value per image, as needed for a mean and its interval: the values themselves while they are few, then only
/// their moments, so a million images take no more memory than a thousand.
package struct ImageValues: Sendable {
  package private(set) var count = 0
  /// Values in the order of their images; empty above `Bootstrap.maximumImages`.
  private(set) var few: [Double] = []
  private var sum = 0.0
  /// Running mean and sum of squared distances from it (Welford, Note on a method for calculating corrected sums of
  /// squares and products, 1962); sums of squared values would lose precision by cancellation.
  private var center = 0.0
  private var squares = 0.0

  package init(_ values: some Sequence<Double> = []) {
    for value in values { add(value) }
  }

  package mutating func add(_ value: Double) {
    count += 1
    if count <= Bootstrap.maximumImages { few.append(value) } else { few = [] }
    sum += value
    let distance = value - center
    center += distance / Double(count)
    squares += distance * (value - center)
  }

  package var mean: Double? { count > 0 ? sum / Double(count) : nil }
  /// Sample variance, over count − 1; nil for fewer than two values.
  package var variance: Double? { count > 1 ? squares / Double(count - 1) : nil }
}

/// Values of very many images in blocks. Growth copies nothing and leaves no holes in memory, whereas arrays that
/// double side by side take up to three times the memory of their values.
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

  package subscript(index: Int) -> Element { blocks[index / Self.blockLength][index % Self.blockLength] }

  package func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { blocks.joined().makeIterator() }
  /// Exact, so that an array of the values is allocated only once.
  package var underestimatedCount: Int { count }
}
