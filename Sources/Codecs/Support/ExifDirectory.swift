import Pixels

/// An image directory in Exif metadata, which is a TIFF file (CIPA DC-008; TIFF 6.0, section 2).
struct ExifDirectory {
  enum ValueType: Int {
    case ascii = 2
    case short = 3
    case long = 4
    case undefined = 7
    case signedRational = 10
  }

  /// The reader of the block; offsets in entries count from its beginning.
  let reader: ByteReader
  private let start: Int
  private let entries: Int

  /// The first directory; nil if the bytes are not a TIFF file.
  init?(_ tiff: ArraySlice<UInt8>) {
    var reader = ByteReader(tiff)
    switch reader.word(at: 0) {
    case 0x4949: reader.isLittleEndian = true
    case 0x4D4D: break
    default: return nil
    }
    guard reader.word(at: 2) == 42, let start = reader.long(at: 4) else { return nil }
    self.init(reader, at: start)
  }

  init?(_ reader: ByteReader, at start: Int) {
    guard let entries = reader.word(at: start) else { return nil }
    (self.reader, self.start, self.entries) = (reader, start, entries)
  }

  var next: ExifDirectory? {
    guard let start = reader.long(at: start +| 2 +| 12 *| entries), start > 0 else { return nil }
    return ExifDirectory(reader, at: start)
  }

  func entry(_ tag: Int, _ type: ValueType) -> Int? {
    for index in entries.indices {
      let entry = start +| 2 +| 12 *| index
      guard let found = reader.word(at: entry) else { return nil }
      if found == tag { return reader.word(at: entry +| 2) == type.rawValue ? entry : nil }
    }
    return nil
  }

  func long(_ tag: Int) -> Int? { entry(tag, .long).flatMap { reader.long(at: $0 +| 8) } }
}

enum ExifOrientation {
  /// The orientation of the first image directory; nil if missing or not one of the eight.
  static func find(in tiff: ArraySlice<UInt8>) -> Orientation? {
    guard let directory = ExifDirectory(tiff), let entry = directory.entry(274, .short),
      directory.reader.long(at: entry +| 4) == 1
    else { return nil }
    // A single SHORT is stored in the first two bytes of the value field.
    return directory.reader.word(at: entry +| 8).flatMap(Orientation.init(rawValue:))
  }
}
