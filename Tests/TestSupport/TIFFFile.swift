/// Writes small TIFF files: uncompressed or PackBits, in strips or tiles, in both byte orders, and BigTIFF.
package struct TIFFFile {
  package enum Values {
    case bytes([UInt8])
    case text(String)
    case shorts([Int])
    case longs([Int])
    case rationals([(Int, Int)])

    fileprivate var type: Int {
      switch self {
      case .bytes: 7
      case .text: 2
      case .shorts: 3
      case .longs: 4
      case .rationals: 5
      }
    }

    fileprivate var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .text(let text): text.utf8.count + 1
      case .shorts(let numbers), .longs(let numbers): numbers.count
      case .rationals(let pairs): pairs.count
      }
    }
  }

  /// A picture: its samples, pixel by pixel, and how they are stored.
  package struct Page {
    package var width, height: Int
    package var samples: [Int]
    package var bits = 8
    package var photometric = 1
    package var rowsPerStrip: Int?
    package var tile: (width: Int, height: Int)?
    package var isSeparate = false
    package var isPackBits = false
    /// Further tags. They replace written ones with the same number.
    package var tags: [Int: Values] = [:]
    /// The directories in tag 330.
    package var parts: [Page] = []
    /// Data to store as they are, instead of the samples.
    package var data: [[UInt8]]?
    package var samplesPerPixel: Int

    package init(width: Int, height: Int, samples: [Int], photometric: Int = 1) {
      (self.width, self.height, self.samples, self.photometric) = (width, height, samples, photometric)
      samplesPerPixel = samples.count / (width * height)
    }
  }

  package var isBigEndian = false
  package var isBig = false
  private var bytes: [UInt8] = []

  package init(isBigEndian: Bool = false, isBig: Bool = false) {
    (self.isBigEndian, self.isBig) = (isBigEndian, isBig)
  }

  /// A file of one picture.
  package static func file(_ page: Page, isBigEndian: Bool = false, isBig: Bool = false) -> [UInt8] {
    TIFFFile(isBigEndian: isBigEndian, isBig: isBig).file([page])
  }

  /// A file of pages, each directory after its data.
  package func file(_ pages: [Page]) -> [UInt8] {
    var writer = self
    writer.bytes = Array((isBigEndian ? "MM" : "II").utf8) + number(isBig ? 43 : 42, 2)
    if isBig { writer.bytes += number(8, 2) + number(0, 2) }
    // Where the offset of the next directory belongs.
    var place = writer.bytes.count
    writer.bytes += writer.number(0, writer.offsetSize)
    for page in pages {
      let (start, end) = writer.write(page)
      writer.bytes.replaceSubrange(place..<place + offsetSize, with: number(start, offsetSize))
      place = end
    }
    return writer.bytes
  }

  /// Bytes of each strip or tile.
  package static func sizes(of page: Page) -> [Int] { TIFFFile().encoded(page).map(\.count) }

  private var offsetSize: Int { isBig ? 8 : 4 }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }

  /// Appends data and directory. Returns the directory's position, and where the next one's offset belongs.
  private mutating func write(_ page: Page) -> (start: Int, end: Int) {
    let parts = page.parts.map { write($0).start }
    let chunks = page.data ?? encoded(page)
    let offsets = chunks.map { chunk in
      defer { bytes += chunk }
      return bytes.count
    }
    var tags: [Int: Values] = [
      256: .longs([page.width]), 257: .longs([page.height]),
      258: .shorts([Int](repeating: page.bits, count: page.samplesPerPixel)),
      259: .shorts([page.isPackBits ? 32773 : 1]), 262: .shorts([page.photometric]),
      277: .shorts([page.samplesPerPixel]), 284: .shorts([page.isSeparate ? 2 : 1]),
    ]
    if let tile = page.tile {
      tags[322] = .longs([tile.width])
      tags[323] = .longs([tile.height])
      tags[324] = .longs(offsets)
      tags[325] = .longs(chunks.map(\.count))
    } else {
      tags[278] = .longs([page.rowsPerStrip ?? page.height])
      tags[273] = .longs(offsets)
      tags[279] = .longs(chunks.map(\.count))
    }
    if !parts.isEmpty { tags[330] = .longs(parts) }
    return writeDirectory(tags.merging(page.tags) { _, new in new })
  }

  private mutating func writeDirectory(_ tags: [Int: Values]) -> (start: Int, end: Int) {
    var entries: [UInt8] = number(tags.count, isBig ? 8 : 2)
    for (tag, values) in tags.sorted(by: { $0.key < $1.key }) {
      var data: [UInt8] =
        switch values {
        case .bytes(let bytes): bytes
        case .text(let text): Array(text.utf8) + [0]
        case .shorts(let numbers): numbers.flatMap { number($0, 2) }
        case .longs(let numbers): numbers.flatMap { number($0, 4) }
        case .rationals(let pairs): pairs.flatMap { number($0.0, 4) + number($0.1, 4) }
        }
      if data.count > offsetSize {
        let place = bytes.count
        bytes += data
        data = number(place, offsetSize)
      }
      data += [UInt8](repeating: 0, count: offsetSize - data.count)
      entries += number(tag, 2) + number(values.type, 2) + number(values.count, offsetSize) + data
    }
    let start = bytes.count
    bytes += entries + number(0, offsetSize)
    return (start, bytes.count - offsetSize)
  }

  /// The strips or tiles, plane by plane if they are separate.
  private func encoded(_ page: Page) -> [[UInt8]] {
    let planes = page.isSeparate ? (0..<page.samplesPerPixel).map { [$0] } : [Array(0..<page.samplesPerPixel)]
    let columns = page.tile?.width ?? page.width
    let rows = page.tile?.height ?? page.rowsPerStrip ?? page.height
    var chunks: [[UInt8]] = []
    for plane in planes {
      for top in stride(from: 0, to: page.height, by: rows) {
        for left in stride(from: 0, to: page.width, by: columns) {
          let end = page.tile == nil ? min(top + rows, page.height) : top + rows
          let lines = (top..<end).map { y in
            packed(
              (left..<left + columns).flatMap { x in plane.map { page.sample(x, y, $0) } }, bits: page.bits)
          }
          chunks.append(lines.flatMap { page.isPackBits ? Self.packBits($0) : $0 })
        }
      }
    }
    return chunks
  }

  private func packed(_ samples: [Int], bits: Int) -> [UInt8] {
    if bits == 16 { return samples.flatMap { number($0, 2) } }
    var bytes = [UInt8](repeating: 0, count: (samples.count * bits + 7) / 8)
    for (index, sample) in samples.enumerated() {
      for bit in 0..<bits where sample >> (bits - 1 - bit) & 1 == 1 {
        let place = index * bits + bit
        bytes[place / 8] |= 0x80 >> UInt8(place % 8)
      }
    }
    return bytes
  }

  /// Runs and literals of up to 128 bytes (TIFF 6.0, section 9).
  private static func packBits(_ row: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    var rest = row[...]
    while let first = rest.first {
      let run = min(rest.prefix { $0 == first }.count, 128)
      packed += run > 1 ? [UInt8(257 - run), first] : [0, first]
      rest = rest.dropFirst(run)
    }
    return packed
  }
}

extension TIFFFile.Page {
  /// A sample, or 0 in the padding of tiles.
  fileprivate func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
    x < width && y < height ? samples[(y * width + x) * samplesPerPixel + channel] : 0
  }
}
