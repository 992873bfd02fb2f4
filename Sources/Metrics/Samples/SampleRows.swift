/// Anything that yields parts of rows as planes of floats.
protocol SampleRows {
  var width: Int { get }
  var height: Int { get }
  /// How many planes it fills, 1 to 3.
  var planes: Int { get }

  /// Fills the planes of `segment` with `columns` of row `y`, the first of them going to `offset` columns
  /// from the segment's start.
  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int)
}

extension PlanarImage: SampleRows {
  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int) {
    for index in 0..<planes {
      let from = row(index, y) + columns.lowerBound
      (segment.plane(index) + offset).update(from: from, count: columns.count)
    }
  }
}
