import CodecKit
import Model
import Pixels

/// An image directory of a TIFF (TIFF 6.0, section 2) or BigTIFF file.
struct TIFFDirectory {
  /// The tags that are read here.
  enum Tag: Int {
    case newSubfileType = 254
    case subfileType = 255
    case width = 256
    case height = 257
    case bitsPerSample = 258
    case compression = 259
    case photometric = 262
    case description = 270
    case make = 271
    case model = 272
    case stripOffsets = 273
    case orientation = 274
    case samplesPerPixel = 277
    case rowsPerStrip = 278
    case stripByteCounts = 279
    case planarConfiguration = 284
    case transferFunction = 301
    case software = 305
    case artist = 315
    case whitePoint = 318
    case primaryChromaticities = 319
    case colourMap = 320
    case tileWidth = 322
    case tileHeight = 323
    case tileOffsets = 324
    case tileByteCounts = 325
    case subdirectories = 330
    case inkSet = 332
    case numberOfInks = 334
    case extraSamples = 338
    case sampleFormat = 339
    case xmp = 700
    case colourFilterPatternSize = 33421
    case colourFilterPattern = 33422
    case copyright = 33432
    case iptc = 33723
    case photoshop = 34377
    case exif = 34665
    case iccProfile = 34675
    case gps = 34853
    case layers = 37724
    case dngVersion = 50706
  }

  private struct Entry {
    var type: Int
    /// The number of bytes of a value.
    var size: Int
    var count: Int
    /// Offset of the values in the file.
    var place: Int

    var byteCount: Int { count *| size }
  }

  /// The number of bytes of a value, by type.
  private static let sizes: [Int: Int] = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8,
  ]
  private static let integerTypes: Set = [1, 3, 4, 13, 16, 18]

  let offset: Int
  /// Offset of the next directory; 0 for none, nil if truncated.
  let next: Int?
  private let bytes: TIFFBytes
  private let isBig: Bool
  private let entries: [Int: Entry]

  /// Reads a directory; nil if it is incomplete.
  init?(_ bytes: TIFFBytes, at offset: Int, isBig: Bool) {
    let (countSize, entrySize, inline) = isBig ? (8, 20, 8) : (2, 12, 4)
    guard let count = bytes.number(at: offset, length: countSize), count <= 65_535 else { return nil }
    let first = offset +| countSize
    let end = first +| (count *| entrySize)
    guard bytes.part(at: first, length: count *| entrySize) != nil else { return nil }
    var entries: [Int: Entry] = [:]
    for index in count.indices {
      let start = first +| (index *| entrySize)
      guard let tag = bytes.number(at: start, length: 2), let type = bytes.number(at: start +| 2, length: 2),
        let size = Self.sizes[type], let values = bytes.number(at: start +| 4, length: inline)
      else { continue }
      let own = start +| 4 +| inline
      let isInline = values *| size <= inline
      guard let place = isInline ? own : bytes.number(at: own, length: inline) else { continue }
      // If a tag occurs several times, the first counts, as in libtiff.
      if entries[tag] == nil { entries[tag] = Entry(type: type, size: size, count: values, place: place) }
    }
    (self.offset, self.bytes, self.isBig, self.entries) = (offset, bytes, isBig, entries)
    next = bytes.number(at: end, length: inline)
  }

  func has(_ tag: Tag) -> Bool { entries[tag.rawValue] != nil }

  /// The number of bytes of a tag's values as stored; 0 without the tag.
  func byteCount(_ tag: Tag) -> Int { entries[tag.rawValue]?.byteCount ?? 0 }

  /// The number of bytes of all values.
  var byteCount: Int { entries.values.reduce(0) { $0 +| min($1.byteCount, bytes.count) } }

  /// The values of a tag as bytes; nil if missing or not all in the file.
  func data(_ tag: Tag) -> ArraySlice<UInt8>? {
    guard let entry = entries[tag.rawValue], entry.count > 0 else { return nil }
    return bytes.part(at: entry.place, length: entry.byteCount)
  }

  /// The first unsigned numbers of a tag; none if missing, truncated or of another type.
  func numbers(_ tag: Tag, most: Int = 1024) -> [Int] {
    guard let entry = entries[tag.rawValue], Self.integerTypes.contains(entry.type) else { return [] }
    return bytes.numbers(at: entry.place, length: entry.size, count: min(entry.count, most)) ?? []
  }

  func number(_ tag: Tag) -> Int? { numbers(tag, most: 1).first }

  /// A single number out of many.
  func number(_ tag: Tag, at index: Int) -> Int? {
    guard let entry = entries[tag.rawValue], Self.integerTypes.contains(entry.type),
      entry.count.indices.contains(index)
    else { return nil }
    return bytes.number(at: entry.place +| (index *| entry.size), length: entry.size)
  }

  /// Unsigned rationals; none if missing, of another type or with a zero denominator.
  func rationals(_ tag: Tag) -> [Double] {
    guard let entry = entries[tag.rawValue], entry.type == 5, entry.count <= 16 else { return [] }
    let values = entry.count.indices.compactMap { index -> Double? in
      let parts = bytes.numbers(at: entry.place +| (8 *| index), length: 4, count: 2)
      guard let over = parts?.first, let under = parts?.last, under > 0 else { return nil }
      return Double(over) / Double(under)
    }
    return values.count == entry.count ? values : []
  }

  /// The directory to which a tag points.
  func part(_ tag: Tag) -> TIFFDirectory? {
    number(tag).flatMap { TIFFDirectory(bytes, at: $0, isBig: isBig) }
  }

  /// The number of bytes of the image data according to the directory.
  var dataByteCount: Int {
    let lengths = numbers(has(.tileByteCounts) ? .tileByteCounts : .stripByteCounts, most: 1_000_000)
    return lengths.reduce(0) { $0 +| min($1, bytes.count) }
  }

  func text(_ tag: Tag) -> String? {
    guard entries[tag.rawValue]?.type == 2 else { return nil }
    return data(tag).flatMap(ExifText.clean)
  }
}
