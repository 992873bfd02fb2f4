import CodecKit
import Model
import Pixels

/// Small versions of a HEIF file's primary image: embedded items, and the JPEG in its Exif data.
struct HEIFThumbnails {
  private let bytes: [UInt8]
  private let limits: ReadLimits
  private let info: HEIFFileInfo
  private let items: HEIFItems
  private let primary: Int
  private let headerBytes: Int

  init(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) {
    self.bytes = bytes
    self.limits = limits
    info = try HEIFFileInfo(bytes, maximumPixels: limits.maximumPixels)
    let boxes = try HEIFBox.list(in: bytes[...], isTruncationAllowed: true)
    guard let meta = boxes.first("meta") else { throw .malformed("the file has no “meta” box") }
    items = try HEIFItems(meta: meta)
    primary = items.primary ?? 0
    headerBytes = boxes.filter { $0.type != "mdat" }.reduce(0) { $0 + $1.payload.count + 8 }
  }

  private struct Candidate {
    var item: Int
    var width, height: Int
    var info: HEIFFileInfo
  }

  /// Decodes the smallest one that is large enough, else the largest, else the one in the Exif data. Skips those that
  /// libheif refuses or whose shape differs from the picture's.
  func decode(atLeast side: Int) throws(CodecError) -> RequestedPixels {
    var (candidates, problems) = candidates()
    let order = ThumbnailChoice.order(candidates.map { max($0.width, $0.height) }, atLeast: side)
    candidates = order.map { candidates[$0] }
    for candidate in candidates {
      do {
        let image = try decode(candidate)
        try ThumbnailChoice.checkShape(image, width: info.width, height: info.height)
        let size = items.data(of: candidate.item, in: bytes)?.count ?? 0
        return RequestedPixels(
          .raster(image), touchedBytes: min(bytes.count, headerBytes + size), notes: problems)
      } catch .limitExceeded(let reason) {
        throw .limitExceeded(reason)
      } catch {
        problems.append("thumbnail of \(candidate.width)×\(candidate.height) passed over: \(error)")
      }
    }
    do {
      var picture = try exif()
      picture.notes = problems + picture.notes
      return picture
    } catch .unsupported(let reason) {
      throw .unsupported((problems + [reason]).joined(separator: "; "))
    }
  }

  /// Embedded images that are safe to decode, smallest first, and the problems of the others.
  private func candidates() -> ([Candidate], [String]) {
    var found: [Candidate] = []
    var problems: [String] = []
    for item in items.thumbnails(of: primary) {
      do {
        var walk = HEIFDerivationWalk(file: bytes, items: items, maximumPixels: limits.maximumPixels)
        let coded = try walk.visit(item)
        let size = try walk.transformedSize(of: item)
        var info = info
        (info.width, info.height) = (size.width, size.height)
        (info.isGray, info.bitDepth) = (coded.isGray, coded.bits)
        info.isDerived = true
        info.alpha = .absent
        found.append(Candidate(item: item, width: size.width, height: size.height, info: info))
      } catch {
        problems.append("a thumbnail passed over: \(error)")
      }
    }
    return (found.sorted { max($0.width, $0.height) < max($1.width, $1.height) }, problems)
  }

  /// Decodes one; its size may differ by a row from the stated one.
  private func decode(_ candidate: Candidate) throws(CodecError) -> RasterImage {
    try bytes.withUnsafeBufferPointer { file throws(CodecError) in
      let context = try HEIFContext()
      context.setLimits(side: max(info.longestSide, 1) + 1, pixels: limits.maximumPixels)
      try context.read(file)
      let main = try context.primaryImage()
      let handle = try main.thumbnail(candidate.item)
      var result = try HEIFDecoder(
        info: candidate.info, maximumPixels: limits.maximumPixels
      ).decode(handle)
      // A thumbnail without a profile uses the picture's.
      result.icc = try handle.iccProfile()
      if result.icc == nil { result.icc = try main.iccProfile() }
      result.codePoints = handle.codePoints() ?? main.codePoints()
      return try result.raster.tagged(HEIFColour.profile(of: result).profile)
    }
  }

  private func exif() throws(CodecError) -> RequestedPixels {
    guard let item = items.types.first(where: { $0.value == "Exif" })?.key,
      let data = items.data(of: item, in: bytes)
    else { throw .unsupported("there is no embedded thumbnail") }
    // ISO/IEC 23008-12, A.2.1: the offset of the TIFF header, then that many bytes.
    var reader = BoxScanner(data)
    guard let offset = reader.number(4), reader.take(offset) != nil,
      let thumbnail = ExifThumbnail.find(in: reader.rest)
    else { throw .unsupported("there is no embedded thumbnail") }
    let image = try thumbnail.decode(width: info.width, height: info.height, limits: limits)
    return RequestedPixels(
      .raster(image), touchedBytes: min(bytes.count, headerBytes + data.count),
      notes: ["the thumbnail of the Exif data"])
  }
}
