package import Model
package import Pixels

/// A reader's limits for one file, checked against the header before any allocation.
package struct ReadLimits: Sendable, Hashable, Codable {
  package var maximumPixels: Int
  /// The maximum number of progressive scans in a JPEG; more indicate a scan bomb.
  package var maximumScans: Int
  /// The light of samples in an HDR run; nil refuses HDR.
  package var light: HDRViewing?

  package init(maximumPixels: Int = 300_000_000, maximumScans: Int = 500, light: HDRViewing? = nil) {
    self.maximumPixels = maximumPixels
    self.maximumScans = maximumScans
    self.light = light
  }
}

package struct SourceImage: Sendable {
  /// The pixels as stored, converted to gray or RGB with straight alpha, with the profile attached.
  package var image: RasterImage
  /// The orientation still to be applied; `up` if the library has already applied it.
  package var orientation: Orientation
  /// Short phrases about changes and ignored problems, such as `CMYK converted to RGB`.
  package var notes: [String]

  package init(image: RasterImage, orientation: Orientation = .up, notes: [String] = []) {
    self.image = image
    self.orientation = orientation
    self.notes = notes
  }
}

package protocol ImageReader: Sendable {
  /// True if the bytes begin like a file of this format family, whatever its name. Reads at most the first 64 bytes.
  func recognises(_ bytes: [UInt8]) -> Bool

  /// The display names of the formats it reads, such as `JPEG`.
  var formats: [String] { get }

  /// Decoding libraries by format, for formats that no codec writes.
  var libraries: [String: [LibraryVersion]] { get }

  /// The reason that files cannot be decoded here, and what to install; nil if they can. Opens libraries, as
  /// `libraries` does.
  var absence: String? { get }

  /// True if a header may follow the image data, so that the first bytes of a long file may lack it.
  var mayEndWithHeader: Bool { get }

  /// True if the header is usually not in the first bytes but is found through offsets.
  var seeksHeader: Bool { get }

  /// Reads only the header, of SDR or HDR, in pure Swift, so a hostile header never reaches C code in the parent. The
  /// file may be truncated.
  func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader

  /// Reads the header from anywhere in a file; nil unless `seeksHeader`.
  func anyHeader(of file: FileMapping) throws(CodecError) -> ImageHeader?

  func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage

  /// Starts decoding a file row by row, within the limits; nil if it must be decoded as a whole.
  func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)?

  /// Decodes the requested part, upright, reading as little of the file as the format allows.
  /// - Throws: `unsupported` with the reason if the file or the decoder does not allow it.
  func decode(
    _ bytes: [UInt8], _ request: DecodePart, limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels

  /// The predicted memory growth for a request, in bytes and including the result, of a process that has decoded
  /// before; nil if unknown.
  func predictedMemory(of bytes: [UInt8], for request: DecodePart) throws(CodecError) -> Int?

  /// False if the format cannot contain a gain map (the default), or if the beginning of a large file does not announce
  /// one. Searching the whole file would take longer than making a thumbnail, and as much memory as the file.
  func mayHaveGainMap(_ bytes: [UInt8]) -> Bool

  /// The contents of a whole file other than its picture, read in pure Swift.
  func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents
}

extension ImageReader {
  /// Reads a header, and refuses it if it states HDR.
  package func header(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let header = try anyHeader(of: bytes)
    if let points = header.hdr { throw .highDynamicRange(points) }
    return header
  }

  package var libraries: [String: [LibraryVersion]] { [:] }

  package var absence: String? { nil }

  package var mayEndWithHeader: Bool { false }

  package func mayHaveGainMap(_ bytes: [UInt8]) -> Bool { false }

  package var seeksHeader: Bool { false }

  package func anyHeader(of file: FileMapping) throws(CodecError) -> ImageHeader? { nil }

  package func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents { FileContents() }

  /// Contents that would change the picture's look but that decoders here do not apply, for the image's steps.
  package func stepsLeftOut(of bytes: [UInt8]) -> [String] {
    let contents = try? contents(of: bytes)
    return contents?.shares[.gainMap] == nil ? [] : [ImageRecord.gainMapStep]
  }
}

/// Writes an image losslessly, for external tools, browsers and the generated corpus.
package protocol ImageWriter: Sendable {
  /// Returns a complete file with exactly these pixels and this profile.
  func write(_ image: RasterImage) throws(CodecError) -> [UInt8]

  /// Returns a file for viewing, written faster and possibly somewhat larger.
  func preview(_ image: RasterImage) throws(CodecError) -> [UInt8]

  func preview(_ picture: IndexedPicture) throws(CodecError) -> [UInt8]
}

extension ImageWriter {
  package func preview(_ image: RasterImage) throws(CodecError) -> [UInt8] { try write(image) }

  package func preview(_ picture: IndexedPicture) throws(CodecError) -> [UInt8] {
    guard let raster = picture.raster else { throw .unsupported("too large") }
    return try preview(raster)
  }
}
