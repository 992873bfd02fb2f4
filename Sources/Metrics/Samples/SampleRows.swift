protocol SampleRows {
  var width: Int { get }
  var height: Int { get }
  /// 1 to 3.
  var planes: Int { get }

  /// Fills the planes of `segment`, from `offset` columns after its start, with `columns` of row `y`.
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
