import CodecKit
import Pixels

/// Chunks of a PNG file before its image data (ISO/IEC 15948; W3C PNG, third edition). Pure Swift.
struct PNGChunks: Sendable {
  /// Both are at least 1.
  private(set) var width = 0
  private(set) var height = 0
  /// Bits per sample, or per palette index, as stored.
  private(set) var bitDepth = 0
  private(set) var isIndexed = false
  /// The channels after resolving palette and transparency.
  private(set) var layout = ChannelLayout.gray
  private(set) var isSRGB = false
  /// From gAMA: 100,000 times the exponent from light to samples.
  private(set) var gamma: Int?
  /// From cHRM.
  private(set) var chromaticities: Chromaticities?
  /// The code points of ITU-T H.273 from cICP.
  private(set) var codePoints: CodePoints?
  /// True if these come with samples of limited range; alpha always has the full range.
  private(set) var isLimited = false
  /// The orientation from the first eXIf chunk that states one; `up` by default.
  var orientation: Orientation { exifOrientation ?? .up }
  private var exifOrientation: Orientation?
  /// The part of the picture that libpng leaves out, with the reason.
  private(set) var leftOut: String?
  /// The number of colours in the palette; nil before the palette.
  private var paletteCount: Int?
  /// True if `layout` has alpha because of tRNS.
  private var isTransparent = false

  /// True if the bytes reach the image data.
  private(set) var isComplete = false

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(_ bytes: [UInt8]) throws(CodecError) {
    let reader = ByteReader(bytes)
    guard reader.has(Self.signature, at: 0) else { throw .malformed("not a PNG file") }
    guard reader.has("IHDR".utf8, at: 12), let header = reader.part(at: 16, length: 13) else {
      throw .malformed("PNG without a header")
    }
    guard reader.long(at: 29) == Self.checksum(reader.part(at: 12, length: 17)) else {
      throw .malformed("PNG with a wrong header checksum")
    }
    try readHeader(ByteReader(header))
    var position = 33
    while let length = reader.long(at: position), let name = reader.part(at: position +| 4, length: 4) {
      if name.elementsEqual("IDAT".utf8) {
        isComplete = true
        break
      }
      guard let body = reader.part(at: position +| 8, length: length) else { break }
      // Damaged chunks are ignored, as in libpng. None of these chunks has a reason to be long.
      if length <= 65_536, Self.isRead(name),
        reader.long(at: position +| 8 +| length)
          == Self.checksum(reader.part(at: position +| 4, length: length +| 4))
      {
        read(name, ByteReader(body))
      }
      position +|= 12 +| length
    }
    try SourceColour.check(codePoints)
  }

  private mutating func readHeader(_ header: ByteReader) throws(CodecError) {
    guard let width = header.long(at: 0), let height = header.long(at: 4), let depth = header.byte(at: 8),
      let colorType = header.byte(at: 9), width > 0, height > 0, max(width, height) <= 0x7FFF_FFFF
    else { throw .malformed("PNG with a broken header") }
    let types: [Int: (layout: ChannelLayout, depths: [Int])] = [
      0: (.gray, [1, 2, 4, 8, 16]), 2: (.rgb, [8, 16]), 3: (.rgb, [1, 2, 4, 8]), 4: (.grayAlpha, [8, 16]),
      6: (.rgba, [8, 16]),
    ]
    guard let type = types[colorType], type.depths.contains(depth) else {
      throw .malformed("PNG with colour type \(colorType) and \(depth) bits")
    }
    (self.width, self.height, bitDepth, isIndexed) = (width, height, depth, colorType == 3)
    layout = type.layout
  }

  private static func isRead(_ name: ArraySlice<UInt8>) -> Bool {
    ["PLTE", "tRNS", "sRGB", "gAMA", "cHRM", "cICP", "eXIf"].contains { name.elementsEqual($0.utf8) }
  }

