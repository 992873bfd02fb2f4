import CodecKit
import Pixels

/// Primary image of a HEIC or AVIF file as described by its boxes, read without libheif.
///
/// Walks through all images that libheif would decode for it, so that derivations too deep, cyclic or unfolding into
/// too many pixels are refused before any C code sees the file.
struct HEIFFileInfo {
  enum Alpha {
    case absent
    case matching
    /// An alpha image of another size, which libheif would read past its end.
    case mismatched
  }

  let items: HEIFItems
  /// `heic` or `avif`, by the coding of the primary image.
  var format: String
  /// Both sizes are after cropping and rotation.
  var width: Int
  var height: Int
  var bitDepth: Int
  var isGray: Bool
  var isDerived: Bool
  var alpha = Alpha.absent
  /// The code points of the colour box, or without one in the coded image's headers; nil if neither states any.
  var codePoints: CodePoints?
  /// The code points of PQ or HLG, there, in the ICC profile or in the headers where the box leaves the curve unspecified;
  /// nil for SDR.
  private(set) var hdr: CodePoints?
  /// The limit on pixels: of the primary image, and four times that of all images decoded for it.
  let maximumPixels: Int

  var layout: ChannelLayout {
    switch (isGray, alpha == .matching) {
    case (true, false): .gray
    case (true, true): .grayAlpha
    case (false, false): .rgb
    case (false, true): .rgba
    }
  }

  /// Reads a file within limits, and refuses HDR in a run of SDR.
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
    if let item = items.alphas(of: primary).first {
      alpha = try walk.transformedSize(of: item) == size ? .matching : .mismatched
    }
    let stated = try items.statedColour(of: primary)
    let isCurveTold = stated.hasProfile || stated.points.map { $0.transfer != 2 } == true
    let stream = isCurveTold ? nil : items.codedColour(of: coded.item)
    codePoints = stated.points ?? stream
    hdr = stated.hdr ?? SourceColour.hdr(stream)
  }
}

/// The statements in the colour boxes of an image.
struct StatedColour {
  var points: CodePoints?
  /// The code points of HDR, of the profile too.
  var hdr: CodePoints?
  var hasProfile = false
}

extension HEIFItems {
  /// The colour boxes of an image, then of its first source. Refuses unknown transfer functions.
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

  /// The code points in the headers of a coded image, which libheif does not expose; an unknown transfer function counts
  /// as unspecified.
  fileprivate func codedColour(of item: Int) -> CodePoints? {
    let boxes = propertyBoxes[item] ?? []
    var points =
      if let box = boxes.first("hvcC") {
        BitstreamColour.codePoints(hvcC: box.payload)
      } else {
        BitstreamColour.codePoints(obus: data(of: item, count: 1024) ?? [])
          ?? boxes.first("av1C").flatMap { BitstreamColour.codePoints(obus: $0.payload.dropFirst(4)) }
      }
    if let known = points, (try? SourceColour.check(known)) == nil { points?.transfer = 2 }
    return points
  }
}
