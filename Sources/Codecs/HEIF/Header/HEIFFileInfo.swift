import CodecKit
import Model
import Pixels

/// What a HEIC or AVIF file says about its primary image, read without libheif.
///
/// All that libheif will have to decode for it is walked through, so that chains of derived images that are
/// too deep, go in a circle or unfold into too many pixels are known before any C code sees the file.
struct HEIFFileInfo: Hashable {
  /// Alpha beside the primary image.
  enum Alpha: Hashable {
    /// There is none.
    case absent
    /// There is an alpha image of the main image's size.
    case matching
    /// There is an alpha image of another size, which libheif would read past its end.
    case mismatched
  }

  /// `heic` or `avif`, by how the primary image is coded.
  var format: String
  /// Columns, cropped and turned.
  var width: Int
  /// Rows, cropped and turned.
  var height: Int
  /// Bits per sample.
  var bitDepth: Int
  /// Whether there is luma alone.
  var isGray: Bool
  /// Whether the primary image is put together from others.
  var isDerived: Bool
  /// Alpha beside it.
  var alpha: Alpha
  /// The longest side among all images of the file: libheif refuses a file for any of them.
  var longestSide: Int

  /// Channels of the decoded image.
  var layout: ChannelLayout {
    switch (isGray, alpha == .matching) {
    case (true, false): .gray
    case (true, true): .grayAlpha
    case (false, false): .rgb
    case (false, true): .rgba
    }
  }

  /// Reads the boxes of a file. `maximumPixels` limits the primary image, and four times as many all that has
  /// to be decoded for it.
  init(_ file: [UInt8], maximumPixels: Int) throws(CodecError) {
    let boxes = try HEIFBox.list(in: file[...], isTruncationAllowed: true)
    guard let ftyp = boxes.first, ftyp.type == "ftyp" else { throw .malformed("not a HEIF file") }
    guard let meta = boxes.first("meta") else {
      guard boxes.first("moov") == nil else {
        throw .unsupported("an image sequence without a still image")
      }
      throw .malformed("the file has no “meta” box, or was cut off before it")
    }
    let items = try HEIFItems(meta: meta)
    guard let primary = items.primary else { throw .malformed("the file names no primary image") }
    guard items.types[primary] != nil else { throw .malformed("the primary image does not exist") }
    var walk = HEIFDerivationWalk(file: file, items: items, maximumPixels: maximumPixels)
    let coded = try walk.visit(primary)
    let size = try walk.transformedSize(of: primary)
    try walk.check(size, "the image")
    (width, height) = (size.width, size.height)
    format = coded.type == "av01" ? "avif" : "heic"
    isDerived = coded.item != primary
    isGray = coded.isGray
    bitDepth = coded.bits
    alpha = .absent
    if let item = items.alphas(of: primary).first {
      alpha = try walk.transformedSize(of: item) == size ? .matching : .mismatched
    }
    longestSide = items.longestSide
    if try !items.checkColour(of: primary) { try items.checkBitstream(of: coded.item, in: file) }
  }
}

extension HEIFItems {
  /// Refuses HDR, by the colour boxes of an image or of the first that it is derived from. Returns whether they tell.
  fileprivate func checkColour(of item: Int) throws(CodecError) -> Bool {
    var isTold = false
    let images = [item] + sources(of: item).prefix(1)
    for box in images.flatMap({ propertyBoxes[$0] ?? [] }) where box.type == "colr" {
      var reader = BoxScanner(box.payload)
      switch reader.code() {
      case "prof", "rICC":
        try SourceColour.check(icc: Array(reader.rest))
        isTold = true
      case "nclx":
        guard let primaries = reader.number(2), let transfer = reader.number(2) else { continue }
        try SourceColour.check(CodePoints(primaries: primaries, transfer: transfer))
        if transfer != 2 { isTold = true }
      default: break
      }
    }
    return isTold
  }

  /// Refuses HDR by the headers of a coded image, which libheif does not hand out.
  fileprivate func checkBitstream(of item: Int, in file: [UInt8]) throws(CodecError) {
    let boxes = propertyBoxes[item] ?? []
    let points =
      if let box = boxes.first("hvcC") {
        BitstreamColour.codePoints(hvcC: box.payload)
      } else {
        BitstreamColour.codePoints(obus: data(of: item, in: file, count: 1024) ?? [])
          ?? boxes.first("av1C").flatMap { BitstreamColour.codePoints(obus: $0.payload.dropFirst(4)) }
      }
    if let points, TransferFunction(codePoint: points.transfer)?.isHDR == true {
      throw .highDynamicRange(points)
    }
  }
}
