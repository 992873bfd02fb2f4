import CodecKit

/// Rows of a baseline JPEG file that decode without what is above them: from one restart marker to another, behind
/// the file's own tables, they are a file themselves (ITU-T T.81, E.2.4). libjpeg does not seek by itself.
struct JPEGBands {
  /// A part of the picture as a file.
  struct Band {
    /// The file.
    var bytes: [UInt8]
    /// The picture's row that is its first.
    var firstRow: Int
    /// How far into the whole file one has to look to make it.
    var touchedBytes: Int
  }

  /// Chroma is interpolated between rows, so one more row of units on either side has to be there.
  private static let margin = 1

  private let bytes: [UInt8]
  private let markers: JPEGMarkers
  private let frame: JPEGMarkers.Frame
  /// Where the coded units begin.
  private let start: Int
  /// Rows of units from one usable restart marker to the next, and restart intervals in that.
  private let rowsPerBand, intervalsPerBand: Int

  /// Looks at a file; nil where its rows cannot be taken apart.
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

  /// The rows `rows`, and some above and below; nil where that is all of the picture, or where the markers are not
  /// those of an undamaged file.
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

  /// The coded bytes of the first intervals; nil where the markers between them are missing or out of order.
  private func intervals(upTo count: Int, isLast: Bool) -> [Range<Int>]? {
    var intervals: [Range<Int>] = []
    var begin = start
    return bytes.withUnsafeBufferPointer { bytes in
      var position = start
      while position + 1 < bytes.count {
        guard bytes[position] == 0xFF, bytes[position + 1] != 0 else {
          position += 1
          continue
        }
        let marker = bytes[position + 1]
        if marker == 0xFF {
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
