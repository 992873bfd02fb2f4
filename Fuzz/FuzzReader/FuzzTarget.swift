import CodecKit
import Foundation
import Model
import Pixels

@testable import Codecs
@testable import Store

/// What is fuzzed: a format's parsers, or a part that several formats have.
enum FuzzTarget: String, CaseIterable {
  case jpeg, heif, png, jxl, webp, tiff, pnm
  /// Exif metadata, with the maker notes of Apple.
  case exif
  /// Descriptions of gain maps and depth maps.
  case xmp
  /// The binary form of gain maps' metadata.
  case gainmap
  case icc
  /// measurements.csv and baselines.
  case results

  /// Small, so that the fuzzer spends its time on parsing and not on filling pixels.
  private static let limits = ReadLimits(maximumPixels: 1_000_000, maximumScans: 20)

  private var reader: (any ImageReader)? {
    switch self {
    case .jpeg: JPEGReader()
    case .heif: HEIFReader()
    case .png: PNGReader()
    case .jxl: JPEGXLReader()
    case .webp: WebPReader()
    case .tiff: TIFFReader()
    case .pnm: PNMReader()
    case .exif, .xmp, .gainmap, .icc, .results: nil
    }
  }

  /// Reads an input in every way that heicbench reads it; false if it is not worth keeping.
  func run(_ bytes: [UInt8], isDecoding: Bool) -> Bool {
    if let reader { return image(bytes, reader, isDecoding: isDecoding) }
    switch self {
    case .exif:
      _ = (ExifOrientation.find(in: bytes[...]), ExifThumbnail.find(in: bytes[...]))
      _ = AppleMakerNotes.headroom(in: bytes[...])
      var contents = FileContents()
      contents.addExif(bytes[...], bytes: bytes.count)
    case .xmp:
      let packet = XMPText(bytes[...])
      _ = (packet.isGainMap, packet.announcesGainMap, packet.isDepthMap, packet.holdsDepth)
      _ = try? GainMapMetadata(ultraHDR: packet)
      _ = try? GainMapMetadata(apple: [packet], tiff: nil)
    case .gainmap: _ = (try? GainMapMetadata(iso: bytes[...]), try? GainMapMetadata(item: bytes[...]))
    case .icc: _ = (ColorProfiles.namedCodePoints(in: bytes), ColorProfile.icc(bytes).title)
    default: results(bytes)
    }
    return true
  }

  private func image(_ bytes: [UInt8], _ reader: any ImageReader, isDecoding: Bool) -> Bool {
    guard reader.recognises(bytes) else { return false }
    let header = try? reader.anyHeader(of: bytes)
    _ = try? reader.contents(of: bytes)
    _ = try? GainMapFile(bytes)
    for request in [DecodePart.full, .region(PixelRegion(x: 8, y: 8, width: 8, height: 8))] {
      _ = try? reader.predictedMemory(of: bytes, for: request)
    }
    switch self {
    case .heif:
      _ = try? TileRewrap(bytes, maximumPixels: .max).file(column: 0, row: 0)
      _ = try? TilePacking.file([bytes, bytes], columns: 1, size: nil)
    case .jpeg:
      _ = JPEGWalk.codedBytes(of: bytes)
      if let markers = try? JPEGMarkers(bytes) { _ = JPEGBands(bytes, markers)?.band(of: 8..<16) }
    case .pnm:
      if let header = try? PNMHeader(bytes) { _ = try? PNMSamples.read(bytes, header) }
    default: break
    }
    if isDecoding { decode(bytes, reader, header) }
    return true
  }

  /// What was read has the size that the header told.
  private func decode(_ bytes: [UInt8], _ reader: any ImageReader, _ header: ImageHeader?) {
    guard let source = try? reader.read(bytes, limits: Self.limits) else { return }
    guard let header else { fatalError("read without a header") }
    let isEqual = source.image.width == header.width && source.image.height == header.height
    // libheif crops and turns, and libjxl turns.
    guard isEqual || self == .heif || self == .jxl else {
      fatalError("\(header) but \(source.image.width)×\(source.image.height)")
    }
    guard source.image.pixelCount <= Self.limits.maximumPixels else { fatalError("over the limit") }
    _ = source.image.profile.title
  }

  private func results(_ bytes: [UInt8]) {
    let path = Self.path
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { fatalError(path) }
    _ = try? MeasurementsCSV.rows(ofFile: path, metrics: MetricTraits.fuzzed)
    _ = TableCSV.columns(ofFile: path)
    _ = try? TableCSV.rows(ofFile: path, required: ["image"], amounts: ["memory_mib", "encode_ms"])
  }

  /// A file in memory, if the system has such files.
  private static let path: String = {
    let folder = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    return "\(folder)/heicbench-fuzz-\(ProcessInfo.processInfo.processIdentifier).csv"
  }()
}

extension MetricTraits {
  static let fuzzed = [
    MetricTraits(id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2)
  ]
}
