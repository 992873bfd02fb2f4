import CTIFFShim
import CodecKit
import Pixels

/// A picture of a TIFF file as its directory describes it. Detects everything that is not supported.
struct TIFFPicture {
  /// The meaning of the samples before the extra ones.
  enum Colour {
    case gray(whiteIsZero: Bool)
    case palette
    case rgb
    case cmyk
    /// Luma and chroma, which libtiff or libjpeg converts to RGB.
    case ycbcr

    var samples: Int {
      switch self {
      case .gray, .palette: 1
      case .rgb, .ycbcr: 3
      case .cmyk: 4
      }
    }

    var name: String {
      switch self {
      case .gray: "gray"
      case .palette: "palette"
      case .rgb: "RGB"
      case .cmyk: "CMYK"
      case .ycbcr: "YCbCr"
      }
    }
  }

  enum Alpha {
    case straight(sample: Int)
    case premultiplied(sample: Int)

    var sample: Int {
      switch self {
      case .straight(let sample), .premultiplied(let sample): sample
      }
    }
  }

  let directory: TIFFDirectory
  /// The page that this picture is the full size of, which may have metadata that the picture's own directory lacks.
  let parent: TIFFDirectory?
  let width: Int
  let height: Int
  /// Bits per sample, 1 to 16.
  let bits: Int
  /// The number of samples per pixel as stored, including extra ones.
  let samples: Int
  let compression: TIFFCompression
  let colour: Colour
  let alpha: Alpha?
  let isSeparate: Bool
  /// Size of a tile; nil for strips.
  let tile: (width: Int, height: Int)?
  private(set) var remarks: [String]

  /// Describes the picture of a file to read.
  /// - Throws: `unsupported` with the feature's name and what to do.
  init(_ bytes: TIFFBytes, mayBeCut: Bool) throws(CodecError) {
    let pages = try TIFFPages(bytes, mayBeCut: mayBeCut)
    try CameraRaw.refuse(pages, bytes)
    let (page, remarks) = try pages.chosen()
    directory = page.directory
    parent = page.parent
    (width, height, self.remarks) = (page.width, page.height, remarks)
    guard width > 0, height > 0, max(width, height) <= Self.longestSide else {
      throw .malformed("TIFF of \(width)×\(height) pixels")
    }
    compression = try TIFFCompression(directory)
    // Some old-style JPEG files leave the tag out.
    let isColour = directory.number(.photometric) == 6 || directory.number(.photometric) == 2
    samples = directory.number(.samplesPerPixel) ?? (isColour ? 3 : 1)
    bits = try Self.bits(of: directory, samples: samples)
    let (colour, remark) = try Self.colour(of: directory, compression, samples: samples)
    self.colour = colour
    let (alpha, extra) = Self.extraSamples(of: directory, behind: colour.samples, samples: samples)
    self.alpha = alpha
    self.remarks.append(contentsOf: [remark, extra].compactMap(\.self))
    isSeparate = samples > 1 && directory.number(.planarConfiguration) == 2
    tile = try Self.tile(of: directory)
    try checkCombination()
  }

  private static func bits(of directory: TIFFDirectory, samples: Int) throws(CodecError) -> Int {
    guard (1...32).contains(samples) else { throw .unsupported("TIFF with \(samples) samples per pixel") }
    let advice = "; convert it to 8 or 16 bits per sample first"
    let formats = Set(directory.numbers(.sampleFormat))
    let depths = directory.numbers(.bitsPerSample)
    let bits = depths.first ?? 1
    if formats.contains(3) { throw .unsupported("TIFF with \(bits)-bit floating-point samples\(advice)") }
    if formats.contains(2) { throw .unsupported("TIFF with signed samples\(advice)") }
    if formats.contains(where: { $0 > 4 }) { throw .unsupported("TIFF with complex samples\(advice)") }
    guard Set(depths).count <= 1 else {
      let list = depths.prefix(8).map { "\($0)" }.joined(separator: ", ")
      throw .unsupported("TIFF with samples of different depths (\(list) bits)\(advice)")
    }
    guard (1...16).contains(bits) else {
      throw .unsupported("TIFF with \(bits) bits per sample\(advice)")
    }
    return bits
  }