  private mutating func read(_ name: ArraySlice<UInt8>, _ body: ByteReader) {
    switch String(decoding: name, as: UTF8.self) {
    case "PLTE": readPalette(length: body.count)
    case "tRNS": readTransparency(length: body.count)
    case "sRGB": isSRGB = true
    case "gAMA": gamma = body.long(at: 0)
    case "cHRM": chromaticities = Self.chromaticities(body)
    case "cICP":
      // A chunk with a matrix is ignored unless it states HDR. Only one chunk is allowed, so the first counts.
      if codePoints == nil, let primaries = body.byte(at: 0), let transfer = body.byte(at: 1),
        body.byte(at: 2) == 0 || TransferFunction(codePoint: transfer)?.isHDR == true
      {
        codePoints = CodePoints(primaries: primaries, transfer: transfer)
        isLimited = body.byte(at: 3) == 0
      }
    case "eXIf": exifOrientation = exifOrientation ?? ExifOrientation.find(in: body.bytes)
    default: break
    }
  }

  /// Follows libpng, which ignores transparency that the standard does not allow.
  private mutating func readTransparency(length: Int) {
    // Ignoring the chunk loses nothing for pictures that already have alpha, or for a second chunk.
    guard layout == .gray || layout == .rgb else { return }
    if isIndexed, paletteCount == nil {
      leftOut = "transparency left out: tRNS comes before the palette"
    } else if isIndexed ? length == 0 || length > paletteCount ?? 0 : length != (layout == .gray ? 2 : 6) {
      leftOut = "transparency left out: tRNS has the wrong length"
    } else {
      layout = layout == .gray ? .grayAlpha : .rgba
      isTransparent = true
    }
  }

  /// In libpng, a palette cancels an earlier transparency of RGB. Gray has no palette.
  private mutating func readPalette(length: Int) {
    guard layout == .rgb || layout == .rgba, length.isMultiple(of: 3), length <= 768 else { return }
    paletteCount = paletteCount ?? min(length / 3, 1 << bitDepth)
    guard !isIndexed, isTransparent else { return }
    layout = .rgb
    isTransparent = false
    leftOut = "transparency left out: tRNS comes before the palette"
  }

  private static func chromaticities(_ body: ByteReader) -> Chromaticities? {
    func point(_ index: Int) -> Chromaticity? {
      guard let x = body.long(at: 8 *| index), let y = body.long(at: 8 *| index +| 4) else { return nil }
      return Chromaticity(Double(x) / 100_000, Double(y) / 100_000)
    }
    guard let white = point(0), let red = point(1), let green = point(2), let blue = point(3) else {
      return nil
    }
    return Chromaticities(red: red, green: green, blue: blue, white: white)
  }

  /// CRC-32 of a chunk's name and body (annex D).
  private static func checksum(_ bytes: ArraySlice<UInt8>?) -> Int {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes ?? [] {
      crc ^= UInt32(truncatingIfNeeded: byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(truncatingIfNeeded: ~crc)
  }
}

/// Chooses among the five ways a PNG's chunks can state its colours.
enum PNGColor {
  /// The profile by the standard's precedence: cICP, iCCP, sRGB, then gAMA with cHRM.
  /// - Parameter icc: libpng's unpacked iCCP.
  static func profile(
    _ chunks: PNGChunks, icc: [UInt8]?, layout: ChannelLayout, _ limits: ReadLimits
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    if let points = chunks.codePoints, let profile = try SourceColour.profile(points, for: layout, limits) {
      return (profile, profile.iccBytes == nil ? nil : "cICP converted to an ICC profile")
    }
    guard icc == nil, !chunks.isSRGB else { return try SourceColour.profile(icc: icc, for: layout, limits) }
    guard let transfer = chunks.gamma.map({ TransferFunction(gamma: Double($0) / 100_000) }) ?? .sRGB,
      let profile = try SourceColour.profile(
        primaries: chunks.chromaticities ?? .bt709, transfer: transfer, for: layout, limits)
    else { return (try SourceColour.profile(.sRGB, limits), "invalid gAMA/cHRM ignored") }
    return (profile, profile.iccBytes == nil ? nil : "gAMA/cHRM converted to an ICC profile")
  }
}
