import CodecKit
import Pixels

/// Small versions of a HEIF file's primary image: embedded items, and the JPEG in its Exif data.
struct HEIFThumbnails {
  private let bytes: [UInt8]
  private let limits: ReadLimits
  private let info: HEIFFileInfo
  private var items: HEIFItems { info.items }

  init(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) {
    (self.bytes, self.limits) = (bytes, limits)
    info = try HEIFFileInfo(bytes, limits)
  }

  private struct Candidate {
    var item: Int
    var info: HEIFFileInfo
    var side: Int { max(info.width, info.height) }
  }

  /// Decodes the smallest thumbnail that is large enough, else the largest, else the one in the Exif data. Skips
  /// thumbnails that libheif refuses or that differ from the picture in shape.
  func decode(atLeast side: Int) throws(CodecError) -> RequestedPixels {
    var (candidates, problems) = candidates()
    let order = ThumbnailChoice.order(candidates.map(\.side), atLeast: side)
    candidates = order.compactMap { candidates.element($0) }
    for candidate in candidates {
      do {
        let image = try decode(candidate)
        try ThumbnailChoice.checkShape(image, width: info.width, height: info.height)
        return pixels(image, items.data(of: candidate.item), notes: problems)
      } catch .limitExceeded(let reason) {
        throw .limitExceeded(reason)
      } catch {
        problems.append("thumbnail of \(candidate.info.width)×\(candidate.info.height) skipped: \(error)")
      }
    }
    do {
      var picture = try exif()
      picture.notes.insert(contentsOf: problems, at: 0)
      return picture
    } catch .unsupported(let reason) {
      problems.append(reason)
      throw .unsupported(problems.joined(separator: "; "))
    }
  }

  /// The embedded images that are safe to decode, smallest first, and the problems of the others.
  private func candidates() -> ([Candidate], [String]) {
    var found: [Candidate] = []
    var problems: [String] = []
    for item in items.thumbnails(of: items.primary) {
      do {
        var walk = HEIFDerivationWalk(items: items, maximumPixels: limits.maximumPixels)
        let coded = try walk.visit(item)
        let size = try walk.transformedSize(of: item)
        var info = info
        (info.width, info.height) = (size.width, size.height)
        (info.isGray, info.bitDepth) = (coded.isGray, coded.bits)
        (info.isLimited, info.rangeBits) = (coded.isLimited, walk.rangeBits)
        info.isDerived = true
        info.alpha = .absent
        info.codePoints = try items.statedColour(of: item).points ?? info.codePoints
        found.append(Candidate(item: item, info: info))
      } catch {
        problems.append("a thumbnail skipped: \(error)")
      }
    }
    return (found.sorted { $0.side < $1.side }, problems)
  }

  /// Decodes a candidate; its size may differ from the stated one by a row.
  private func decode(_ candidate: Candidate) throws(CodecError) -> RasterImage {
    try HEIFContext.withPrimaryImage(of: bytes, candidate.info) { main throws(CodecError) in
      let handle = try main.thumbnail(candidate.item)
      var result = try HEIFDecoder(info: candidate.info).decode(handle)
      // A thumbnail without a profile uses the picture's.
      result.icc = try handle.iccProfile()
      if result.icc == nil { result.icc = try main.iccProfile() }
      result.codePoints = candidate.info.codePoints
      return try result.raster.tagged(HEIFColour.profile(of: result, limits).profile)
    }
  }

  private func exif() throws(CodecError) -> RequestedPixels {
    let data = items.exif.first.flatMap { items.data(of: $0) }
    guard let data, let thumbnail = HEIFItems.tiff(in: data).flatMap(ExifThumbnail.find) else {
      throw .unsupported("there is no embedded thumbnail")
    }
    // HDR code points count before a profile, as in the picture itself.
    let box = info.hdr == nil ? items.profileBox(of: items.primary) : nil
    let (icc, points) = (box.map { Array($0.payload.dropFirst(4)) }, info.hdr ?? info.codePoints)
    let profile = try info.isGray ? nil : HEIFColour.profile(icc: icc, points, for: .rgb, limits).profile
    let image = try thumbnail.decode(
      width: info.width, height: info.height, limits: limits, profile: profile)
    return pixels(image, data, notes: ["the thumbnail in the Exif data"])
  }

  private func pixels(_ image: RasterImage, _ data: ArraySlice<UInt8>?, notes: [String]) -> RequestedPixels {
    RequestedPixels(
      .raster(image), touchedBytes: min(bytes.count, items.headerBytes +| (data?.count ?? 0)), notes: notes)
  }
}

extension HEIFItems {
  /// The items of Exif metadata; where they disagree, the first one counts.
  var exif: [Int] { types.filter { $0.value == "Exif" }.keys.sorted() }

  /// An image and the first image that it is derived from.
  func withFirstSource(_ item: Int) -> [Int] { [[item], sources(of: item).prefix(1)].flatMap { $0 } }

  /// The colour box with the ICC profile of an image, or else of its first source.
  func profileBox(of item: Int) -> HEIFBox? {
    withFirstSource(item).flatMap { propertyBoxes[$0] ?? [] }.first { box in
      box.isColour && ["prof", "rICC"].contains { box.payload.starts(with: $0.utf8) }
    }
  }

  /// The TIFF file in an Exif item or box: first its offset, then that many bytes before it (ISO/IEC 23008-12, A.2.1).
  static func tiff(in data: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var reader = BoxScanner(data)
    guard let offset = try? reader.number(4), (try? reader.take(offset)) != nil else { return nil }
    return reader.rest
  }
}
