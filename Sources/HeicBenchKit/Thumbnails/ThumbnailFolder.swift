import CodecKit
import Codecs
import Foundation
import Model
import Store
import Synchronization
import Workers

final class ThumbnailFolder: Sendable {
  /// The file that records the sources and settings of the thumbnails next to it.
  private static let listName = ".heicbench-thumbnails"
  /// Number of thumbnails made between two writes of the list, which is the most that a kill can lose.
  private static let unlisted = 500
  private static let longestList = 1 << 28

  private struct Note: Codable {
    /// Digest of the source file and the requested style.
    var source: String
    /// Digest and length of the thumbnail's content.
    var hash: String
    var bytes: Int
  }

  private let folder: OwnedFolder
  private let scratch: String
  private let sides: [Int]
  private let stamp: String
  private let fileExtension: String
  private let workingFolder = Array("\(FileManager.default.currentDirectoryPath)/".utf8)
  private let serial = Atomic(0)
  private let list: Mutex<(notes: [String: Note], unwritten: Int)>

  init(_ path: String, _ style: ThumbnailStyle) throws {
    try OutputFolder.make(path)
    folder = try OwnedFolder(path)
    // Checks this before making anything that could not be listed.
    try folder.refuseObstacles(among: [Self.listName])
    scratch = try folder.makeScratch()
    let known = folder.beginning(of: Self.listName, count: Self.longestList) ?? []
    let notes = try? JSONDecoder().decode([String: Note].self, from: Data(known))
    list = Mutex((notes ?? [:], 0))
    let codec = style.encoding?.variant.codec
    fileExtension = codec.map { CodecRegistry.standard.codec($0)?.traits.fileExtension ?? $0 } ?? "png"
    let format = style.encoding.map { "\($0.variant.name) \($0.quality)" } ?? "png"
    sides = style.sides
    stamp = "\(format) at \(style.score)"
  }

  /// Finds what to do for each image: nothing if its thumbnail exists and is up to date. A second file with the same
  /// name is recognised by that name.
  func sort(_ images: [GlancedFile], again: Bool) -> (wanted: [GlancedFile], clashes: [(GlancedFile, String)])
  {
    let notes = again ? [:] : list.withLock(\.notes)
    var names: Set<String> = []
    var (wanted, clashes): ([GlancedFile], [(GlancedFile, String)]) = ([], [])
    for image in images {
      let made = sides.map { (name: name(of: image, $0), source: source(of: image, $0)) }
      if let first = made.first, !names.insert(first.name).inserted {
        clashes.append((image, first.name))
      } else if !made.allSatisfy({ isThere($0.name, notes[$0.name], $0.source) }) {
        wanted.append(image)
      }
    }
    return (wanted, clashes)
  }

  private func isThere(_ name: String, _ note: Note?, _ source: String) -> Bool {
    guard let note, note.source == source else { return false }
    return folder.holds(name, hash: note.hash, bytes: note.bytes)
  }

  func finish() throws { try list.withLock { if $0.unwritten > 0 { try write(&$0) } } }

  func end() { folder.removeScratch() }

  /// Puts an image's thumbnails in place, each completely or not at all.
  /// - Returns: The reason if a single file cannot be written; nil if all were.
  func keep(_ thumbnails: MadeThumbnails, of image: GlancedFile) throws -> String? {
    do { for file in thumbnails.files { try write(file, of: image) } } catch let error as OutputError
      where error.concernsItsNameAlone
    {
      return error.description
    }
    return nil
  }

  private func write(_ file: MadeThumbnails.File, of image: GlancedFile) throws {
    let path = "\(scratch)/\(serial.add(1, ordering: .relaxed).newValue)"
    let (bytes, name) = ([UInt8](file.bytes), name(of: image, file.side))
    try OwnedFolder.prepare(bytes, at: path)
    try folder.move(path, to: name)
    let note = Note(
      source: source(of: image, file.side), hash: SHA256.hexDigest(of: bytes), bytes: bytes.count)
    try list.withLock { list in
      list.notes[name] = note
      list.unwritten += 1
      if list.unwritten >= Self.unlisted { try write(&list) }
    }
  }

  private func write(_ list: inout (notes: [String: Note], unwritten: Int)) throws {
    // Thumbnails must be on disk before the list names them.
    Disk.wait(for: folder.path)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(list.notes), as: UTF8.self)
    try folder.write(text + "\n", to: Self.listName)
    list.unwritten = 0
  }

  /// Digest of a file's path, length and modification time, and of the thumbnail's style.
  private func source(of image: GlancedFile, _ side: Int) -> String {
    let slash = UInt8(ascii: "/")
    let whole = (image.path.first == slash ? [] : workingFolder) + image.path
    let path = whole.split(separator: slash).filter { $0 != [UInt8(ascii: ".")] }.joined(separator: [slash])
    return SHA256.hexDigest(
      of: Array("\(side) \(stamp)\n\(image.fileBytes) \(image.modifiedNanoseconds)\n".utf8) + Array(path))
  }

  /// The thumbnail's path, which stays below the folder even if a listed path contains “..”; with several sizes, each
  /// has its own folder.
  private func name(of image: GlancedFile, _ side: Int) -> String {
    let parts = image.name.split(separator: "/").filter { $0 != "." }.map { $0 == ".." ? "__" : $0 }
    return (sides.count > 1 ? "\(side)/" : "") + parts.joined(separator: "/") + "." + fileExtension
  }
}
