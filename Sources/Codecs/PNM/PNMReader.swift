package import CodecKit
package import Model
import Pixels

/// Reads the samples after a Netpbm header and stretches them to the raster's depth.
enum PNMSamples {
  /// All samples of the first image; the caller has checked the pixel limit.
  static func read(_ bytes: [UInt8], _ header: PNMHeader) throws(CodecError) -> RasterImage.Samples {
    let count = header.width * header.height * header.layout.channels
    guard header.dataOffset <= bytes.count, holds(bytes.count - header.dataOffset, header, count) else {
      throw .malformed("truncated PNM")
    }
    switch header.encoding {
    case .packedBits: return .bytes(unpacked(bytes, header))
    case .textBits, .text: return try text(bytes, header, count)
    case .binary where header.maximum == 255:
      return .bytes([UInt8](bytes[header.dataOffset..<header.dataOffset + count]))
    case .binary where header.maximum < 256:
      return .bytes(try stretched(bytes[header.dataOffset..<header.dataOffset + count], header, UInt8.self))
    case .binary: return .words(try stretched(words(bytes, header, count), header, UInt16.self))
    }
  }

  /// True if `available` bytes can hold all samples; checked before any allocation.
  private static func holds(_ available: Int, _ header: PNMHeader, _ count: Int) -> Bool {
    switch header.encoding {
    case .packedBits: available >= (header.width + 7) / 8 * header.height
    // The last number needs no trailing blank.
    case .text: available >= 2 * count - 1
    case .textBits: available >= count
    case .binary: available >= count * (header.maximum < 256 ? 1 : 2)
    }
  }

  private static func unpacked(_ bytes: [UInt8], _ header: PNMHeader) -> [UInt8] {
    let stride = (header.width + 7) / 8
    return [UInt8](unsafeUninitializedCapacity: header.width * header.height) { output, count in
      bytes.withUnsafeBufferPointer { input in
        for y in 0..<header.height {
          for x in 0..<header.width {
            let isBlack = input[header.dataOffset + y * stride + x / 8] >> (7 - x % 8) & 1 == 1
            output[y * header.width + x] = isBlack ? 0 : 255
          }
        }
      }
      count = header.width * header.height
    }
  }

  private static func words(_ bytes: [UInt8], _ header: PNMHeader, _ count: Int) -> [UInt16] {
    [UInt16](unsafeUninitializedCapacity: count) { output, written in
      bytes.withUnsafeBytes { input in
        for index in 0..<count {
          output[index] = UInt16(
            bigEndian: input.loadUnaligned(fromByteOffset: header.dataOffset + 2 * index, as: UInt16.self))
        }
      }
      written = count
    }
  }

  private static func text(
    _ bytes: [UInt8], _ header: PNMHeader, _ count: Int
  ) throws(CodecError) -> RasterImage.Samples {
    var scanner = PNMScanner(bytes, position: header.dataOffset)
    var values: [UInt16] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      let value = header.isBitmap ? scanner.bit().map { 1 - $0 } : scanner.sample()
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
    let (maximum, full) = (header.maximum, (1 << header.bitDepth) - 1)
    let table = (0...maximum).map { Sample(truncatingIfNeeded: ($0 * full + maximum / 2) / maximum) }
    var samples: [Sample] = []
    samples.reserveCapacity(stored.count)
    for value in stored {
      guard Int(value) <= maximum else { throw tooLarge(Int(value), header) }
      samples.append(table[Int(value)])
    }
    return samples
  }

  private static func tooLarge(_ value: Int, _ header: PNMHeader) -> CodecError {
    .malformed("PNM with the sample \(value) over its maximum \(header.maximum)")
  }
}

/// Reads Netpbm files in pure Swift: PBM, PGM and PPM as text and binary, and PAM.
package struct PNMReader: ImageReader {
  package init() {}

  /// Increase the version when the code's speed changes.
  package var libraries: [String: [LibraryVersion]] {
    ["pnm": [LibraryVersion(name: "heicbench’s PNM reader", version: "1")]]
  }

  package func recognises(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "P"), (0x31...0x37).contains(bytes[1]) else {
      return false
    }
    return PNMScanner.isBlank(bytes[2]) || bytes[2] == UInt8(ascii: "#")
  }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let header = try PNMHeader(bytes)
    return ImageHeader(
      format: "pnm", width: header.width, height: header.height, bitDepth: header.storedBits,
      layout: header.layout, isLossy: false)
  }

  /// Decodes the file's first image. Takes samples as sRGB, as other programs do, although the standard says BT.709.
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
