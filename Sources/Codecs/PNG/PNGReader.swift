import CPNGShim
package import CodecKit
package import Model
import Pixels

/// Reads PNG files of every colour type and depth, interlaced or not, with their colour chunks: plain files with
/// heicbench's own code over ISA-L if installed, others with libpng.
///
/// Palettes become RGB, samples under 8 bits are scaled to 8, 16-bit samples stay 16 bits, gray stays gray.
package struct PNGReader: ImageReader {
  package let formats = ["PNG"]

  package init() {}

  package var libraries: [String: [LibraryVersion]] { ["png": PNGLibraries.loaded] }

  package func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: PNGChunks.signature) }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    Self.header(of: try PNGChunks(bytes))
  }

  static func header(of chunks: PNGChunks) -> ImageHeader {
    ImageHeader(
      format: "png", width: chunks.width, height: chunks.height, bitDepth: chunks.bitDepth,
      layout: chunks.layout, isLossy: false, hdr: SourceColour.hdr(chunks.codePoints))
  }

  /// Decodes the file. A wrong checksum is an error in image data or palette, and a note in any other chunk.
  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let chunks = try PNGChunks(bytes)
    try PixelLimit.check(width: chunks.width, height: chunks.height, limits)
    let picture = try PNGDecompressor.decode(bytes, limits: limits)
    let head = picture.head
    let (profile, note) = try PNGColor.profile(chunks, icc: head.icc, layout: head.format.layout, limits)
    let image = try picture.samples.image(
      by: "libpng", width: head.width, height: head.height, format: head.format, profile: profile)
    return SourceImage(
      image: LimitedRange.spread(image, colours: chunks.isLimited, alpha: false),
      orientation: chunks.orientation,
      notes: [chunks.leftOut, picture.warning, note].compactMap { $0 })
  }
}

extension PNGReader {
  /// The decoded samples, twice if turned.
  package func predictedMemory(of bytes: [UInt8], for request: DecodePart) throws(CodecError) -> Int? {
    let chunks = try PNGChunks(bytes)
    let format = PixelFormat(layout: chunks.layout, bitDepth: max(8, chunks.bitDepth))
    let (pixels, overflow) = chunks.width.multipliedReportingOverflow(by: chunks.height)
    guard !overflow, pixels < .max / 64, !chunks.isLimited else { return nil }
    let samples = pixels * format.bytesPerPixel * (chunks.orientation == .up ? 1 : 2)
    switch request {
    // The inflater and a strip of rows.
    case .full: return samples + (200 << 10)
    case .region(let region):
      // For small pictures, heap leftovers matter and do not follow a formula.
      guard pixels >= 4 * (512 << 10) else { return nil }
      return samples + region.width * region.height * format.bytesPerPixel
    case .ycbcr, .scaled, .thumbnail, .firstTile: return nil
    }
  }
}

extension PNGReader {
  /// Decodes interlaced files as a whole, because their first rows need the last bytes, and files of limited range,
  /// which are rare.
  package func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)? {
    var chunks = try PNGChunks(file.head(SourceFile.usualHeadLength))
    if !chunks.isComplete { chunks = try PNGChunks(file.head(SourceFile.headLength)) }
    try PixelLimit.check(width: chunks.width, height: chunks.height, limits)
    let decoder = try PNGDecompressor(file.bytes)
    let head = try decoder.readHead(limits)
    guard hb_png_has_rows(decoder.handle) != 0, !chunks.isLimited else { return nil }
    let (profile, note) = try PNGColor.profile(chunks, icc: head.icc, layout: head.format.layout, limits)
    let layout = RowLayout(
      width: head.width, height: head.height, format: head.format, profile: profile,
      orientation: chunks.orientation, notes: [chunks.leftOut, decoder.warning, note].compactMap { $0 })
    return DecodedRows(file, Self.header(of: chunks), layout, library: "libpng") { rows throws(CodecError) in
      let samples = try decoder.samples(rows * head.width * head.format.layout.channels, head.format) {
        pixels, _ in
        hb_png_read_rows(decoder.handle, pixels, UInt32(clamping: rows))
      }
      return (samples, hb_png_bytes_left(decoder.handle), decoder.warning)
    }
  }
}

enum PNGLibraries {
  /// heicbench's own code reads rows over ISA-L if installed; libpng over zlib reads the rest.
  static let loaded: [LibraryVersion] = {
    // " inflate 1.2.13 Copyright 1995-2022 Mark Adler "
    let zlib = LoadedLibrary.text(in: "libz", beginning: " inflate ")?.split(separator: " ").dropFirst().first
    let libraries = [
      named("libpng", "libpng16", version: String(cString: hb_png_version())),
      named("zlib", "libz", version: zlib.map(String.init)),
    ]
    guard hb_png_is_fast() != 0 else { return libraries }
    // The version must increase when the code's speed changes.
    return [
      LibraryVersion(name: "heicbench’s PNG rows", version: "1"), named("ISA-L", "libisal", version: nil),
    ]
      + libraries
  }()

  private static func named(_ name: String, _ stem: String, version: String?) -> LibraryVersion {
    let interface = LoadedLibrary(stem)?.fileVersion.map { "as \(stem).so.\($0)" }
    return LibraryVersion(name: name, version: version ?? interface ?? "?").withBuild(of: stem)
  }
}
