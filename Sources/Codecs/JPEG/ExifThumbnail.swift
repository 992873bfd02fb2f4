import CodecKit
import Model
import Pixels

/// The JPEG thumbnail in a block of Exif metadata (CIPA DC-008, 4.5: the second image directory).
struct ExifThumbnail {
  /// A JPEG file.
  let file: [UInt8]
  /// How the pictures of the block have to be turned.
  let orientation: Orientation
  /// The byte after it, counted in whatever the block's bytes are a part of.
  let end: Int

  /// Finds it; nil where there is none.
  static func find(in tiff: ArraySlice<UInt8>) -> ExifThumbnail? {
    guard let directory = ExifDirectory(tiff)?.next, let start = directory.long(0x0201),
      let length = directory.long(0x0202), let file = directory.reader.part(at: start, length: length),
      file.starts(with: [0xFF, 0xD8])
    else { return nil }
    return ExifThumbnail(
      file: Array(file), orientation: ExifOrientation.find(in: tiff) ?? .up, end: file.endIndex)
  }

  /// The thumbnail, upright, of a picture with these sides. In a HEIF file the orientation may be said a second
  /// time there, so that of the two ways the one with the picture's shape counts.
  func decode(
    width: Int, height: Int, limits: ReadLimits, profile: ColorProfile? = nil
  ) throws(CodecError) -> RasterImage {
    let source = try JPEGReader().read(file, limits: limits)
    var image = source.image.oriented(orientation)
    if (try? ThumbnailChoice.checkShape(image, width: width, height: height)) == nil { image = source.image }
    try ThumbnailChoice.checkShape(image, width: width, height: height)
    guard let profile, image.profile == .sRGB, !image.format.layout.isGray else { return image }
    // Cameras leave the profile out of the thumbnail, whose colours are the picture's.
    return image.tagged(profile)
  }
}
