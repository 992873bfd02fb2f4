import CodecKit
import Codecs
import Foundation
import Model
import Store
import Sweep
import Synchronization
import Workers

/// The folder that thumbnails go to.
final class ThumbnailFolder: Sendable {
  /// Tells how the thumbnails beside it were asked for. What is older than it was asked for otherwise.
  private static let stampName = ".heicbench-thumbnails"

  private let folder: OwnedFolder
  private let scratch: String
  private let stamp: String
  private let fileExtension: String
  private let serial = Atomic(0)

  init(_ path: String, _ style: ThumbnailStyle) throws {
    try OutputFolder.make(path)
    folder = try OwnedFolder(path)
    scratch = try folder.makeScratch()
    switch style.format {
    case .png:
      fileExtension = "png"
      stamp = "\(style.side) png at \(style.score)\n"
    case .encoded(let encoding):
      let codec = encoding.variant.codec
      fileExtension = CodecRegistry.standard.codec(codec)?.traits.fileExtension ?? codec
      stamp = "\(style.side) \(encoding.variant.name) \(encoding.quality) at \(style.score)\n"
    }
  }

  /// The files whose thumbnails are missing or older than they are; the others are counted. Two files whose
  /// thumbnails would have one name cannot both have one.
  func wanted(_ images: [GlancedFile], again: Bool, _ tally: ThumbnailTally) -> [GlancedFile] {
    let isSame = folder.beginning(of: Self.stampName, count: stamp.utf8.count + 1) == Array(stamp.utf8)
    let since = isSame && !again ? folder.modified(Self.stampName) : nil
    var names: Set<String> = []
    return images.filter { image in
      let name = name(of: image)
      guard names.insert(name).inserted else {
        tally.fail(image.name, "another image's thumbnail has the name \(name)")
        return false
      }
      guard let since, let made = folder.modified(name), made >= max(since, image.modifiedNanoseconds),
        folder.standing(of: name, reads: false) == .ours
      else { return true }
      tally.skip()
      return false
    }
  }

  /// Notes how thumbnails are asked for from now on.
  func begin() throws {
    let known = folder.beginning(of: Self.stampName, count: stamp.utf8.count + 1)
    if known != Array(stamp.utf8) { try folder.write(stamp, to: Self.stampName) }
  }

  /// Takes away what is only needed while thumbnails are made.
  func end() { folder.removeScratch() }

  /// Puts a thumbnail in its place, whole or not at all.
  func write(_ thumbnail: MadeThumbnail, of image: GlancedFile) throws {
    let path = "\(scratch)/\(serial.add(1, ordering: .relaxed).newValue)"
    do {
      try thumbnail.bytes.write(to: URL(filePath: path))
    } catch {
      throw HeicBenchError(.resultsUnusable, "“\(path)” cannot be written: \(error.localizedDescription)")
    }
    try folder.move(path, to: name(of: image))
  }

  /// Below the folder, whatever a listed path says.
  private func name(of image: GlancedFile) -> String {
    let parts = image.name.split(separator: "/").filter { $0 != "." }.map { $0 == ".." ? "__" : $0 }
    return parts.joined(separator: "/") + "." + fileExtension
  }
}
