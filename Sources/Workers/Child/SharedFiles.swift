import Foundation
package import Model
package import Pixels

/// The files through which workers with different libraries share one image, in a folder of their own: the decoded
/// pixels to encode, and the encoded file to score.
package struct SharedFiles {
  private let folder: String

  init(folder: String) { self.folder = folder }

  package init(sharedBy setup: WorkerSetup) throws(Failure) {
    guard let folder = setup.scratchFolder else {
      throw Failure(kind: .broken, message: "the worker has no folder to share")
    }
    self.init(folder: folder)
  }

  /// The properties of a raster besides its samples.
  private struct Head: Codable {
    var width: Int
    var height: Int
    var format: PixelFormat
    var profileBytes: Int?
  }

  private var pixelsPath: String { folder + "/pixels" }
  private var filePath: String { folder + "/encoded" }

  /// Writes the pixels: a line of JSON, the profile, the samples in native byte order.
  func write(_ image: RasterImage) throws {
    let profile = image.profile.iccBytes
    let head = Head(
      width: image.width, height: image.height, format: image.format, profileBytes: profile?.count)
    var data = [UInt8](try JSONEncoder().encode(head)) + [0x0a] + (profile ?? [])
    switch image.samples {
    case .bytes(let samples): data += samples
    case .words(let samples): samples.withUnsafeBytes { data += $0 }
    }
    try ScratchFile.write(data, to: pixelsPath)
  }

  /// The pixels that the other worker wrote. Throws if they are missing or incomplete.
  package func pixels() throws(Failure) -> RasterImage {
    let bytes = try SourceFile.bytes(at: Array(pixelsPath.utf8))
    guard let end = bytes.firstIndex(of: 0x0a),
      let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end])),
      let count = head.profileBytes ?? 0 as Int?, (0...bytes.count - end - 1).contains(count)
    else { throw Self.broken }
    let profile = bytes[(end + 1)...].prefix(count)
    let samples = bytes[(end + 1 + count)...]
    guard
      let image = RasterImage(
        width: head.width, height: head.height, format: head.format,
        profile: head.profileBytes == nil ? .sRGB : .icc(Array(profile)),
        samples: head.format.bytesPerSample == 1 ? .bytes(Array(samples)) : .words(Self.words(samples)))
    else { throw Self.broken }
    return image
  }

  package func leave(_ encoded: [UInt8]) throws(Failure) {
    do { try ScratchFile.write(encoded, to: filePath) } catch { throw Self.notWritten(error) }
  }

  static func notWritten(_ error: any Error) -> Failure {
    let reason =
      (error as? Failure)?.message ?? (error as? SystemError)?.description
      ?? (error as NSError).localizedDescription
    return Failure(
      kind: .broken, message: "what two workers share cannot be written (\(reason)); make room, or set TMPDIR"
    )
  }

  package func encoded() throws(Failure) -> [UInt8] { try SourceFile.bytes(at: Array(filePath.utf8)) }

  private static let broken = Failure(kind: .broken, message: "the pixels between two workers are not whole")

  private static func words(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / 2).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self) }
    }
  }
}
