package import CodecKit
package import Model
import Pixels

/// Reads the samples after a Netpbm header and scales them to the raster's depth.
enum PNMSamples {
  /// Reads all samples of the first image; the caller has checked the pixel limit.
  static func read(_ bytes: [UInt8], _ header: PNMHeader) throws(CodecError) -> RasterImage.Samples {
    let count = header.width *| header.height *| header.layout.channels
    let reader = ByteReader(bytes)
    let coded = reader.part(at: header.dataOffset, length: codedBytes(header, count))
    // Checked before any allocation.
    guard let coded else { throw .malformed("truncated PNM") }
    switch header.encoding {
    case .packedBits: return .bytes(unpacked(coded, header))
    case .textBits, .text: return try text(reader, header, count)
    case .binary where header.maximum == 255: return .bytes([UInt8](coded))
    case .binary where header.maximum < 256: return .bytes(try stretched(coded, header, UInt8.self))
    case .binary:
      let words = ByteReader(coded).words(at: 0, count: count) ?? []
      return .words(try stretched(words, header, UInt16.self))
    }
  }

  /// The minimum number of bytes for all samples.
  private static func codedBytes(_ header: PNMHeader, _ count: Int) -> Int {
    switch header.encoding {
    case .packedBits: header.width.parts(of: 8) *| header.height
    // The last number needs no trailing white space.
    case .text: 2 *| count -| 1
    case .textBits: count
    case .binary: count *| (header.maximum < 256 ? 1 : 2)
    }
  }

  private static func unpacked(_ rows: ArraySlice<UInt8>, _ header: PNMHeader) -> [UInt8] {
    var samples: [UInt8] = []
    samples.reserveCapacity(header.width *| header.height)
    var x = 0
    for byte in rows {
      for bit in min(8, header.width -| x).indices {
        samples.append(byte << bit & 0x80 == 0 ? 255 : 0)
      }
      x = x +| 8 < header.width ? x +| 8 : 0
    }
    return samples
  }

  private static func text(
    _ reader: ByteReader, _ header: PNMHeader, _ count: Int
  ) throws(CodecError) -> RasterImage.Samples {
    var scanner = PNMScanner(reader, position: header.dataOffset)
    var values: [UInt16] = []
    values.reserveCapacity(count)
    for _ in count.indices {
      let value = header.isBitmap ? scanner.bit().map { 1 -| $0 } : scanner.sample()
      guard let value else { throw .malformed("truncated PNM") }
      guard value <= header.maximum else { throw tooLarge(value, header) }
      values.append(UInt16(truncatingIfNeeded: value))
    }
    return header.bitDepth == 8
      ? .bytes(try stretched(values, header, UInt8.self)) : .words(try stretched(values, header, UInt16.self))
  }

  /// Returns round(sample × full / maximum), where full is the raster's largest sample.
  private static func stretched<Stored: FixedWidthInteger, Sample: FixedWidthInteger>(
    _ stored: some Collection<Stored>, _ header: PNMHeader, _: Sample.Type
  ) throws(CodecError) -> [Sample] {
    let (maximum, full) = (header.maximum, (1 << header.bitDepth) -| 1)
    let table = (maximum +| 1).indices.map {
      Sample(truncatingIfNeeded: ($0 *| full +| maximum / 2) /| maximum)
    }
    var samples: [Sample] = []
    samples.reserveCapacity(stored.count)
    for value in stored {
      let value = Int(truncatingIfNeeded: value)
      guard let sample = table.element(value) else { throw tooLarge(value, header) }
      samples.append(sample)
    }
    return samples
  }

  private static func tooLarge(_ value: Int, _ header: PNMHeader) -> CodecError {
    .malformed("PNM with the sample \(value) over its maximum \(header.maximum)")
  }
}

/// Reads Netpbm files in pure Swift: PBM, PGM and PPM as text and binary, and PAM.
package struct PNMReader: ImageReader {
  package let formats = ["PNM"]

  package init() {}

  /// The version must increase when the code's speed changes.
  package var libraries: [String: [LibraryVersion]] {
    ["pnm": [LibraryVersion(name: "heicbench’s PNM reader", version: "1")]]
  }

  package func recognises(_ bytes: [UInt8]) -> Bool {
    let reader = ByteReader(bytes)
    guard reader.has("P".utf8, at: 0), let kind = reader.byte(at: 1), (0x31...0x37).contains(kind),
      let next = bytes.dropFirst(2).first
    else { return false }
    return PNMScanner.isBlank(next) || next == 0x23
  }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let header = try PNMHeader(bytes)
    return ImageHeader(
      format: "pnm", width: header.width, height: header.height, bitDepth: header.storedBits,
      layout: header.layout, isLossy: false)
  }

  /// Decodes the file's first image. Treats samples as sRGB, as other programs do, although the standard says BT.709.
  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let header = try PNMHeader(bytes)
    try PixelLimit.check(width: header.width, height: header.height, limits)
    let samples = try PNMSamples.read(bytes, header)
    let format = PixelFormat(layout: header.layout, bitDepth: header.bitDepth)
    let profile = try SourceColour.profile(.sRGB, limits)
    guard
      let image = RasterImage(
        width: header.width, height: header.height, format: format, profile: profile, samples: samples)
    else { throw .malformed("PNM with an unexpected number of samples") }
    let note = "samples of 0 to \(header.maximum) stretched to \(header.bitDepth) bits"
    return SourceImage(image: image, notes: header.fillsItsBits ? [] : [note])
  }
}
