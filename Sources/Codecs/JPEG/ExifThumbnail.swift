import CodecKit
import Pixels

/// The JPEG thumbnail in a block of Exif metadata (CIPA DC-008, 4.5: the second image directory).
struct ExifThumbnail {
  let file: [UInt8]
  let orientation: Orientation
  /// The index after its last byte, in the array that contains the block.
  let end: Int

  static func find(in tiff: ArraySlice<UInt8>) -> ExifThumbnail? {
    guard let directory = ExifDirectory(tiff)?.next, let start = directory.long(0x0201),
      let length = directory.long(0x0202), let file = directory.reader.part(at: start, length: length),
      file.starts(with: [0xFF, 0xD8])
    else { return nil }
    return ExifThumbnail(
      file: Array(file), orientation: ExifOrientation.find(in: tiff) ?? .up, end: file.endIndex)
  }

  /// Decodes the thumbnail upright for a picture of this size. A HEIF file may state the orientation twice, so the
  /// variant with the picture's shape is used.
  func decode(
    width: Int, height: Int, limits: ReadLimits, profile: ColorProfile? = nil
  ) throws(CodecError) -> RasterImage {
    let source = try JPEGReader().read(file, limits: limits)
    var image = source.image.oriented(orientation)
    if (try? ThumbnailChoice.checkShape(image, width: width, height: height)) == nil { image = source.image }
    try ThumbnailChoice.checkShape(image, width: width, height: height)
    guard let profile, image.profile == .sRGB, !image.format.layout.isGray else { return image }
    // Cameras omit the profile from the thumbnail, which has the picture's colours.
    return image.tagged(profile)
  }
}

enum ThumbnailChoice {
  /// The order in which to try thumbnails by longest side: the smallest that is large enough, then larger ones, then
  /// smaller ones from the largest down.
  static func order(_ sides: [Int], atLeast side: Int) -> [Int] {
    let found = sides.enumerated().map { (index: $0.offset, side: $0.element) }
    let large = found.filter { $0.side >= side }.sorted { $0.side < $1.side }
    let small = found.filter { $0.side < side }.sorted { $0.side > $1.side }
    return [large, small].joined().map(\.index)
  }

  /// Refuses a thumbnail whose aspect ratio differs from the picture's: some cameras add bars or do not turn it. Allows
  /// 2 %, plus one pixel for rounding.
  static func checkShape(_ image: RasterImage, width: Int, height: Int) throws(CodecError) {
    let expected = Double(image.width) * Double(height) / Double(width)
    guard abs(Double(image.height) - expected) <= max(0.02 * expected, 1) else {
      throw .unsupported("it is \(image.width)×\(image.height) for a picture of \(width)×\(height)")
    }
  }
}
