import Pixels

enum ExifOrientation {
  /// The orientation of the first image directory; nil if missing or not one of the eight.
  static func find(in tiff: ArraySlice<UInt8>) -> Orientation? {
    guard let directory = ExifDirectory(tiff), let entry = directory.entry(274, .short),
      directory.reader.long(at: entry + 4) == 1
    else { return nil }
    // A single SHORT is in the first two bytes of the value field.
    return directory.reader.word(at: entry + 8).flatMap(Orientation.init(rawValue:))
  }
}
