import CodecKit
import Pixels

/// The size in a coded image's own headers, and its colours for files whose boxes state none.
struct BitstreamHeader {
  /// Size of the decoded picture, in samples.
  var width, height: Int
  /// The number of samples that HEVC's conformance window hides, in the direction that hides more.
  private(set) var hidden = 0
  /// The side of the largest coding blocks in samples, which is the most that padding can add to a picture.
  var block = 64
  /// Code points, if the header states them.
  var points: CodePoints?
  /// Matrix coefficients (H.273), if the header states them.
  var matrix: Int?
  /// True if samples use the full range, if the header states it.
  var isFullRange: Bool?
  /// The position of the bit that states the range, from the beginning of the file.
  var rangeBit: Int?
  /// The fields that the headers of AV1's frames depend on.
  var frames = AV1Frames()
  /// The number of HEVC temporal layers after the first.
  private var layers = 0

  private init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// The sequence parameter sets of an `hvcC` box (ISO/IEC 14496-15, 8.3.3.1).
  static func headers(hvcC payload: ArraySlice<UInt8>) -> [BitstreamHeader] {
    var headers: [BitstreamHeader] = []
    var reader = BoxScanner(payload.dropFirst(22))
    guard let kinds = try? reader.number(1) else { return [] }
    for _ in kinds.indices {
      guard (try? reader.number(1)) != nil, let count = try? reader.number(2) else { return headers }
      for _ in count.indices {
        guard let length = try? reader.number(2), let unit = try? reader.take(length) else { return headers }
        if let header = parameterSet(unit) { headers.append(header) }
      }
    }
    return headers
  }

  /// Finds sequence parameter sets in the coded data of an image, and the number of its pictures.
  /// - Parameter lengthBytes: The number of bytes for the length before each unit.
  static func stream(
    units data: ArraySlice<UInt8>, lengthBytes: Int
  ) -> (headers: [BitstreamHeader], pictures: Int, units: Int) {
    var (headers, pictures, units): ([BitstreamHeader], Int, Int) = ([], 0, 0)
    var reader = BoxScanner(data)
    while units < maximumUnits, let length = try? reader.number(lengthBytes),
      let unit = try? reader.take(length)
    {
      units +|= 1
      if let header = parameterSet(unit) { headers.append(header) }
      // The first bit of a slice segment states whether it begins a picture (H.265, 7.3.6.1).
      var bits = BoxScanner(unit)
      guard let kind = try? bits.number(2), kind >> 9 & 63 < 32, let first = try? bits.number(1) else {
        continue
      }
      if kind >> 3 & 63 == 0 { pictures +|= first >> 7 }
    }
    return (headers, pictures, units)
  }

  /// Finds the sequence headers among OBUs (AV1, 5.3.2), and whether a frame differs in size from them.
  static func stream(
    obus: ArraySlice<UInt8>
  ) -> (headers: [BitstreamHeader], isResized: Bool, units: Int) {
    var (headers, isResized, units): ([BitstreamHeader], Bool, Int) = ([], false, 0)
    var rest = BoxScanner(obus)
    while units < maximumUnits, let first = try? rest.number(1) {
      units +|= 1
      if first & 4 != 0 { guard (try? rest.number(1)) != nil else { break } }
      var size = rest.remaining
      if first & 2 != 0 {
        guard let stated = try? rest.leb128() else { break }
        size = stated
      }
      // These bytes may be only the beginning of the data.
      guard let payload = try? rest.take(min(size, rest.remaining)) else { break }
      var bits = BitReader(payload)
      switch first >> 3 & 15 {
      case 1:
        guard var header = try? sequenceHeader(&bits) else { continue }
        header.rangeBit = header.rangeBit.map { $0 +| 8 *| payload.startIndex }
        headers.append(header)
      case 3, 6: isResized = isResized || (try? headers.last?.frames.isResized(&bits)) == true
      default: break
      }
    }
    return (headers, isResized, units)
  }

  /// The maximum number of units of a coded image to look at; H.265 allows 600 slices at its highest level.
  static let maximumUnits = 10_000

  // MARK: AV1

  /// Reads `sequence_header_obu` (AV1, 5.5.1).
  private static func sequenceHeader(_ bits: inout BitReader) throws(CodecError) -> BitstreamHeader {
    var frames = AV1Frames()
    let profile = try bits.number(3)
    try bits.skip(1)
    frames.isSingle = try bits.flag()
    if frames.isSingle { try bits.skip(5) } else { try readTiming(&bits, &frames) }
    let (widthBits, heightBits) = (try bits.number(4) +| 1, try bits.number(4) +| 1)
    var header = BitstreamHeader(
      width: try bits.number(widthBits) +| 1, height: try bits.number(heightBits) +| 1)
    if !frames.isSingle, try bits.flag() { frames.identifierBits = try bits.number(4) +| bits.number(3) +| 3 }
    header.block = try bits.flag() ? 128 : 64
    try bits.skip(2)
    if !frames.isSingle { try readTools(&bits, &frames) }
    try bits.skip(3)
    header.frames = frames
    try readColours(&bits, profile: profile, &header)
    return header
  }

