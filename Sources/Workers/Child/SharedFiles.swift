import Foundation
package import Model
package import Pixels

/// The size, format and profile of a raster whose samples are elsewhere.
package struct RasterShape: Codable, Sendable, Hashable {
  package var width: Int
  package var height: Int
  package var format: PixelFormat
  /// The ICC profile; nil for sRGB.
  var profile: Data?
  /// The light of an HDR run; nil in SDR.
  var light: HDRLight?

  package init(_ image: RasterImage) {
    (width, height, format) = (image.width, image.height, image.format)
    profile = image.profile.iccBytes.map { Data($0) }
    if case .light(let light) = image.profile { self.light = light }
  }

  /// The samples' bytes; nil for impossible sizes.
  package var sampleBytes: Int? {
    guard Bound.side.contains(width), Bound.side.contains(height), width * height <= 1 << 40,
      (8...16).contains(format.bitDepth)
    else { return nil }
    return width * height * format.bytesPerPixel
  }

  /// The image with these samples in native byte order; nil if their number is wrong.
  package func image(_ samples: [UInt8]) -> RasterImage? {
    guard samples.count == sampleBytes else { return nil }
    let words = { samples.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) } }
    return RasterImage(
      width: width, height: height, format: format,
      profile: light.map { .light($0) } ?? profile.map { .icc(Array($0)) } ?? .sRGB,
      samples: format.bitDepth > 8 ? .words(words()) : .bytes(samples))
  }
}

extension RasterImage {
  /// The samples in native byte order.
  package var sampleBytes: [UInt8] {
    switch samples {
    case .bytes(let bytes): bytes
    case .words(let words): words.withUnsafeBytes { Array($0) }
    }
  }
}

/// The files through which workers with different libraries share one image, in their own folder: the decoded pixels to
/// encode, and the encoded file to score.
package struct SharedFiles {
  private let folder: String

  init(folder: String) { self.folder = folder }

  package init(sharedBy setup: WorkerSetup) throws(Failure) {
    guard let folder = setup.scratchFolder else {
      throw Failure(kind: .broken, message: "the worker has no folder to share")
    }
    self.init(folder: folder)
  }

  private var pixelsPath: String { folder + "/pixels" }
  private var filePath: String { folder + "/encoded" }

  func write(_ image: RasterImage) throws(Failure) {
    var bytes = [UInt8]((try? JSONEncoder().encode(RasterShape(image))) ?? Data()) + [0x0a]
    bytes += image.sampleBytes
    try write(bytes, to: pixelsPath)
  }

  /// The pixels that the other worker wrote. Throws if they are missing or incomplete.
  package func pixels() throws(Failure) -> RasterImage {
    let bytes = try SourceFile.bytes(at: Array(pixelsPath.utf8))
    guard let end = bytes.firstIndex(of: 0x0a),
      let shape = try? JSONDecoder().decode(RasterShape.self, from: Data(bytes[..<end])),
      let image = shape.image(Array(bytes[(end + 1)...]))
    else { throw Failure(kind: .broken, message: "the pixels passed between two workers are incomplete") }
    return image
  }

  package func leave(_ encoded: [UInt8]) throws(Failure) { try write(encoded, to: filePath) }

  package func encoded() throws(Failure) -> [UInt8] { try SourceFile.bytes(at: Array(filePath.utf8)) }

  private func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    do { try ScratchFile.write(bytes, to: path) } catch {
      throw Failure(
        kind: .broken,
        message: "cannot write the files that two workers share (\(error)); free some space, or set TMPDIR")
    }
  }
}
