import CodecKit
import Pixels

/// Marker segments of a JPEG file before its first scan (ITU-T T.81, annex B). Pure Swift.
struct JPEGMarkers: Sendable {
  /// Columns, at least 1.
  private(set) var width = 0
  /// Rows; 0 if a DNL segment after the first scan gives them.
  private(set) var height = 0
  private(set) var precision = 0
  /// 1 for gray, 3 for colour, 4 for CMYK.
  private(set) var components = 0
  /// The orientation from the first Exif segment that states one, as in all known programs; `up` by default.
  var orientation: Orientation { exifOrientation ?? .up }
  private var exifOrientation: Orientation?
  /// The ICC profile, joined from its chunks; nil if there is none. Without all chunks it is empty, so that it is
  /// dropped with the remark on broken profiles.
  private(set) var icc: [UInt8]?
  private(set) var thumbnail: ExifThumbnail?
  /// True if the decoder keeps all coefficients until the last scan.
  private(set) var isProgressive = false
  /// The number of coefficients of all components, padded to whole units of the most sampled component.
  private(set) var coefficientCount = 0
  private(set) var frame: Frame?
  /// The number of units between restart markers; 0 without them.
  private(set) var restartInterval = 0
  /// The offset of the first scan's coded units, if that scan has all components.
  private(set) var unitsStart: Int?

  struct Frame: Sendable {
    /// True for Huffman-coded sequential frames (SOF0 and SOF1).
    var isBaseline: Bool
    var unitWidth, unitHeight: Int
    /// Samples across and down of each component in a unit (H and V of T.81, A.1.1).
    var sampling: [SIMD2<Int>]
    /// Offset of the picture's height in the file.
    var heightPosition: Int
  }

  /// Reads the segments up to the first scan.
  /// - Throws: `malformed` without a complete frame header before the scan.
  init(_ bytes: [UInt8]) throws(CodecError) {
    let reader = ByteReader(bytes)
    guard reader.word(at: 0) == 0xFFD8 else { throw .malformed("not a JPEG file") }
    var walk = JPEGWalk(reader)
    var chunks: [Int: ArraySlice<UInt8>] = [:]
    var chunkCount = 0
    while let segment = walk.next() {
      if segment.isScan {
        if segment.body.byte(at: 0) == components { unitsStart = walk.position }
        break
      }
      switch segment.marker {
      case 0xDD: restartInterval = segment.body.word(at: 0) ?? 0
      case 0xE1: readExif(segment.body)
      case 0xE2: Self.collect(segment.body, &chunks, &chunkCount)
      default: if segment.isFrame { readFrame(segment) }
      }
    }
    guard width > 0, precision > 0, components > 0 else {
      throw .malformed("JPEG without a complete frame header")
    }
    if chunkCount > 0 {
      let isWhole = chunks.count == chunkCount
      icc = isWhole ? (chunkCount +| 1).indices.compactMap { chunks[$0] }.flatMap { $0 } : []
    }
  }

  private mutating func readFrame(_ segment: JPEGSegment) {
    let (marker, body) = (segment.marker, segment.body)
    guard components == 0, let precision = body.byte(at: 0), let height = body.word(at: 1),
      let width = body.word(at: 3), let components = body.byte(at: 5)
    else { return }
    (self.precision, self.height, self.width, self.components) = (precision, height, width, components)
    isProgressive = marker & 3 == 2
    let sampling = components.indices.compactMap { body.byte(at: 7 +| 3 *| $0) }.map { ($0 >> 4, $0 & 15) }
    let (columns, rows) = (max(sampling.map(\.0).max() ?? 1, 1), max(sampling.map(\.1).max() ?? 1, 1))
    let units = width.parts(of: 8 *| columns) *| height.parts(of: 8 *| rows)
    coefficientCount = sampling.reduce(0) { $0 +| units *| 64 *| $1.0 *| $1.1 }
    // If a scan has a single component, it is coded in single blocks, whatever its sampling factors (A.2.2).
    frame = Frame(
      isBaseline: marker == 0xC0 || marker == 0xC1, unitWidth: components == 1 ? 8 : 8 *| columns,
      unitHeight: components == 1 ? 8 : 8 *| rows, sampling: sampling.map { SIMD2($0.0, $0.1) },
      heightPosition: body.start +| 1)
  }

