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
  /// From Exif; `up` by default.
  private(set) var orientation = Orientation.up
  /// The ICC profile, joined from its chunks; nil if there is none or a chunk is missing.
  private(set) var icc: [UInt8]?
  private(set) var thumbnail: ExifThumbnail?
  /// True if the decoder holds all coefficients until the last scan.
  private(set) var isProgressive = false
  /// Coefficients of all components, padded to whole units of the most sampled one.
  private(set) var coefficientCount = 0
  /// The first frame; nil if its header is cut off.
  private(set) var frame: Frame?
  /// Units between restart markers; 0 without them.
  private(set) var restartInterval = 0
  /// Offset of the first scan's coded units, if that scan has all components.
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

  /// Walks the segments up to the first scan.
  /// - Throws: `malformed` without a complete frame header before the scan.
  init(_ bytes: [UInt8]) throws(CodecError) {
    let reader = ByteReader(bytes)
    guard reader.word(at: 0) == 0xFFD8 else { throw .malformed("no JPEG file") }
    var position = 2
    var chunks: [Int: ArraySlice<UInt8>] = [:]
    var chunkCount = 0
    walk: while let marker = Self.nextMarker(bytes, &position) {
      switch marker {
      case 0xDA:
        if let length = reader.word(at: position), reader.byte(at: position + 2) == components {
          unitsStart = position + length
        }
        break walk
      case 0xD9: break walk
      case 0x01, 0xD0...0xD8: continue
      default: break
      }
      guard let length = reader.word(at: position), length >= 2,
        let segment = reader.part(at: position + 2, length: length - 2)
      else { break walk }
      position += length
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        readFrame(ByteReader(segment), marker, at: position - length + 2)
      case 0xDD: restartInterval = ByteReader(segment).word(at: 0) ?? 0
      case 0xE1: readExif(ByteReader(segment))
      case 0xE2: Self.collect(ByteReader(segment), &chunks, &chunkCount)
      default: break
      }
    }
    guard width > 0, precision > 0, components > 0 else {
      throw .malformed("JPEG without a whole frame header")
    }
    if chunkCount > 0, chunks.count == chunkCount {
      icc = (1...chunkCount).compactMap { chunks[$0] }.flatMap { $0 }
    }
  }

  /// Returns the next marker, past fill bytes and garbage as libjpeg does, and moves `position` past it.
  static func nextMarker(_ bytes: [UInt8], _ position: inout Int) -> Int? {
    while position < bytes.count, let found = bytes[position...].firstIndex(of: 0xFF) {
      position = found + 1
      while position < bytes.count, bytes[position] == 0xFF { position += 1 }
      guard position < bytes.count else { return nil }
      position += 1
      if bytes[position - 1] != 0 { return Int(bytes[position - 1]) }
    }
    return nil
  }

  private mutating func readFrame(_ segment: ByteReader, _ marker: Int, at position: Int) {
    guard components == 0, let precision = segment.byte(at: 0), let height = segment.word(at: 1),
      let width = segment.word(at: 3), let components = segment.byte(at: 5)
    else { return }
    (self.precision, self.height, self.width, self.components) = (precision, height, width, components)
    isProgressive = marker & 3 == 2
    let sampling = (0..<components).compactMap { segment.byte(at: 7 + 3 * $0) }.map { ($0 >> 4, $0 & 15) }
    let (columns, rows) = (max(sampling.map(\.0).max() ?? 1, 1), max(sampling.map(\.1).max() ?? 1, 1))
    let units = ((width + 8 * columns - 1) / (8 * columns)) * ((height + 8 * rows - 1) / (8 * rows))
    coefficientCount = sampling.reduce(0) { $0 + units * 64 * $1.0 * $1.1 }
    // A component alone in its scan is coded in single blocks, whatever its sampling factors (A.2.2).
    frame = Frame(
      isBaseline: marker == 0xC0 || marker == 0xC1, unitWidth: components == 1 ? 8 : 8 * columns,
      unitHeight: components == 1 ? 8 : 8 * rows, sampling: sampling.map { SIMD2($0.0, $0.1) },
      heightPosition: position + 1)
  }

  private mutating func readExif(_ segment: ByteReader) {
    guard segment.has("Exif\0\0".utf8, at: 0), let tiff = segment.part(at: 6, length: segment.count - 6)
    else { return }
    if thumbnail == nil { thumbnail = ExifThumbnail.find(in: tiff) }
    if let found = ExifOrientation.find(in: tiff) { orientation = found }
  }

  /// Collects a chunk of an ICC profile: its number from 1, the number of chunks, its share (ICC.1:2010, B.4).
  private static func collect(
    _ segment: ByteReader, _ chunks: inout [Int: ArraySlice<UInt8>], _ chunkCount: inout Int
  ) {
    guard segment.has("ICC_PROFILE\0".utf8, at: 0), let number = segment.byte(at: 12),
      let count = segment.byte(at: 13), (1...max(count, 1)).contains(number),
      let share = segment.part(at: 14, length: segment.count - 14)
    else { return }
    if chunkCount == 0 { chunkCount = count }
    if count == chunkCount { chunks[number] = share }
  }
}

extension JPEGMarkers {
  /// Bytes of a file's entropy-coded segments, restart markers included (ITU-T T.81, B.1.1.5).
  static func codedBytes(of bytes: [UInt8]) -> Int {
    let reader = ByteReader(bytes)
    var position = 2
    var coded = 0
    while reader.byte(at: position) == 0xFF, let marker = reader.byte(at: position + 1), marker != 0xD9,
      let length = reader.word(at: position + 2), length >= 2
    {
      position += 2 + length
      guard marker == 0xDA else { continue }
      let start = position
      position = codedEnd(bytes, position)
      coded += position - start
    }
    return coded
  }

  /// End of the coded samples: the first marker that is neither a stuffed byte nor a restart.
  static func codedEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    var position = start
    while position < bytes.count, let found = bytes[position...].firstIndex(of: 0xFF), found + 1 < bytes.count
    {
      if bytes[found + 1] != 0, !(0xD0...0xD7).contains(bytes[found + 1]) { return found }
      position = found + 1
    }
    return max(start, bytes.count)
  }
}