  /// Reads the timing fields that only a header for several frames has.
  private static func readTiming(_ bits: inout BitReader, _ frames: inout AV1Frames) throws(CodecError) {
    var delayBits = 0
    if try bits.flag() {
      try bits.skip(64)
      let isEven = try bits.flag()
      if isEven { try bits.skipCodes(1) }
      if try bits.flag() {
        delayBits = try bits.number(5) +| 1
        try bits.skip(37)
        let timeBits = try bits.number(5) +| 1
        frames.timeBits = isEven ? 0 : timeBits
      }
    }
    let hasDelay = try bits.flag()
    for _ in (try bits.number(5) +| 1).indices {
      try bits.skip(12)
      if try bits.number(5) > 7 { try bits.skip(1) }
      if delayBits > 0, try bits.flag() { try bits.skip(2 *| delayBits +| 1) }
      if hasDelay, try bits.flag() { try bits.skip(4) }
    }
  }

  /// Reads the tools that only a header for several frames lists.
  private static func readTools(_ bits: inout BitReader, _ frames: inout AV1Frames) throws(CodecError) {
    try bits.skip(4)
    let hasOrder = try bits.flag()
    if hasOrder { try bits.skip(2) }
    // 2 leaves the choice to each frame.
    frames.screenContent = try bits.flag() ? 2 : try bits.number(1)
    if frames.screenContent > 0 { frames.wholeMotion = try bits.flag() ? 2 : try bits.number(1) }
    if hasOrder { try bits.skip(3) }
  }

  /// Reads `color_config` (AV1, 5.5.2) up to the range.
  private static func readColours(
    _ bits: inout BitReader, profile: Int, _ header: inout BitstreamHeader
  ) throws(CodecError) {
    let isHigh = try bits.flag()
    if profile == 2, isHigh { try bits.skip(1) }
    let isGray = profile == 1 ? false : try bits.flag()
    if try bits.flag() {
      header.points = try bits.codePoints()
      header.matrix = try bits.number(8)
    }
    if !isGray, header.matrix == 0, header.points == CodePoints(primaries: 1, transfer: 13) {
      header.isFullRange = true
    } else {
      header.rangeBit = bits.position
      header.isFullRange = try bits.flag()
    }
  }

  // MARK: HEVC