  private mutating func readExif(_ segment: ByteReader) {
    guard segment.has("Exif\0\0".utf8, at: 0), let tiff = segment.rest(from: 6)
    else { return }
    if thumbnail == nil { thumbnail = ExifThumbnail.find(in: tiff) }
    if exifOrientation == nil { exifOrientation = ExifOrientation.find(in: tiff) }
  }

  /// Collects a chunk of an ICC profile: its number from 1, the number of chunks, its share (ICC.1:2010, B.4).
  private static func collect(
    _ segment: ByteReader, _ chunks: inout [Int: ArraySlice<UInt8>], _ chunkCount: inout Int
  ) {
    guard segment.has("ICC_PROFILE\0".utf8, at: 0), let number = segment.byte(at: 12),
      let count = segment.byte(at: 13), number > 0, number <= max(count, 1),
      let share = segment.rest(from: 14)
    else { return }
    if chunkCount == 0 { chunkCount = count }
    if count == chunkCount { chunks[number] = share }
  }
}

/// A marker segment with its parameters (ITU-T T.81, B.1.1.4).
struct JPEGSegment {
  var marker: Int
  /// The parameters after the length.
  var body: ByteReader

  var isFrame: Bool {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: true
    default: false
    }
  }

  var isScan: Bool { marker == 0xDA }
}

/// Walks the segments of one picture in a JPEG file, past fill bytes, coded samples and garbage as libjpeg does.
struct JPEGWalk {
  private let reader: ByteReader
  /// Offset after the last segment, or after the picture's last marker.
  private(set) var position: Int
  private(set) var isAtEnd = false

  /// Starts after the first marker of the picture at `start`.
  init(_ reader: ByteReader, at start: Int = 0) { (self.reader, position) = (reader, start +| 2) }

  /// The next segment; nil after the last one, or if the next is truncated or broken.
  mutating func next() -> JPEGSegment? {
    while let marker = nextMarker() {
      isAtEnd = marker == 0xD9
      if isAtEnd { return nil }
      // Restart markers and similar ones have no parameters.
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      guard let length = reader.word(at: position), length >= 2,
        let body = reader.part(at: position +| 2, length: length -| 2)
      else { return nil }
      position +|= length
      return JPEGSegment(marker: marker, body: ByteReader(body))
    }
    return nil
  }

  private mutating func nextMarker() -> Int? {
    while let found = reader.offset(of: 0xFF, from: position) {
      position = found +| 1
      while reader.byte(at: position) == 0xFF { position +|= 1 }
      guard let marker = reader.byte(at: position) else { return nil }
      position +|= 1
      if marker != 0 { return marker }
    }
    return nil
  }

  /// Bytes of a file's entropy-coded segments, including restart markers (ITU-T T.81, B.1.1.5).
  static func codedBytes(of bytes: [UInt8]) -> Int {
    let reader = ByteReader(bytes)
    var walk = JPEGWalk(reader)
    var coded = 0
    while let segment = walk.next() {
      guard segment.isScan else { continue }
      let end = codedEnd(reader, walk.position)
      coded +|= end -| walk.position
      walk.position = end
    }
    return coded
  }

  /// The end of the coded samples: the first marker that is neither a stuffed byte nor a restart.
  private static func codedEnd(_ reader: ByteReader, _ start: Int) -> Int {
    var position = start
    while let found = reader.offset(of: 0xFF, from: position), let next = reader.byte(at: found +| 1) {
      if next != 0, !(0xD0...0xD7).contains(next) { return found }
      position = found +| 1
    }
    return reader.count
  }
}
