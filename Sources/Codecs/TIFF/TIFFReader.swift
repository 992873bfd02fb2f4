package import CodecKit
package import Model
import Pixels

/// Reads TIFF and BigTIFF files with libtiff: gray, palette, RGB, CMYK and YCbCr of 1 to 16 bits, in strips or tiles.
///
/// The header is parsed in pure Swift, which also chooses the picture: the largest of a pyramid, else the first page.
package struct TIFFReader: ImageReader {
  package let formats = ["TIFF"]

  package init() {}

  package var libraries: [String: [LibraryVersion]] { ["tiff": OpenedLibrary.tiff.libraries] }

  package var absence: String? { OpenedLibrary.tiff.absence }

  package func recognises(_ bytes: [UInt8]) -> Bool {
    let beginnings: [[UInt8]] = [
      [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B],
    ]
    return beginnings.contains { bytes.starts(with: $0) }
  }

  /// Directories may be anywhere, and usually follow the image data.
  package var mayEndWithHeader: Bool { true }

  package var seeksHeader: Bool { true }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    // The beginning of a longer file has exactly this length; more bytes are a whole file.
    Self.header(of: try Self.picture(TIFFBytes(bytes), mayBeCut: bytes.count == SourceFile.headLength))
  }

  package func anyHeader(of file: FileMapping) throws(CodecError) -> ImageHeader? {
    Self.header(of: try Self.picture(TIFFBytes(file)))
  }

  private static func picture(_ bytes: TIFFBytes, mayBeCut: Bool = false) throws(CodecError) -> TIFFPicture {
    try TIFFPicture(bytes, mayBeCut: mayBeCut)
  }

  private static func header(of picture: TIFFPicture) -> ImageHeader {
    ImageHeader(
      format: "tiff", width: picture.width, height: picture.height, bitDepth: picture.bits,
      layout: picture.layout, isLossy: picture.compression.isLossy, hdr: SourceColour.hdr(icc: picture.icc))
  }

  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let picture = try Self.picture(TIFFBytes(bytes))
    try PixelLimit.check(width: picture.width, height: picture.height, limits)
    let (profile, note) = try TIFFColour.profile(of: picture, limits)
    return try bytes.withUnsafeBufferPointer { buffer throws(CodecError) in
      let samples = try TIFFSamples(picture)
      let decoder = try TIFFDecompressor.open(buffer, picture, limits)
      let image = try decoder.next(picture.height, samples).image(
        by: "libtiff", width: picture.width, height: picture.height, format: picture.format, profile: profile)
      return SourceImage(
        image: image, orientation: picture.orientation,
        notes: picture.remarks + [note, samples.note, decoder.warning].compactMap(\.self))
    }
  }
}

extension TIFFReader {
  package func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)? {
    let picture = try Self.picture(TIFFBytes(file))
    try PixelLimit.check(width: picture.width, height: picture.height, limits)
    let (profile, note) = try TIFFColour.profile(of: picture, limits)
    let samples = try TIFFSamples(picture)
    let decoder = try TIFFDecompressor.open(file.bytes, picture, limits)
    let layout = RowLayout(
      width: picture.width, height: picture.height, format: picture.format, profile: profile,
      orientation: picture.orientation,
      notes: picture.remarks + [note, samples.note, decoder.warning].compactMap(\.self))
    var done = 0
    return DecodedRows(file, Self.header(of: picture), layout, library: "libtiff") {
      rows throws(CodecError) in
      let decoded = try decoder.next(rows, samples)
      done += rows
      return (decoded, file.bytes.count - picture.offset(ofRow: done), decoder.warning)
    }
  }
}

extension TIFFPicture {
  /// The approximate offset at which a row's data begin, if strips or tiles are in order. Pages before it can be
  /// released; they are read again if needed.
  fileprivate func offset(ofRow row: Int) -> Int {
    let rowsPerStrip = min(max(directory.number(.rowsPerStrip) ?? height, 1), height)
    let rows = tile?.height ?? rowsPerStrip
    let across = tile.map { (width + $0.width - 1) / $0.width } ?? 1
    let (offsets, lengths): (TIFFDirectory.Tag, TIFFDirectory.Tag) =
      tile != nil && directory.has(.tileOffsets)
      ? (.tileOffsets, .tileByteCounts) : (.stripOffsets, .stripByteCounts)
    guard let start = directory.number(offsets, at: row / rows * across) else { return 0 }
    guard tile == nil, let length = directory.number(lengths, at: row / rows) else { return start }
    return start + Int(Double(min(length, 1 << 40)) * Double(row % rows) / Double(rows))
  }
}