  /// Drops the emulation prevention bytes of a NAL unit (H.265, 7.3.1.1).
  private static func unescaped(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var (bytes, zeros): ([UInt8], Int) = ([], 0)
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
      } else {
        bytes.append(byte)
        zeros = byte == 0 ? zeros +| 1 : 0
      }
    }
    return bytes
  }

  /// Reads a NAL unit if it is a sequence parameter set of the base layer; nil for other units, or if its size cannot
  /// be read.
  private static func parameterSet(_ unit: ArraySlice<UInt8>) -> BitstreamHeader? {
    var kind = BoxScanner(unit)
    guard let head = try? kind.number(2), head >> 9 & 63 == 33, head >> 3 & 63 == 0 else { return nil }
    // Its longest parts, scaling lists, take less than 1.5 kB.
    var bits = BitReader(unescaped(unit.prefix(4096))[...])
    guard var header = try? size(&bits) else { return nil }
    // Only video has parts that cannot be read here; its colours then stay unknown.
    try? readColours(&bits, &header)
    header.rangeBit = header.rangeBit.flatMap { place(of: $0, in: unit) }
    return header
  }

  /// Maps a bit of a NAL unit without emulation prevention bytes to its position in the file.
  private static func place(of bit: Int, in unit: ArraySlice<UInt8>) -> Int? {
    let reader = ByteReader(unit)
    let byte = reader.count.indices.first { byte in
      unescaped(reader.part(at: 0, length: byte +| 1) ?? []).count > bit / 8
    }
    return byte.map { (reader.start +| $0) *| 8 +| (bit & 7) }
  }

  /// Reads `seq_parameter_set_rbsp` (H.265, 7.3.2.2) up to the size.
  private static func size(_ bits: inout BitReader) throws(CodecError) -> BitstreamHeader {
    try bits.skip(20)
    let layers = try bits.number(3)
    try bits.skip(97)
    if layers > 0 {
      let present = try bits.number(16)
      for layer in layers.indices {
        try bits.skip(
          (present >> (15 -| 2 *| layer) & 1) *| 88 +| (present >> (14 -| 2 *| layer) & 1) *| 8)
      }
    }
    try bits.skipCodes(1)
    let chroma = try bits.code()
    if chroma == 3 { try bits.skip(1) }
    var header = BitstreamHeader(width: try bits.code(), height: try bits.code())
    if try bits.flag() {
      // The conformance window, in chroma samples.
      let columns = (try bits.code() +| bits.code()) *| (chroma == 1 || chroma == 2 ? 2 : 1)
      let rows = (try bits.code() +| bits.code()) *| (chroma == 1 ? 2 : 1)
      header.hidden = max(columns, rows)
      (header.width, header.height) = (header.width -| columns, header.height -| rows)
    }
    guard header.width > 0, header.height > 0 else { throw .malformed("an empty coded picture") }
    header.layers = layers
    return header
  }

  /// Reads the fields after the size, up to the colours.
  private static func readColours(
    _ bits: inout BitReader, _ header: inout BitstreamHeader
  ) throws(CodecError) {
    try bits.skipCodes(2)
    let orderBits = try bits.code() +| 4
    try bits.skipCodes(try bits.flag() ? 3 *| (header.layers +| 1) : 3)
    let side = try bits.code() +| bits.code() +| 3
    if (4...6).contains(side) { header.block = 1 << side }
    try bits.skipCodes(4)
    if try bits.flag(), try bits.flag() { try skipScalingLists(&bits) }
    try bits.skip(2)
    if try bits.flag() {
      try bits.skip(8)
      try bits.skipCodes(2)
      try bits.skip(1)
    }
    for set in try bits.code().indices {
      // Only video predicts sets from others.
      if set > 0, try bits.flag() { return }
      for _ in (try bits.code() +| bits.code()).indices {
        try bits.skipCodes(1)
        try bits.skip(1)
      }
    }
    if try bits.flag() { for _ in try bits.code().indices { try bits.skip(orderBits +| 1) } }
    try bits.skip(2)
    if try bits.flag() { try readUsability(&bits, &header) }
  }

  private static func skipScalingLists(_ bits: inout BitReader) throws(CodecError) {
    for size in 0..<4 {
      for _ in (size == 3 ? 2 : 6).indices {
        try bits.skipCodes(try bits.flag() ? min(64, 16 << (2 *| size)) +| (size > 1 ? 1 : 0) : 1)
      }
    }
  }

  /// Reads `vui_parameters` (H.265, E.2.1) up to the colours.
  private static func readUsability(
    _ bits: inout BitReader, _ header: inout BitstreamHeader
  ) throws(CodecError) {
    if try bits.flag(), try bits.number(8) == 255 { try bits.skip(32) }
    if try bits.flag() { try bits.skip(1) }
    guard try bits.flag() else { return }
    try bits.skip(3)
    header.rangeBit = bits.position
    header.isFullRange = try bits.flag()
    guard try bits.flag() else { return }
    header.points = try bits.codePoints()
    header.matrix = try bits.number(8)
  }
}

/// The fields of AV1's sequence header that frame headers depend on (AV1, 5.5.1).
struct AV1Frames {
  /// True if there is a single frame, whose header is the shortest possible.
  var isSingle = false
  /// The number of bits of a frame's time (0 without it) and of its number.
  var timeBits = 0
  var identifierBits = 0
  /// Tools that are off (0), on (1) or chosen by each frame (2).
  var screenContent = 0
  var wholeMotion = 2

  /// Reads `uncompressed_header` (AV1, 5.9.2) up to the flag for a frame with its own size.
  func isResized(_ bits: inout BitReader) throws(CodecError) -> Bool {
    guard !isSingle, try !bits.flag() else { return false }
    let (kind, isShown) = (try bits.number(2), try bits.flag())
    try bits.skip(isShown ? timeBits : 1)
    if kind != 3, kind != 0 || !isShown { try bits.skip(1) }
    try bits.skip(1)
    let hasScreenContent = screenContent == 2 ? try bits.flag() : screenContent == 1
    if hasScreenContent, wholeMotion == 2 { try bits.skip(1) }
    try bits.skip(identifierBits)
    return kind == 3 ? true : try bits.flag()
  }
}

extension BitReader {
  /// An Exp-Golomb code (H.265, 9.2): n zeros, a one, then n bits.
  fileprivate mutating func code() throws(CodecError) -> Int {
    var zeros = 0
    while try !flag() { zeros +|= 1 }
    guard zeros <= 32 else { throw .malformed("a code in a header is too long") }
    return (1 << zeros) -| 1 +| (try number(zeros))
  }

  fileprivate mutating func skipCodes(_ count: Int) throws(CodecError) {
    for _ in count.indices { _ = try code() }
  }

  /// Colour primaries and transfer characteristics (H.273), a byte each.
  fileprivate mutating func codePoints() throws(CodecError) -> CodePoints {
    CodePoints(primaries: try number(8), transfer: try number(8))
  }
}

extension BoxScanner {
  /// A number with seven bits per byte, least significant first (AV1, 4.10.5).
  fileprivate mutating func leb128() throws(CodecError) -> Int {
    var value = 0
    for shift in [0, 7, 14, 21, 28] {
      let byte = try number(1)
      value |= (byte & 127) << shift
      if byte & 128 == 0 { break }
    }
    return value
  }
}