  private static func colour(
    of directory: TIFFDirectory, _ compression: TIFFCompression, samples: Int
  ) throws(CodecError) -> (colour: Colour, remark: String?) {
    let stated = directory.number(.photometric)
    // libtiff's guess for files that do not state it.
    let guess = samples >= 3 ? 2 : compression.isFax ? 0 : 1
    let remark =
      stated == nil ? "no PhotometricInterpretation: treated as \(samples >= 3 ? "RGB" : "gray")" : nil
    let colour: Colour
    switch stated ?? guess {
    case 0: colour = .gray(whiteIsZero: true)
    case 1: colour = .gray(whiteIsZero: false)
    case 2: colour = .rgb
    case 3: colour = .palette
    case 5:
      guard directory.number(.inkSet) ?? 1 == 1, directory.number(.numberOfInks) ?? 4 == 4 else {
        throw .unsupported("TIFF with inks other than CMYK\(convert)")
      }
      colour = .cmyk
    case 6: colour = .ycbcr
    default: throw .unsupported(unsupported(photometric: stated ?? guess))
    }
    guard samples >= colour.samples else {
      throw .malformed("\(colour.name) TIFF with \(samples) sample\(samples == 1 ? "" : "s") per pixel")
    }
    return (colour, remark)
  }

  /// In pixels; libtiff's own limit.
  private static let longestSide = 0x7FFF_FFFF
  static let convert = "; convert it first: vips copy FILE.tif FILE.png"

  private static func unsupported(photometric: Int) -> String {
    switch photometric {
    case 8, 9, 10: "TIFF in CIELab; convert it first: vips colourspace FILE.tif FILE.png srgb"
    case 32844, 32845: "TIFF in LogLuv (HDR); convert it to sRGB first"
    case 32803, 34892: "camera raw"
    default: "TIFF with the photometric interpretation \(photometric)\(convert)"
    }
  }

  private static func extraSamples(
    of directory: TIFFDirectory, behind colours: Int, samples: Int
  ) -> (alpha: Alpha?, remark: String?) {
    let extra = samples -| colours
    guard extra > 0 else { return (nil, nil) }
    let types = directory.numbers(.extraSamples)
    if types.isEmpty, extra == 1 {
      return (.straight(sample: colours), "a sample of unspecified meaning treated as alpha")
    }
    var alpha: Alpha?
    for (index, type) in types.enumerated() where alpha == nil && index < extra {
      let sample = colours +| index
      if type == 1 { alpha = .premultiplied(sample: sample) }
      if type == 2 { alpha = .straight(sample: sample) }
    }
    let ignored = extra -| (alpha == nil ? 0 : 1)
    return (alpha, ignored == 0 ? nil : "\(ignored) extra sample\(ignored == 1 ? "" : "s") per pixel ignored")
  }

  private static func tile(of directory: TIFFDirectory) throws(CodecError) -> (width: Int, height: Int)? {
    guard directory.has(.tileWidth) || directory.has(.tileOffsets) else { return nil }
    guard let width = directory.number(.tileWidth), let height = directory.number(.tileHeight), width > 0,
      height > 0, max(width, height) <= Self.longestSide
    else { throw .malformed("TIFF with empty tiles") }
    return (width, height)
  }

