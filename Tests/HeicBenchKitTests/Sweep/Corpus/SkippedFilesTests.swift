import HeicBenchKit
import Model
import TestSupport
import Testing

@Suite("Files that a corpus skips")
struct SkippedFilesTests {
  let folder: RawFolder
  let reader = CorpusReader(OwnDescriber(.tiny()))

  init() throws {
    folder = try RawFolder()
    try folder.write(TinyFormat.file(3, 4), to: "a.tiny")
  }

  private func lines(excluding patterns: String...) throws -> [String] {
    try reader.read(try CorpusReader.find(roots: [folder.path], excluding: PathPatterns(patterns))).passedOver
      .lines
  }

  /// Beginnings and names of files in other formats.
  private static let formats: [(name: String, head: [UInt8], format: String)] = [
    ("a.btf", [0x49, 0x49, 0x2A, 0], "TIFF"), ("b", [0x4D, 0x4D, 0, 0x2A], "TIFF"),
    ("c", [0x49, 0x49, 0x2B, 0], "TIFF"),
    ("d.NEF", [0x4D, 0x4D, 0, 0x2A], "camera raw"), ("e.dng", [0x49, 0x49, 0x2A, 0], "camera raw"),
    ("f.orf", Array("IIRO".utf8), "camera raw"), ("g", Array("FUJIFILMCCD-RAW".utf8), "camera raw"),
    ("h", [0, 0, 0, 24] + Array("ftypcrx ".utf8), "camera raw"), ("i.psd", Array("8BPS".utf8), "Photoshop"),
    ("j", Array("GIF89a".utf8), "GIF"), ("k", Array("BM".utf8) + [9, 9, 0, 0, 0, 0, 0, 0], "BMP"),
    ("l.svg", Array("<?xml version=\"1.0\"?>\n<svg/>".utf8), "SVG"), ("m", Array("%PDF-1.4".utf8), "PDF"),
    ("n", [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], "JPEG 2000"), ("o.TGA", [0, 0, 2], "TGA"),
    ("p", [0x76, 0x2F, 0x31, 0x01], "OpenEXR"), ("q.MOV", [0, 0, 0, 20] + Array("ftypqt  ".utf8), "video"),
    ("r", [0x1A, 0x45, 0xDF, 0xA3], "video"), ("s", [0xFF, 0xD8, 0xFF, 0xF7], "JPEG-LS"),
    ("t.hdr", Array("#?RADIANCE".utf8), "Radiance HDR"), ("u", [0, 0, 1, 0, 1, 0], "icon"),
  ]

  @Test("pictures in other formats are recognized by content and by name")
  func foreignFormats() throws {
    for (name, head, _) in Self.formats {
      try folder.write(head + [UInt8](repeating: 7, count: 30), to: name)
    }
    try folder.write(Array("{}".utf8), to: "sidecar.json")
    try folder.write(Array("<x:xmpmeta/>".utf8), to: "a.xmp")
    try folder.write(Array("song".utf8), to: "x.m4a")
    let found = try reader.read(try CorpusReader.find(roots: [folder.path])).passedOver
    var expected: [String: [String]] = [:]
    for (name, _, format) in Self.formats { expected[format, default: []].append(name) }
    #expect(Dictionary(uniqueKeysWithValues: found.unread.map { ($0.format, $0.names) }) == expected)
    #expect(found.counts == [.unreadFormat: Self.formats.count, .notAnImage: 3])
    #expect(try reader.likelyImages(of: try CorpusReader.find(roots: [folder.path])).passedOver == found)
    #expect(try reader.glance(at: try CorpusReader.find(roots: [folder.path])).passedOver == found)
  }

  @Test("one line counts files of each format, and another what else was skipped")
  func wording() throws {
    #expect(try lines().isEmpty)
    for number in 1...5 {
      try folder.write(Array("8BPS".utf8) + [UInt8](repeating: 0, count: 1_199_996), to: "t\(number).psd")
    }
    let reads = "heicbench reads \(ImageInput.readableFormats)."
    #expect(
      try lines() == [
        "Skipped 5 files that heicbench cannot read (Photoshop, 6.0 MB): t1.psd, t2.psd, t3.psd, …. \(reads)"
      ])
    try folder.write(Array("GIF87a".utf8), to: "g.gif")
    try folder.write(Array("words".utf8), to: "notes.txt")
    #expect(
      try lines() == [
        "Skipped 6 files that heicbench cannot read (5 Photoshop, 6.0 MB; 1 GIF, 6 bytes): t1.psd, t2.psd, g.gif, …. \(reads)",
        "Also skipped 1 file that is not an image (notes.txt).",
      ])
  }

  @Test("folders of a NAS are skipped and reported, unless one is named itself")
  func systemFolders() throws {
    try folder.makeFolder("sub")
    for name in ["@eaDir", "sub/@eaDir", "#recycle", "__MACOSX", "lost+found"] {
      try folder.makeFolder(name)
      try folder.write(TinyFormat.file(1, 1), to: "\(name)/thumb")
    }
    try folder.write(TinyFormat.file(1, 2), to: "sub/@eaDir.tiny")
    let listing = try reader.read(try CorpusReader.find(roots: [folder.path]))
    #expect(listing.entries.map(\.identity.name) == ["a.tiny", "sub/@eaDir.tiny"])
    #expect(listing.passedOver.counts == [.systemFolder: 5])
    #expect(try lines().first?.hasPrefix("Skipped 5 folders of a NAS or the system (") == true)
    #expect(try reader.read(try CorpusReader.find(roots: [folder.path("@eaDir")])).entries.count == 1)
  }

  @Test("patterns exclude files and whole folders, below each root and in lists")
  func excluding() throws {
    for name in ["raw", "2019", "2019/raw"] { try folder.makeFolder(name) }
    for name in ["raw/b", "2019/raw/c", "2019/d", "2019/d_edited"] {
      try folder.write(TinyFormat.file(name.utf8.count, 1), to: name)
    }
    func names(_ roots: [[UInt8]], listed: [[UInt8]] = [], _ patterns: String...) throws -> [String] {
      try reader.read(
        try CorpusReader.find(roots: roots, listed: listed, excluding: PathPatterns(patterns))
      ).entries.map(\.identity.name)
    }
    #expect(try names([folder.path], "raw/", "*_edited") == ["2019/d", "a.tiny"])
    #expect(try names([folder.path], "2019/*") == ["a.tiny", "raw/b"])
    // With several roots, names begin with the root's, but patterns do not.
    let two = try names([folder.path("2019"), folder.path("raw")], "d*")
    #expect(two == ["2019/raw/c", "raw/b"])
    #expect(
      try names([folder.path("2019"), folder.path("raw")], "raw/c") == ["2019/d", "2019/d_edited", "raw/b"])
    #expect(try names([folder.path("a.tiny"), folder.path("2019/d")], "*.tiny").count == 1)
    #expect(try names([], listed: [folder.path("a.tiny"), folder.path("2019/d")], "*.tiny").count == 1)
    #expect(try lines(excluding: "raw", "2019") == ["Skipped 2 excluded (2019, raw)."])
  }
}
