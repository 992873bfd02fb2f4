import CodecKit
import Pixels

/// Finds the orientation in a block of Exif metadata, which is a TIFF file (CIPA DC-008, TIFF 6.0).
enum ExifOrientation {
  /// The orientation of the first image directory; nil where there is none or it is not one of the eight.
  static func find(in tiff: ArraySlice<UInt8>) -> Orientation? {
    var reader = ByteReader(tiff)
    switch reader.word(at: 0) {
    case 0x4949: reader.isLittleEndian = true
    case 0x4D4D: break
    default: return nil
    }
    guard reader.word(at: 2) == 42, let directory = reader.long(at: 4),
      let entries = reader.word(at: directory)
    else { return nil }
    for index in 0..<entries {
      let entry = directory + 2 + 12 * index
      guard let tag = reader.word(at: entry) else { return nil }
      guard tag == 274 else { continue }
      // A single SHORT lies in the first two bytes of the value field.
      guard reader.word(at: entry + 2) == 3, reader.long(at: entry + 4) == 1 else { return nil }
      return reader.word(at: entry + 8).flatMap(Orientation.init(rawValue:))
    }
    return nil
  }
}