  private func checkCombination() throws(CodecError) {
    if compression.isOldJPEG { try checkOldJPEG() }
    if compression.isJPEG, bits != 8 {
      throw .unsupported("TIFF with JPEG compression of \(bits) bits per sample\(Self.convert)")
    }
    switch colour {
    case .palette where bits > 8: throw .unsupported("TIFF with a palette of \(bits) bits\(Self.convert)")
    case .cmyk where bits != 8 && bits != 16:
      throw .unsupported("CMYK TIFF with \(bits) bits per sample\(Self.convert)")
    case .cmyk:
      if case .premultiplied = alpha { throw .unsupported("CMYK TIFF with associated alpha\(Self.convert)") }
    case .ycbcr:
      guard bits == 8, samples == 3 else {
        throw .unsupported("YCbCr TIFF with \(samples) samples of \(bits) bits\(Self.convert)")
      }
      // libjpeg converts to RGB only what it decodes as one stream.
      guard !compression.isJPEG || !isSeparate else {
        throw .unsupported("YCbCr TIFF with JPEG compression of separate planes\(Self.convert)")
      }
    default: break
    }
  }

  /// libtiff converts old-style JPEG only to gray or RGB.
  private func checkOldJPEG() throws(CodecError) {
    let isKnown =
      switch colour {
      case .gray(let whiteIsZero): !whiteIsZero
      case .rgb, .ycbcr: true
      case .palette, .cmyk: false
      }
    guard isKnown, bits == 8, samples == colour.samples else {
      let kind = "\(colour.name), \(samples) sample\(samples == 1 ? "" : "s") of \(bits) bits"
      throw .unsupported("TIFF with old-style JPEG compression of \(kind)\(Self.convert)")
    }
  }

  /// Metadata of the picture, or of the page that it is the full size of.
  func metadata<Value>(_ find: (TIFFDirectory) -> Value?) -> Value? {
    find(directory) ?? parent.flatMap(find)
  }

  var orientation: Orientation {
    metadata { $0.number(.orientation) }.flatMap(Orientation.init(rawValue:)) ?? .up
  }

  var icc: [UInt8]? { metadata { $0.data(.iccProfile) }.map { Array($0) } }

  /// Channels of the raster.
  var layout: ChannelLayout {
    switch colour {
    case .gray: alpha == nil ? .gray : .grayAlpha
    case .palette, .rgb, .cmyk, .ycbcr: alpha == nil ? .rgb : .rgba
    }
  }

  /// Samples are scaled to at least 8 bits. CMYK is converted to 8 bits.
  var format: PixelFormat {
    if case .cmyk = colour { return PixelFormat(layout: layout) }
    return PixelFormat(layout: layout, bitDepth: max(8, bits))
  }
}

/// The compression of a TIFF file's strips and tiles.
struct TIFFCompression {
  let number: Int
  /// True if the compression has changed samples.
  private(set) var isLossy: Bool

  private static let names: [Int: String] = [
    1: "no", 2: "CCITT RLE", 3: "CCITT Group 3", 4: "CCITT Group 4", 5: "LZW", 6: "old JPEG", 7: "JPEG",
    8: "Deflate",
    32766: "NeXT", 32771: "CCITT RLE", 32773: "PackBits", 32809: "ThunderScan", 32946: "Deflate",
    34661: "JBIG", 34887: "LERC", 34925: "LZMA", 50000: "Zstandard", 50001: "WebP",
  ]
  private static let jpeg2000: Set = [33003, 33004, 33005, 34712]

  var name: String { Self.names[number] ?? "\(number)" }
  var isFax: Bool { [2, 3, 4, 32771].contains(number) }
  var isJPEG: Bool { number == 7 }
  var isOldJPEG: Bool { number == 6 }

  init(_ directory: TIFFDirectory) throws(CodecError) {
    number = directory.number(.compression) ?? 1
    isLossy = [6, 7, 50001].contains(number)
    if Self.jpeg2000.contains(number) {
      throw .unsupported("TIFF with JPEG 2000 compression\(TIFFPicture.convert)")
    }
    guard Self.names[number] != nil else {
      throw .unsupported("TIFF with the compression \(number)\(TIFFPicture.convert)")
    }
  }
}
