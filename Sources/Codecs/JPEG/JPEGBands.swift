import Pixels

/// Rows of a baseline JPEG file that can be decoded without the rows above: the data between two restart markers, after
/// the file's own tables, form a valid file (ITU-T T.81, E.2.4). libjpeg itself cannot seek.
struct JPEGBands {
  struct Band {
    var bytes: [UInt8]
    var firstRow: Int
    /// The length of the file's beginning that is needed to build the band.
    var touchedBytes: Int
  }

  /// Chroma interpolation across rows needs one more row of units on either side.
  private static let margin = 1

  private let reader: ByteReader
  private let markers: JPEGMarkers
  private let frame: JPEGMarkers.Frame
  private let start: Int
  /// Rows of units between usable restart markers, and the restart intervals they contain.
  private let rowsPerBand, intervalsPerBand: Int

  init?(_ bytes: [UInt8], _ markers: JPEGMarkers) {
    guard let frame = markers.frame, let start = markers.unitsStart, frame.isBaseline,
      markers.restartInterval > 0
    else { return nil }
    let units = markers.width.parts(of: frame.unitWidth)
    let interval = markers.restartInterval
    if interval.isMultiple(of: units) {
      (rowsPerBand, intervalsPerBand) = (interval /| units, 1)
    } else if units.isMultiple(of: interval) {
      (rowsPerBand, intervalsPerBand) = (1, units /| interval)
    } else {
      return nil
    }
    (reader, self.markers, self.frame, self.start) = (ByteReader(bytes), markers, frame, start)
  }

  /// A band that contains `rows`; nil if the band would be the whole picture, or if markers are damaged.
  func band(of rows: Range<Int>) -> Band? {
    let total = markers.height.parts(of: frame.unitHeight)
    let first = max(0, rows.lowerBound /| frame.unitHeight -| Self.margin) /| rowsPerBand
    let lastRow = min(total -| 1, (rows.upperBound -| 1) /| frame.unitHeight +| Self.margin)
    let last = lastRow /| rowsPerBand
    let bands = total.parts(of: rowsPerBand)
    guard first > 0 || last < bands -| 1 else { return nil }
    let end = (last +| 1) *| intervalsPerBand
    guard let intervals = intervals(upTo: end, isLast: last == bands -| 1), let lastPart = intervals.last
    else { return nil }
    let top = first *| rowsPerBand *| frame.unitHeight
    let bottom = min(markers.height, (last +| 1) *| rowsPerBand *| frame.unitHeight)
    let head = reader.part(at: 0, length: start).map { ByteReader($0) }
    guard var file = head?.replacing(at: frame.heightPosition, with: HEIFBoxes.short(bottom -| top)) else {
      return nil
    }
    for (number, interval) in intervals.skipping(first *| intervalsPerBand).enumerated() {
      if number > 0 { file.append(contentsOf: [0xFF, Self.restart(number -| 1)]) }
      file.append(contentsOf: reader.part(from: interval.start, to: interval.end) ?? [])
    }
    file.append(contentsOf: [0xFF, 0xD9])
    return Band(bytes: file, firstRow: top, touchedBytes: lastPart.end)
  }

  /// The restart marker after an interval; intervals count from 0.
  private static func restart(_ interval: Int) -> UInt8 { UInt8(truncatingIfNeeded: 0xD0 | interval & 7) }

  /// Coded bytes of the first intervals; nil if the markers between them are missing or out of order.
  private func intervals(upTo count: Int, isLast: Bool) -> [(start: Int, end: Int)]? {
    var intervals: [(start: Int, end: Int)] = []
    var (begin, position) = (start, start)
    while let found = reader.offset(of: 0xFF, from: position), let marker = reader.byte(at: found +| 1) {
      position = found +| 1
      // A zero follows a coded 0xFF, and several 0xFF bytes may precede a marker.
      guard marker != 0, marker != 0xFF else { continue }
      intervals.append((begin, found))
      if intervals.count == count { return isLast == (marker == 0xD9) ? intervals : nil }
      guard marker == 0xD0 | (intervals.count -| 1) & 7 else { return nil }
      position = found +| 2
      begin = position
    }
    return nil
  }
}
