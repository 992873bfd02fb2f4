/// An image directory of a block of Exif metadata, which is a TIFF file (CIPA DC-008; TIFF 6.0, section 2).
struct ExifDirectory {
  /// What an entry's value may be.
  enum ValueType: Int {
    case ascii = 2
    case short = 3
    case long = 4
  }

  /// Reads the block; offsets in entries count from its beginning.
  let reader: ByteReader
  private let start: Int
  private let entries: Int

  /// The first directory; nil where the bytes are no TIFF file.
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

  private init?(_ reader: ByteReader, at start: Int) {
    guard let entries = reader.word(at: start) else { return nil }
    (self.reader, self.start, self.entries) = (reader, start, entries)
  }

  /// The directory after this one; nil where it is the last.
  var next: ExifDirectory? {
    guard let start = reader.long(at: start + 2 + 12 * entries), start > 0 else { return nil }
    return ExifDirectory(reader, at: start)
  }

  /// Where the entry of a tag lies that has a value of this type; nil where there is none, or another type.
  func entry(_ tag: Int, _ type: ValueType) -> Int? {
    for index in 0..<entries {
      let entry = start + 2 + 12 * index
      guard let found = reader.word(at: entry) else { return nil }
      if found == tag { return reader.word(at: entry + 2) == type.rawValue ? entry : nil }
    }
    return nil
  }

  /// An entry's value of type LONG.
  func long(_ tag: Int) -> Int? { entry(tag, .long).flatMap { reader.long(at: $0 + 8) } }
}
