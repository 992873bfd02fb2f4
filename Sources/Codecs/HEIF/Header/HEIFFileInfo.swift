import CodecKit
import Pixels

/// Primary image of a HEIC or AVIF file as described by its boxes, read without libheif.
///
/// Walks through all images that libheif would decode for it, so that derivations that are too deep, cyclic or expand
/// to too many pixels are refused before any C code sees the file.
struct HEIFFileInfo {
  enum Alpha {
    case absent
    case matching
    /// An alpha image with a different size but the same shape, which libheif would read past its end.
    case scaled
    /// An alpha image as large as the stored picture, which must be cropped and turned with it.
    case unturned
    /// An alpha image with a different shape.
    case mismatched
  }

  let items: HEIFItems
  /// `heic` or `avif`, by the coding of the primary image.
  var format: String
  /// Width and height after cropping and rotation.
  var width: Int
  var height: Int
  var bitDepth: Int
  var isGray: Bool
  var isDerived: Bool
  var alpha = Alpha.absent
  /// True if the colours, or alpha, have a limited range that libheif does not expand to the full range.
  var isLimited: Bool
  var isAlphaLimited = false
  /// True if a grid's tiles have colours premultiplied by alpha.
  private(set) var isPremultipliedInside = false
  /// Positions of bits to set in the file, so that libheif leaves RGB unchanged.
  var rangeBits: Set<Int>
  /// The code points from the colour box, or without one from the coded image's headers; nil if neither states any.
  var codePoints: CodePoints?
  /// The code points of PQ or HLG, from the colour box, the ICC profile, or the headers if the box leaves the curve
  /// unspecified; nil for SDR.
  private(set) var hdr: CodePoints?
  /// The limit on pixels of the primary image; all images decoded for it may have four times as many.
  let maximumPixels: Int

  var layout: ChannelLayout {
    switch (isGray, alpha != .absent && alpha != .mismatched) {
    case (true, false): .gray
    case (true, true): .grayAlpha
    case (false, false): .rgb
    case (false, true): .rgba
    }
  }

  /// Reads a file within limits, and refuses HDR in an SDR run.
  init(_ file: [UInt8], _ limits: ReadLimits) throws(CodecError) {
    try self.init(file, maximumPixels: limits.maximumPixels)
    try SourceColour.check(hdr: hdr, limits)
  }

  init(_ file: [UInt8], maximumPixels: Int) throws(CodecError) {
    self.maximumPixels = maximumPixels
    items = try HEIFItems(file)
    let primary = items.primary
    guard items.types[primary] != nil else { throw .malformed("the primary image does not exist") }
    var walk = HEIFDerivationWalk(items: items, maximumPixels: maximumPixels)
    let coded = try walk.visit(primary)
    let size = try walk.transformedSize(of: primary)
    try walk.check(size, "the image")
    (width, height) = (size.width, size.height)
    format = coded.type == "av01" ? "avif" : "heic"
    isDerived = coded.item != primary
    isGray = coded.isGray
    bitDepth = coded.bits
    rangeBits = walk.rangeBits
    var shown = coded
    // Gray takes its range from the colour box of the derived image if its own image has none.
    if coded.isGray, items.boxColour(of: coded.item) == nil, let colour = items.boxColour(of: primary) {
      shown.colour = colour
    }
    isLimited = shown.isLimited
    let stated = try items.statedColour(of: primary)
    let isCurveTold = stated.hasProfile || stated.points.map { $0.transfer != 2 } == true
    let stream = isCurveTold ? nil : coded.stream.knownPoints
    codePoints = stated.points ?? stream
    hdr = stated.hdr ?? SourceColour.hdr(stream)
    if let carrier = items.alphaCarrier(of: primary), let item = items.alphas(of: carrier).first {
      try readAlpha(item, of: carrier, size, walk)
    }
  }

  private mutating func readAlpha(
    _ item: Int, of carrier: Int, _ size: HEIFDerivationWalk.Size, _ walk: HEIFDerivationWalk
  ) throws(CodecError) {
    if carrier == items.primary {
      let own = try walk.transformedSize(of: item)
      let isAlone = !items.isTransformed(item) && items.isTransformed(carrier)
      if isAlone, try items.size(of: item) == items.size(of: carrier) {
        alpha = .unturned
      } else {
        alpha = own == size ? .matching : own.hasShape(of: size) ? .scaled : .mismatched
      }
    } else {
      alpha = .matching
      isPremultipliedInside = items.references.contains { $0.type == "prem" && $0.from == carrier }
    }
    if let coded = items.firstCoded(of: item) {
      isAlphaLimited = items.sampleColour(of: coded, items.stream(of: coded)).isFullRange == false
    }
  }

  /// Throws `malformed` if a decoded picture is larger or smaller than stated by more than a coding block's padding.
  func check(decodedWidth: Int, height: Int) throws(CodecError) {
    guard max(abs(decodedWidth -| width), abs(height -| self.height)) <= 128 else {
      throw .malformed(
        "the stream is \(decodedWidth)×\(height), but the file says \(width)×\(self.height)")
    }
  }

  /// The file as libheif should read it, with the same images.
  func prepared(_ file: [UInt8]) -> [UInt8] {
    rangeBits.reduce(file) { file, bit in
      let reader = ByteReader(file)
      guard let byte = reader.byte(at: bit / 8) else { return file }
      return reader.replacing(at: bit / 8, with: [UInt8(truncatingIfNeeded: byte | 128 >> (bit & 7))]) ?? file
    }
  }
}

/// The statements in the colour boxes of an image.
struct StatedColour {
  var points: CodePoints?
  /// The code points of HDR, including those from the profile.
  var hdr: CodePoints?
  var hasProfile = false
}

extension HEIFItems {
  /// True if an image's own properties crop, turn or mirror it.
  fileprivate func isTransformed(_ item: Int) -> Bool {
    (propertyBoxes[item] ?? []).contains { ["irot", "imir", "clap"].contains($0.type) }
  }

  /// The colours stated by the boxes of an image, or else of its first source. Throws for unknown transfer functions.
  func statedColour(of item: Int) throws(CodecError) -> StatedColour {
    var stated = StatedColour()
    let images = withFirstSource(item)
    for box in images.flatMap({ propertyBoxes[$0] ?? [] }) where box.type == "colr" {
      var reader = box.reader
      switch try? reader.code() {
      case "prof", "rICC":
        stated.hdr = stated.hdr ?? SourceColour.hdr(icc: Array(reader.rest))
        stated.hasProfile = true
      case "nclx":
        guard let primaries = try? reader.number(2), let transfer = try? reader.number(2) else { continue }
        let points = CodePoints(primaries: primaries, transfer: transfer)
        try SourceColour.check(points)
        stated.hdr = stated.hdr ?? SourceColour.hdr(points)
        stated.points = stated.points ?? points
      default: break
      }
    }
    return stated
  }
}
