import Model

/// Files that heicbench wrote into a corpus's folders, which must not be measured.
struct OwnOutput {
  /// The store's files, which no list contains.
  private static let store = [
    "heicbench.sqlite", "heicbench.sqlite-wal", "heicbench.sqlite-shm", ".heicbench.lock",
  ]
  .map { Array($0.utf8) }
  private static let list = Array(WrittenFile.listName.utf8)
  /// A longer list is not from heicbench.
  private static let longestList = 1 << 30

  private var paths: Set<[UInt8]> = []

  /// True if a folder contains results of version 0.1.0, which did not write a list of its output.
  static func isUnlisted(_ items: [FileSystem.FolderItem]) -> Bool {
    items.contains { $0.name == store.first } && !items.contains { $0.name == list }
  }

  func contains(_ path: [UInt8]) -> Bool { paths.contains(path) }

  mutating func read(_ items: [FileSystem.FolderItem], of folder: [UInt8]) {
    let base = folder + (folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")])
    if items.contains(where: { $0.name == Self.store.first }) {
      for name in Self.store { paths.insert(base + name) }
      // Version 0.1.0 wrote no other images into its results folder.
      if Self.isUnlisted(items) { paths.insert(base + Array("report-images".utf8)) }
    }
    paths.insert(base + Self.list)
    guard let item = items.first(where: { $0.name == Self.list }), !item.isLink,
      let file = try? FileSystem.open(base + Self.list), let status = try? file.status(),
      status.kind == .file, status.size <= Self.longestList
    else { return }
    var bytes: [UInt8] = []
    guard (try? file.read(status.size, into: &bytes)) != nil else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let written = WrittenFile(line: Substring(decoding: line, as: UTF8.self)) else { continue }
      paths.insert(base + Array(written.name.utf8))
    }
  }
}
