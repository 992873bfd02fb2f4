package import Model
package import Pixels

/// What a reader may spend on one file. Checked against the header before anything is allocated.
package struct ReadLimits: Sendable, Hashable, Codable {
  /// The most pixels an image may have.
  package var maximumPixels: Int
  /// The most progressive scans a JPEG may have; more is a scan bomb.
  package var maximumScans: Int

  /// Sets limits; the defaults are 300 megapixels and 500 scans.
  package init(maximumPixels: Int = 300_000_000, maximumScans: Int = 500) {
    self.maximumPixels = maximumPixels
    self.maximumScans = maximumScans
  }
}

/// A decoded file, before preparation.
package struct SourceImage: Sendable {
  /// The pixels as stored, converted to gray or RGB with straight alpha, profile attached.
  package var image: RasterImage
  /// How they have to be turned; `up` where the library has applied it already.
  package var orientation: Orientation
  /// What the reader changed or overlooked, a short phrase each: `CMYK converted to RGB`.
  package var notes: [String]

  /// Wraps a decoded file.
  package init(image: RasterImage, orientation: Orientation = .up, notes: [String] = []) {
    self.image = image
    self.orientation = orientation
    self.notes = notes
  }
}

/// Reads one family of image files.
package protocol ImageReader: Sendable {
  /// Whether the bytes begin like a file of this family, whatever its name. Reads the first 64 bytes at most.
  func recognises(_ bytes: [UInt8]) -> Bool

  /// What decodes formats that no codec writes, by format. For others there are their codec's libraries.
  var libraries: [String: [LibraryVersion]] { get }

  /// Whether a file's header may stand behind its image data, so that the first bytes of a long file need not
  /// have it.
  var mayEndWithHeader: Bool { get }

  /// Reads the header alone, in Swift, so that a hostile header meets no C code in the parent. The bytes may be
  /// the first of a longer file.
  func header(of bytes: [UInt8]) throws(CodecError) -> ImageHeader

  /// Decodes the whole file within the limits.
  func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage

  /// Begins to decode a file row by row, within the limits; nil where it has to be decoded as a whole.
  func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)?

  /// Decodes what a request asks for, upright, touching as little of the file as the format allows.
  /// - Throws: `unsupported` with the reason where the file or the decoder has no such way.
  func decode(
    _ bytes: [UInt8], _ request: DecodeRequest, limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels

  /// How far a process that has decoded before grows when it serves a request, its result included: bytes, by a
  /// formula over what the header says. Nil where there is none.
  func predictedMemory(of bytes: [UInt8], for request: DecodeRequest) throws(CodecError) -> Int?

  /// What a whole file holds beside its picture, read in Swift alone as `header` is.
  func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents

  /// What the file tells of how it was made: program, camera, encoder, coding. Nothing where it tells nothing.
  func making(of bytes: [UInt8]) -> FileMaking
}

extension ImageReader {
  /// Most readers read what a codec writes.
  package var libraries: [String: [LibraryVersion]] { [:] }

  /// Most formats begin with their header.
  package var mayEndWithHeader: Bool { false }

  /// Some formats hold nothing else.
  package func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents { FileContents() }

  /// What a file holds that would make its picture look otherwise, and that no decode here looks at: for the image's steps.
  package func stepsLeftOut(of bytes: [UInt8]) -> [String] {
    let contents = try? contents(of: bytes)
    return contents?.shares[.gainMap] == nil ? [] : [ImageRecord.gainMapStep]
  }

  /// Most formats have no place for it.
  package func making(of bytes: [UInt8]) -> FileMaking { FileMaking() }
}

/// Writes an image losslessly, for outside tools, browsers and the generated corpus.
package protocol ImageWriter: Sendable {
  /// A complete file with exactly these pixels and this profile.
  func write(_ image: RasterImage) throws(CodecError) -> [UInt8]

  /// The same in a file for looking at, which is to cost little time and may be somewhat larger.
  func preview(_ image: RasterImage) throws(CodecError) -> [UInt8]

  /// The same of a picture of few colours.
  func preview(_ picture: IndexedPicture) throws(CodecError) -> [UInt8]
}

extension ImageWriter {
  package func preview(_ image: RasterImage) throws(CodecError) -> [UInt8] { try write(image) }

  package func preview(_ picture: IndexedPicture) throws(CodecError) -> [UInt8] {
    guard let raster = picture.raster else { throw .unsupported("too large") }
    return try preview(raster)
  }
}
