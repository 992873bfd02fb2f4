package import CodecKit
package import Model
package import Pixels

/// A codec with almost no cost, for tests of the runner and for measuring heicbench's own overhead.
///
/// It stores a share of the rows, set by the quality, and repeats them on decoding, so that size and scores rise with
/// quality as for a real codec. It can misbehave on request; see `NullFault`.
package struct NullCodec: ImageCodec {
  package init() {}

  package let traits = CodecTraits(
    id: "null", title: "Null (rows as they are)", fileExtension: "null",
    libraries: [LibraryVersion(name: "null", version: "1")], nativeQuality: 1...100,
    settings: [
      .choice("fault", NullFault.allCases.map(\.rawValue), NullFault.none.rawValue, "how encoding goes wrong")
    ],
    isHidden: true)

  package func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(alpha: true, maximumBitDepth: 16, maximumSide: Int(Int32.max))
  }

  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    if let fault = NullFault(rawValue: settings["fault"]) { try fault.happen() }
    let icc = profile(of: image)?.iccBytes ?? []
    let header = NullHeader(
      width: image.width, height: image.height, format: image.format,
      keptRows: max(1, image.height * max(settings.nativeQuality, 1) / 100), profileBytes: icc.count)
    guard var file = header.bytes else { throw .unsupported("the image is too large") }
    file.reserveCapacity(file.count + icc.count + header.keptRows * header.rowBytes)
    file += icc
    switch image.samples {
    case .bytes(let samples): samples.withUnsafeBytes { append(header, $0, to: &file) }
    case .words(let samples): samples.withUnsafeBytes { append(header, $0, to: &file) }
    }
    return file
  }

  /// Light is stored as an ICC profile of its code points.
  private func profile(of image: RasterImage) -> ColorProfile? {
    guard case .light(let light) = image.profile else { return image.profile }
    return ColorProfiles.profile(
      primaries: light.points.primaries, transfer: light.points.transfer, for: .rgb)
  }

  /// Reads the output of `encode`, on a machine with the same byte order.
  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    let header = try NullHeader(bytes)
    let start = NullHeader.byteCount
    let icc = Array(bytes[start..<start + header.profileBytes])
    let samples: RasterImage.Samples =
      header.format.bitDepth == 8 ? .bytes(repeated(header, bytes)) : .words(repeated(header, bytes))
    guard
      let image = RasterImage(
        width: header.width, height: header.height, format: header.format,
        profile: icc.isEmpty ? .sRGB : .icc(icc), samples: samples)
    else { throw .malformed("null file with an impossible format") }
    return image
  }

  private func append(_ header: NullHeader, _ samples: UnsafeRawBufferPointer, to file: inout [UInt8]) {
    for row in 0..<header.keptRows {
      let start = header.firstRow(showing: row) * header.rowBytes
      file.append(contentsOf: samples[start..<start + header.rowBytes])
    }
  }

  private func repeated<Sample: FixedWidthInteger>(_ header: NullHeader, _ bytes: [UInt8]) -> [Sample] {
    let count = header.width * header.height * header.format.layout.channels
    return [Sample](unsafeUninitializedCapacity: count) { buffer, written in
      let output = UnsafeMutableRawBufferPointer(buffer)
      bytes.withUnsafeBytes { input in
        let rows = NullHeader.byteCount + header.profileBytes
        for y in 0..<header.height {
          let start = rows + header.keptRow(at: y) * header.rowBytes
          let target = y * header.rowBytes
          output[target..<target + header.rowBytes].copyBytes(from: input[start..<start + header.rowBytes])
        }
      }
      written = count
    }
  }
}

/// The first bytes of a null file: `NULL`, then width, height, kept rows and profile bytes as four bytes each, then the
/// layout's number and the bits per sample as one byte each.
struct NullHeader: Sendable {
  static let byteCount = 22
  private static let magic = Array("NULL".utf8)

  var width: Int
  var height: Int
  var format: PixelFormat
  var keptRows: Int
  var profileBytes: Int

  var bytes: [UInt8]? {
    let layout = ChannelLayout.allCases.firstIndex(of: format.layout) ?? 0
    let numbers = [width, height, keptRows, profileBytes].compactMap { UInt32(exactly: $0) }
    guard numbers.count == 4 else { return nil }
    return Self.magic + numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian, Array.init) }
      + [UInt8(truncatingIfNeeded: layout), UInt8(truncatingIfNeeded: format.bitDepth)]
  }

  var rowBytes: Int { width * format.bytesPerPixel }

  func keptRow(at y: Int) -> Int { y * keptRows / height }

  func firstRow(showing row: Int) -> Int { (row * height + keptRows - 1) / keptRows }
}

extension NullHeader {
  /// Reads a header and checks the file's length against it.
  init(_ bytes: [UInt8]) throws(CodecError) {
    let reader = ByteReader(bytes)
    guard reader.has(Self.magic, at: 0), let width = reader.long(at: 4), let height = reader.long(at: 8),
      let keptRows = reader.long(at: 12), let profileBytes = reader.long(at: 16),
      let layout = reader.byte(at: 20),
      let bitDepth = reader.byte(at: 21)
    else { throw .malformed("not a null file") }
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height),
      (1...height).contains(keptRows), layout < ChannelLayout.allCases.count, (8...16).contains(bitDepth)
    else { throw .malformed("null file with a broken header") }
    self.init(
      width: width, height: height,
      format: PixelFormat(layout: ChannelLayout.allCases[layout], bitDepth: bitDepth), keptRows: keptRows,
      profileBytes: profileBytes)
    // At least one row in a hundred is stored, so a small file cannot request a large image.
    let body = bytes.count - Self.byteCount - profileBytes
    guard body >= 0, body / keptRows == rowBytes, body % keptRows == 0, height / 200 <= keptRows else {
      throw .malformed("null file of the wrong length")
    }
  }
}
