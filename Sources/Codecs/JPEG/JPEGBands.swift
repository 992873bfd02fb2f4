/// Rows of a baseline JPEG file that decode without those above: the data between two restart markers, after the file's
/// own tables, form a valid file (ITU-T T.81, E.2.4). libjpeg itself cannot seek.
struct JPEGBands {
  struct Band {
    var bytes: [UInt8]
    var firstRow: Int
    /// Length of the source prefix needed to build it.
    var touchedBytes: Int
  }

  /// Chroma interpolation across rows needs one more row of units on either side.
  private static let margin = 1

  private let bytes: [UInt8]
  private let markers: JPEGMarkers
  private let frame: JPEGMarkers.Frame
  private let start: Int
  /// Rows of units between usable restart markers, and the restart intervals they contain.
  private let rowsPerBand, intervalsPerBand: Int

  init?(_ bytes: [UInt8], _ markers: JPEGMarkers) {
    guard let frame = markers.frame, let start = markers.unitsStart, frame.isBaseline,
      markers.restartInterval > 0
    else { return nil }
    let units = (markers.width + frame.unitWidth - 1) / frame.unitWidth
    let interval = markers.restartInterval
    if interval.isMultiple(of: units) {
      (rowsPerBand, intervalsPerBand) = (interval / units, 1)
    } else if units.isMultiple(of: interval) {
      (rowsPerBand, intervalsPerBand) = (1, units / interval)
    } else {
      return nil
    }
    (self.bytes, self.markers, self.frame, self.start) = (bytes, markers, frame, start)
  }

  /// A band that contains `rows`; nil if that is the whole picture, or if markers are damaged.
  func band(of rows: Range<Int>) -> Band? {
    let total = (markers.height + frame.unitHeight - 1) / frame.unitHeight
    let first = max(0, rows.lowerBound / frame.unitHeight - Self.margin) / rowsPerBand
    let lastRow = min(total - 1, (rows.upperBound - 1) / frame.unitHeight + Self.margin)
    let last = lastRow / rowsPerBand
    let bands = (total + rowsPerBand - 1) / rowsPerBand
    guard first > 0 || last < bands - 1 else { return nil }
    let wanted = first * intervalsPerBand..<(last + 1) * intervalsPerBand
    guard let intervals = intervals(upTo: wanted.upperBound, isLast: last == bands - 1) else { return nil }
    let top = first * rowsPerBand * frame.unitHeight
    let bottom = min(markers.height, (last + 1) * rowsPerBand * frame.unitHeight)
    var file = Array(bytes[..<start])
    file[frame.heightPosition] = UInt8(truncatingIfNeeded: (bottom - top) >> 8)
    file[frame.heightPosition + 1] = UInt8(truncatingIfNeeded: bottom - top)
    for (number, index) in wanted.enumerated() {
      if number > 0 { file += [0xFF, 0xD0 + UInt8((number - 1) & 7)] }
      file += bytes[intervals[index]]
    }
    file += [0xFF, 0xD9]
    return Band(bytes: file, firstRow: top, touchedBytes: intervals[wanted.upperBound - 1].upperBound)
  }

  /// Coded bytes of the first intervals; nil if the markers between them are missing or out of order.
  private func intervals(upTo count: Int, isLast: Bool) -> [Range<Int>]? {
    var intervals: [Range<Int>] = []
    var (begin, position) = (start, start)
    return bytes.withUnsafeBufferPointer { bytes in
      while position + 1 < bytes.count {
        let marker = bytes[position + 1]
        // A zero follows a coded 0xFF, and a marker may follow several.
        guard bytes[position] == 0xFF, marker != 0, marker != 0xFF else {
          position += 1
          continue
        }
        intervals.append(begin..<position)
        if intervals.count == count { return isLast == (marker == 0xD9) ? intervals : nil }
        guard marker == 0xD0 + UInt8((intervals.count - 1) & 7) else { return nil }
        position += 2
        begin = position
      }
      return nil
    }
  }
}
