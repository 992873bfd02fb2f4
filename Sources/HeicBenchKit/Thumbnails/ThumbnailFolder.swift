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
  /// Tells what the thumbnails beside it were made of, and how.
  private static let listName = ".heicbench-thumbnails"
  /// How many thumbnails are made before the list is written again: what a kill may cost.
  private static let unlisted = 500
  private static let longestList = 1 << 28

  /// A thumbnail by its name.
  private struct Note: Codable {
    /// What it was made of, and how it was asked for.
    var source: String
    /// The digest of its content, and its length.
    var hash: String
    var bytes: Int
  }

  private struct List {
    var notes: [String: Note] = [:]
    var unwritten = 0
  }

  private let folder: OwnedFolder
  private let scratch: String
  private let stamp: String
  private let fileExtension: String
  private let workingFolder = Array("\(FileManager.default.currentDirectoryPath)/".utf8)
  private let serial = Atomic(0)
  private let list: Mutex<List>

  init(_ path: String, _ style: ThumbnailStyle) throws {
    try OutputFolder.make(path)
    folder = try OwnedFolder(path)
    // Before anything is made that could not be listed.
    try folder.refuseObstacles(among: [Self.listName])
    scratch = try folder.makeScratch()
    let known = folder.beginning(of: Self.listName, count: Self.longestList) ?? []
    let notes = try? JSONDecoder().decode([String: Note].self, from: Data(known))
    list = Mutex(List(notes: notes ?? [:]))
    switch style.format {
    case .png:
      fileExtension = "png"
      stamp = "\(style.side) png at \(style.score)"
    case .encoded(let encoding):
      let codec = encoding.variant.codec
      fileExtension = CodecRegistry.standard.codec(codec)?.traits.fileExtension ?? codec
      stamp = "\(style.side) \(encoding.variant.name) \(encoding.quality) at \(style.score)"
    }
  }

  /// The files whose thumbnails are missing, or were made of something else or otherwise; the others are counted. Two files
  /// whose thumbnails would have one name cannot both have one.
  func wanted(_ images: [GlancedFile], again: Bool, _ tally: ThumbnailTally) -> [GlancedFile] {
    let notes = again ? [:] : list.withLock(\.notes)
    var names: Set<String> = []
    return images.filter { image in
      let name = name(of: image)
      guard names.insert(name).inserted else {
        tally.fail(image.name, "another image's thumbnail has the name \(name)")
        return false
      }
      guard let note = notes[name], note.source == source(of: image),
        folder.holds(name, hash: note.hash, bytes: note.bytes)
      else { return true }
      tally.skip()
      return false
    }
  }

  /// Writes the list where something was added to it.
  func finish() throws { try list.withLock { if $0.unwritten > 0 { try write(&$0) } } }

  /// Takes away what is only needed while thumbnails are made.
  func end() { folder.removeScratch() }

  /// Puts a thumbnail in its place, whole or not at all.
  func write(_ thumbnail: MadeThumbnail, of image: GlancedFile) throws {
    let path = "\(scratch)/\(serial.add(1, ordering: .relaxed).newValue)"
    let (bytes, name) = ([UInt8](thumbnail.bytes), name(of: image))
    try OwnedFolder.prepare(bytes, at: path)
    try folder.move(path, to: name)
    let note = Note(source: source(of: image), hash: SHA256.hexDigest(of: bytes), bytes: bytes.count)
    try list.withLock { list in
      list.notes[name] = note
      list.unwritten += 1
      if list.unwritten >= Self.unlisted { try write(&list) }
    }
  }

  private func write(_ list: inout List) throws {
    // What the list tells of is on the disk.
    Disk.wait(for: folder.path)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(list.notes), as: UTF8.self)
    try folder.write(text + "\n", to: Self.listName)
    list.unwritten = 0
  }

  /// A file, as far as can be told without reading it, and how its thumbnail is asked for, as a digest.
  private func source(of image: GlancedFile) -> String {
    let slash = UInt8(ascii: "/")
    let whole = (image.path.first == slash ? [] : workingFolder) + image.path
    let path = whole.split(separator: slash).filter { $0 != [UInt8(ascii: ".")] }.joined(separator: [slash])
    return SHA256.hexDigest(
      of: Array("\(stamp)\n\(image.fileBytes) \(image.modifiedNanoseconds)\n".utf8) + Array(path))
  }

  /// Below the folder, whatever a listed path says.
  private func name(of image: GlancedFile) -> String {
    let parts = image.name.split(separator: "/").filter { $0 != "." }.map { $0 == ".." ? "__" : $0 }
    return parts.joined(separator: "/") + "." + fileExtension
  }
}
