import Foundation
import Model
import Pixels

/// The files by which workers with different libraries work on one image: the pixels that one has decoded for the
/// other to encode, and the file that comes back to be scored. They stand in a folder of the workers' own.
struct HandedOver {
  private let folder: String

  /// Goes by a folder that both workers may write to.
  init(folder: String) { self.folder = folder }

  /// Goes by the folder of a worker's setup.
  init(sharedBy setup: WorkerSetup) throws(Failure) {
    guard let folder = setup.scratchFolder else {
      throw Failure(kind: .broken, message: "the worker has no folder to share")
    }
    self.init(folder: folder)
  }

  /// What a raster needs beside its samples.
  private struct Head: Codable {
    var width: Int
    var height: Int
    var format: PixelFormat
    var profileBytes: Int?
  }

  private var pixelsPath: String { folder + "/pixels" }
  private var filePath: String { folder + "/encoded" }

  /// Leaves the pixels: a line of JSON, the profile, the samples in the machine's own byte order.
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

  /// The pixels that were left.
  /// - Throws: a `Failure` where they are not there or not whole.
  func pixels() throws(Failure) -> RasterImage {
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

  /// Leaves an encoded file.
  func leave(_ encoded: [UInt8]) throws(Failure) {
    do { try ScratchFile.write(encoded, to: filePath) } catch { throw Self.notWritten(error) }
  }

  /// Why something could not be left.
  static func notWritten(_ error: any Error) -> Failure {
    let reason =
      (error as? Failure)?.message ?? (error as? SystemError)?.description
      ?? (error as NSError).localizedDescription
    return Failure(
      kind: .broken, message: "what two workers share cannot be written (\(reason)); make room, or set TMPDIR"
    )
  }

  /// The encoded file that was left.
  func encoded() throws(Failure) -> [UInt8] { try SourceFile.bytes(at: Array(filePath.utf8)) }

  private static let broken = Failure(kind: .broken, message: "the pixels between two workers are not whole")

  private static func words(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / 2).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self) }
    }
  }
}
