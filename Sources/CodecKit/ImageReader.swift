package import Model
package import Pixels

/// Budget of a reader for one file, checked against the header before any allocation.
package struct ReadLimits: Sendable, Hashable, Codable {
  package var maximumPixels: Int
  /// Most progressive scans of a JPEG; more is a scan bomb.
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
  /// The pixels as stored, converted to gray or RGB with straight alpha, profile attached.
  package var image: RasterImage
  /// Orientation still to be applied; `up` if the library has applied it.
  package var orientation: Orientation
  /// Short phrases on changes and ignored problems, such as `CMYK converted to RGB`.
  package var notes: [String]

  package init(image: RasterImage, orientation: Orientation = .up, notes: [String] = []) {
    self.image = image
    self.orientation = orientation
    self.notes = notes
  }
}

package protocol ImageReader: Sendable {
  /// True if the bytes begin like a file of this family, whatever its name. Reads at most the first 64 bytes.
  func recognises(_ bytes: [UInt8]) -> Bool

  /// The formats it reads, as people call them, such as `JPEG`.
  var formats: [String] { get }

  /// Decoding libraries by format, for formats that no codec writes.
  var libraries: [String: [LibraryVersion]] { get }

  /// The reason why files cannot be decoded here, with what to install; nil if they can. Opens libraries like `libraries`.
  var absence: String? { get }

  /// True if a header may follow the image data, so that the first bytes of a long file may lack it.
  var mayEndWithHeader: Bool { get }

  /// True if a header is usually not in the first bytes and is found by offsets.
  var seeksHeader: Bool { get }

  /// Reads only the header, of SDR or HDR, in pure Swift: a hostile one meets no C code in the parent. The file may be
  /// cut off.
  func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader

  /// Reads the header of a file wherever it is in the file; nil unless `seeksHeader`.
  func anyHeader(of file: FileMapping) throws(CodecError) -> ImageHeader?

  func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage

  /// Starts decoding a file row by row, within the limits; nil if it must be decoded as a whole.
  func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)?

  /// Serves a request, upright, reading as little of the file as the format allows.
  /// - Throws: `unsupported` with the reason if the file or the decoder cannot serve it.
  func decode(
    _ bytes: [UInt8], _ request: DecodePart, limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels

  /// Predicted growth in bytes for a request, result included, of a process that has decoded before; nil if unknown.
  func predictedMemory(of bytes: [UInt8], for request: DecodePart) throws(CodecError) -> Int?

  /// False if the format cannot hold a gain map (the default), or if the beginning of a large file does not announce
  /// one. Looking through all of it would take longer than making a thumbnail, and as much memory as the file.
  func mayHaveGainMap(_ bytes: [UInt8]) -> Bool

  /// Contents of a whole file besides its picture, read in pure Swift.
  func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents
}

extension ImageReader {
  /// Reads a header, and refuses HDR that it states.
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

  /// Contents that would change the picture's look and that no decoder here applies, for the image's steps.
  package func stepsLeftOut(of bytes: [UInt8]) -> [String] {
    let contents = try? contents(of: bytes)
    return contents?.shares[.gainMap] == nil ? [] : [ImageRecord.gainMapStep]
  }
}

/// Writes an image losslessly, for outside tools, browsers and the generated corpus.
package protocol ImageWriter: Sendable {
  /// A complete file with exactly these pixels and this profile.
  func write(_ image: RasterImage) throws(CodecError) -> [UInt8]

  /// A file for viewing, written faster and perhaps somewhat larger.
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
