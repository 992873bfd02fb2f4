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
  /// The code points of PQ or HLG in a colour box, or without one in the coded image's headers; nil for SDR.
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
    hdr = stated.hdr ?? (stated.isTold ? nil : items.bitstreamHDR(of: coded.item))
  }
}

extension HEIFItems {
  /// The code points of HDR in the colour boxes of an image or its first source; `isTold` if they state a transfer
  /// function.
  fileprivate func statedColour(of item: Int) throws(CodecError) -> (hdr: CodePoints?, isTold: Bool) {
    var (hdr, isTold): (CodePoints?, Bool) = (nil, false)
    let images = withFirstSource(item)
    for box in images.flatMap({ propertyBoxes[$0] ?? [] }) where box.type == "colr" {
      var reader = box.reader
      switch try? reader.code() {
      case "prof", "rICC":
        hdr = hdr ?? SourceColour.hdr(icc: Array(reader.rest))
        isTold = true
      case "nclx":
        guard let primaries = try? reader.number(2), let transfer = try? reader.number(2) else { continue }
        let points = CodePoints(primaries: primaries, transfer: transfer)
        try SourceColour.check(points)
        hdr = hdr ?? SourceColour.hdr(points)
        if transfer != 2 { isTold = true }
      default: break
      }
    }
    return (hdr, isTold)
  }

  /// The code points of HDR in the headers of a coded image, which libheif does not expose.
  fileprivate func bitstreamHDR(of item: Int) -> CodePoints? {
    let boxes = propertyBoxes[item] ?? []
    let points =
      if let box = boxes.first("hvcC") {
        BitstreamColour.codePoints(hvcC: box.payload)
      } else {
        BitstreamColour.codePoints(obus: data(of: item, count: 1024) ?? [])
          ?? boxes.first("av1C").flatMap { BitstreamColour.codePoints(obus: $0.payload.dropFirst(4)) }
      }
    return SourceColour.hdr(points)
  }
}
