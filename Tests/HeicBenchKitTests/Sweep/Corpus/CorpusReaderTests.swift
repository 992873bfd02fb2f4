import CodecKit
import Foundation
import HeicBenchKit
import Model
import Synchronization
import TestSupport
import Testing
import Workers

@Suite("Reading a corpus")
struct CorpusReaderTests {
  let folder: RawFolder
  let reader = CorpusReader(OwnDescriber(.tiny()))

  init() throws { folder = try RawFolder() }

  private func read(_ roots: [UInt8]..., limit: Int? = nil) throws -> CorpusListing {
    try reader.read(try CorpusReader.find(roots: roots), limit: limit)
  }

  @Test("images are identified by content and sorted bytewise by name")
  func recognition() throws {
    try folder.makeFolder("sub")
    try folder.write(TinyFormat.file(3, 4), to: "b.txt")
    try folder.write(TinyFormat.file(1, 2), to: "sub/a")
    try folder.write(TinyFormat.file(5, 6), to: "Z.png")
    try folder.write(Array("text".utf8), to: "notes")
    try folder.write([], to: "empty.dat")
    try folder.write(TinyFormat.file(1, 1), to: ".hidden")
    try folder.makeFolder(".git")
    let corpus = try read(folder.path)
    #expect(corpus.entries.map(\.identity.name) == ["Z.png", "b.txt", "sub/a"])
    #expect(corpus.entries.map { $0.header?.width } == [5, 3, 1])
    #expect(corpus.entries[1].identity.contentHash == SHA256.hexDigest(of: TinyFormat.file(3, 4)))
    #expect(corpus.entries[1].fileBytes == TinyFormat.file(3, 4).count)
    #expect(corpus.passedOver.counts == [.notAnImage: 2, .hidden: 2])
    #expect(corpus.passedOver.names[.notAnImage] == ["empty.dat", "notes"])
  }

  /// Names and contents of files that only have an image's name, with the message about each.
  private static let impostors: [(name: String, contents: [UInt8], message: String)] = [
    ("a.png", [], "not an image: the file is empty"),
    (
      "b.JPG", Array("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n".utf8),
      "not an image: a Git LFS pointer instead of the image; run “git lfs pull” to fetch the image"
    ),
    (
      "c.heic", Array("\n<!DOCTYPE html><html><body>404</body></html>".utf8),
      "not an image: an HTML page, probably from a failed download; fetch the image again"
    ),
    ("d.Heif", Array("just some words, é and all".utf8), "not an image: it contains text"),
    ("e.hif", [1, 2, 3], "not an image: only 3 bytes"),
    (
      "f.avif", [UInt8](repeating: 0xDE, count: 40),
      "not an image: unknown bytes, beginning with de de de de"
    ),
    (
      "g.jpeg", Array("RIFF".utf8) + [9, 0, 0, 0] + Array("WEBPVP8 ".utf8),
      "not an image: a WebP image, which heicbench does not read; convert it to PNG"
    ),
  ]

  @Test("files that only have an image's name, or cannot be read, are problems with a cause")
  func impostors() throws {
    for (name, contents, _) in Self.impostors { try folder.write(contents, to: name) }
    try folder.makeFIFO("x.pam")
    try folder.link("y.pbm", to: "nowhere")
    try folder.write([], to: ".hidden.png")
    try folder.write([], to: "png")
    let corpus = try read(folder.path)
    #expect(corpus.entries.map(\.identity.name) == Self.impostors.map(\.name) + ["x.pam", "y.pbm"])
    #expect(
      corpus.entries.map { $0.problem?.message } == Self.impostors.map(\.message) + [
        "is not a regular file", "is a link to something that does not exist",
      ])
    #expect(corpus.entries.allSatisfy { $0.problem?.kind == .source && $0.header == nil })
    #expect(corpus.passedOver.counts == [.hidden: 1, .notAnImage: 1])
    // Different contents are different images, even if they contain no image.
    #expect(corpus.entries[3].identity.contentHash == SHA256.hexDigest(of: Self.impostors[3].contents))
  }

  @Test("a large file is hashed completely but only read in part")
  func largeFile() throws {
    let size = (1 << 25) + 12_345
    let contents = TinyFormat.file(3, 4) + [UInt8](repeating: 7, count: size)
    try folder.write(contents, to: "large")
    let entry = try #require(try read(folder.path).entries.first)
    #expect(entry.header?.width == 3 && entry.fileBytes == contents.count)
    #expect(entry.identity.contentHash == SHA256.hexDigest(of: contents))
  }

  @Test("a header that may be at the end of a large file is left to a worker")
  func lateHeader() throws {
    struct Late: ImageReader {
      let formats = ["late"]
      let mayEndWithHeader: Bool
      func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("LATE".utf8)) }
      func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader { throw .malformed("not in here") }
      func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
        throw .unsupported("headers only")
      }
    }
    let contents = Array("LATE".utf8) + [UInt8](repeating: 0, count: (1 << 25) + 1)
    try folder.write(contents, to: "late")
    for mayBeLate in [true, false] {
      let registry = CodecRegistry(
        codecs: [], readers: [Late(mayEndWithHeader: mayBeLate)], writer: NullWriter())
      let files = try CorpusReader.find(roots: [folder.path])
      let entry = try #require(try CorpusReader(OwnDescriber(registry)).read(files).entries.first)
      #expect(entry.header == nil)
      #expect(entry.problem?.message == (mayBeLate ? nil : "not in here"))
    }
  }

  @Test("names may have any bytes, and each gets its own printable name")
  func nastyNames() throws {
    let names: [[UInt8]] = [
      Array("-rf".utf8), Array(" a b ".utf8), Array("new\nline".utf8), Array("quote\"'".utf8),
      Array("=cmd()".utf8), [0xff, 0xfe], Array("\\xff\\xfe".utf8), [0xc3], Array("é".utf8),
      Array("e\u{301}".utf8), Array("tab\t".utf8), [UInt8](repeating: UInt8(ascii: "n"), count: 255),
    ]
    for (index, name) in names.enumerated() {
      try folder.write(TinyFormat.file(index + 1, 1), to: name)
    }
    let corpus = try read(folder.path)
    #expect(Set(corpus.entries.map { $0.header?.width }) == Set((1...names.count).map { $0 }))
    #expect(Set(corpus.entries.map(\.identity.name)).count == names.count)
    #expect(corpus.entries.allSatisfy { entry in !entry.identity.name.utf8.contains { $0 < 32 } })
    for entry in corpus.entries { #expect(try SourceFile.bytes(at: entry.path).count == entry.fileBytes) }
  }

  @Test("FIFOs and devices are never opened", .timeLimit(.minutes(30)))
  func specialFiles() throws {
    try folder.makeFIFO("pipe.png")
    try folder.link("device.png", to: "/dev/zero")
    try folder.write(TinyFormat.file(1, 1), to: "a.png")
    let corpus = try read(folder.path)
    #expect(corpus.entries.filter { $0.problem == nil }.map(\.identity.name) == ["a.png"])
    #expect(
      corpus.entries.map { $0.problem?.message } == [nil, "is not a regular file", "is not a regular file"])
    #expect(throws: CorpusError.notFileOrFolder(root: "/dev/zero")) { try read(Array("/dev/zero".utf8)) }
    #expect(throws: Failure.self) { try SourceFile.bytes(at: folder.path("pipe.png")) }
  }

  @Test("links are followed once and never in a circle")
  func followsLinksOnce() throws {
    try folder.makeFolder("real")
    try folder.write(TinyFormat.file(2, 2), to: "real/a.png")
    try folder.link("also.png", to: "real/a.png")
    try folder.link("alias", to: "real")
    try folder.link("real/up", to: "..")
    try folder.link("self", to: "self")
    try folder.link("nowhere", to: "missing")
    let corpus = try read(folder.path)
    #expect(corpus.entries.map(\.identity.name) == ["also.png", "real/a.png"])
    #expect(corpus.passedOver.counts == [.linkLoop: 3, .danglingLink: 1])
  }

  @Test("unreadable files and folders are counted", .enabled(if: geteuid() != 0, "root reads everything"))
  func unreadable() throws {
    try folder.write(TinyFormat.file(1, 1), to: "a.png")
    try folder.write(TinyFormat.file(1, 1), to: "closed.png")
    try folder.makeFolder("closed")
    try folder.setMode("closed.png", 0)
    try folder.setMode("closed", 0)
    let corpus = try read(folder.path)
    #expect(corpus.entries.map(\.identity.name) == ["a.png", "closed.png"])
    #expect(corpus.entries.map { $0.problem?.message } == [nil, "cannot be read"])
    #expect(corpus.passedOver.counts == [.unreadable: 1])
    try folder.setMode("closed", 0o755)
  }

  @Test("a path that is too long for a system call is walked and read", arguments: [38, 60])
  func longPaths(depth: Int) throws {
    let component = String(repeating: "d", count: 99)
    let path = try folder.writeDeep(TinyFormat.file(7, 7), component: component, depth: depth, name: "a")
    let corpus = try read(folder.path)
    #expect(corpus.entries.map(\.path) == [path])
    #expect(corpus.entries.first?.header?.width == 7)
    #expect(try read(path).entries.map(\.identity.name) == ["a"])
  }

  @Test("ten thousand files in one folder")
  func manyFiles() throws {
    for index in 0..<10_000 {
      try folder.write(TinyFormat.file(1, 1, salt: "\(index)"), to: "image \(index).png")
    }
    let corpus = try read(folder.path)
    #expect(corpus.entries.count == 10_000)
    #expect(Set(corpus.entries.map(\.identity)).count == 10_000)
  }

  @Test("with several roots, images have their root's name")
  func severalRoots() throws {
    for year in ["2023", "2024"] {
      try folder.makeFolder(year)
      try folder.makeFolder("\(year)/photos")
      try folder.write(TinyFormat.file(1, 1, salt: year), to: "\(year)/photos/a.png")
    }
    try folder.makeFolder("other")
    try folder.write(TinyFormat.file(1, 1), to: "other/a.png")
    try folder.write(TinyFormat.file(1, 1), to: "x.png")
    let roots = ["2023/photos", "2024/photos/", "other", "x.png"].map { folder.path($0) }
    let corpus = try reader.read(try CorpusReader.find(roots: roots))
    #expect(
      corpus.entries.map(\.identity.name) == [
        "2023/photos/a.png", "2024/photos/a.png", "other/a.png", "x.png",
      ])
    let turned = try reader.read(try CorpusReader.find(roots: roots.reversed()))
    #expect(turned.entries.map(\.identity) == corpus.entries.map(\.identity))
  }

  @Test("overlapping roots list an image once")
  func overlap() throws {
    try folder.makeFolder("sub")
    try folder.write(TinyFormat.file(1, 1), to: "sub/a.png")
    let corpus = try read(folder.path, folder.path("sub"), folder.path("sub/a.png"))
    #expect(corpus.entries.count == 1)
    #expect(corpus.passedOver.counts == [.repeated: 2])
  }

  @Test("a listed path is the image's name, and a missing one is counted")
  func listed() throws {
    try folder.write(TinyFormat.file(1, 1), to: "a.png")
    let listed = ["a.png", "b", "./a.png", "c.png"].map { folder.path($0) }
    let corpus = try reader.read(try CorpusReader.find(roots: [], listed: listed))
    let names = ["a.png", "c.png"].map { String(decoding: folder.path($0), as: UTF8.self) }
    #expect(corpus.entries.map(\.identity.name) == names)
    #expect(corpus.entries.map { $0.problem?.message } == [nil, "does not exist"])
    #expect(corpus.passedOver.counts == [.missing: 1, .repeated: 1])
  }

  @Test("a root that does not exist is named")
  func missingRoot() throws {
    let missing = folder.path("none")
    #expect(throws: CorpusError.missing(root: String(decoding: missing, as: UTF8.self))) {
      try read(missing)
    }
  }

  @Test("results of an earlier run are left alone")
  func resultsFolder() throws {
    try folder.makeFolder("results")
    try folder.write([], to: "results/heicbench.sqlite")
    try folder.write(TinyFormat.file(1, 1), to: "results/encoded.png")
    #expect(try read(folder.path).passedOver.counts == [.resultsFolder: 1])
  }

  @Test("the limit draws the same images each time, or takes the first, and leaves the rest unread")
  func limit() throws {
    for number in 10..<40 { try folder.write(TinyFormat.file(1, 1, salt: "\(number)"), to: "\(number)") }
    func names(_ limit: Int, byName: Bool = false) throws -> [String] {
      let format = TinyFormat()
      let corpus = try CorpusReader(OwnDescriber(.tiny(format))).read(
        try CorpusReader.find(roots: [folder.path]), limit: limit, byName: byName)
      #expect(format.headersRead == limit)
      return corpus.entries.map(\.identity.name)
    }
    #expect(try names(2, byName: true) == ["10", "11"])
    let (few, more) = (try names(6), try names(12))
    #expect(try few == names(6) && few == few.sorted())
    #expect(few != ["10", "11", "12", "13", "14", "15"] && Set(few).isSubset(of: more))
  }

  @Test("broken headers and too many pixels are problems of the image, not of the run")
  func problems() throws {
    try folder.write(Array("TINY what".utf8), to: "broken")
    try folder.write(TinyFormat.file(60_000, 60_000), to: "huge")
    try folder.write(TinyFormat.file(.max, .max), to: "overflow")
    try folder.write(TinyFormat.file(0, 5), to: "zero")
    let problems = try read(folder.path).entries.map(\.problem)
    #expect(problems.map { $0?.kind } == [.source, .limit, .limit, .source])
    #expect(problems[0]?.message == "no size after the signature")
    #expect(
      problems[1]?.message == "60000×60000 are 3600000000 pixels, more than the 300000000 allowed; "
        + "--max-pixels raises the limit")
  }

  @Test("a file that looks unchanged is not read again; a changed one is")
  func cache() throws {
    let format = TinyFormat()
    let reader = CorpusReader(OwnDescriber(.tiny(format)), cache: MemoryCache())
    try folder.write(TinyFormat.file(1, 1), to: "a")
    try folder.write(Array("TINY broken".utf8), to: "b")
    let first = try reader.read(try CorpusReader.find(roots: [folder.path]))
    #expect(try reader.read(try CorpusReader.find(roots: [folder.path])) == first)
    #expect(format.headersRead == 2)
    try folder.write(TinyFormat.file(2, 2, salt: "longer"), to: "a")
    #expect(try reader.read(try CorpusReader.find(roots: [folder.path])).entries[0].header?.width == 2)
    #expect(format.headersRead == 3)
  }

  @Test("a request for contents reads everything at once, not from the cache")
  func contents() throws {
    let format = TinyFormat()
    let reader = CorpusReader(OwnDescriber(.tiny(format)), cache: MemoryCache())
    try folder.write(TinyFormat.file(1, 1), to: "a")
    try folder.write(Array("TINY broken".utf8), to: "b")
    try folder.write(Array("some words".utf8), to: "c.png")
    let files = try CorpusReader.find(roots: [folder.path])
    let digested = try reader.read(files).entries
    let entries = try reader.read(files, as: .contents).entries
    #expect(format.headersRead == 4)
    #expect(digested.map(\.contents) == [nil, nil, nil])
    #expect(entries.map(\.contents) == [.success(FileContents()), nil, nil])
    #expect(entries.map(\.identity) == digested.map(\.identity))
    #expect(entries.map(\.header) == digested.map(\.header))
    #expect(entries.map(\.problem) == digested.map(\.problem))
    #expect(entries.map(\.fileBytes) == digested.map(\.fileBytes))
  }

  @Test("a failing cache only costs time")
  func failingCache() throws {
    struct Broken: CorpusCache {
      func cachedFile(for stamp: FileStamp) throws -> CachedFile? { throw CodecError.unsupported("broken") }
      func remember(_ file: CachedFile, for stamp: FileStamp) throws {
        throw CodecError.unsupported("broken")
      }
    }
    try folder.write(TinyFormat.file(1, 1), to: "a")
    let reader = CorpusReader(OwnDescriber(.tiny()), cache: Broken())
    let files = try CorpusReader.find(roots: [folder.path])
    #expect(files.count == 1)
    #expect(try reader.read(files).entries.count == 1)
  }
}

/// Remembers in memory.
private final class MemoryCache: CorpusCache {
  private let files = Mutex<[FileStamp: CachedFile]>([:])

  func cachedFile(for stamp: FileStamp) -> CachedFile? { files.withLock { $0[stamp] } }
  func remember(_ file: CachedFile, for stamp: FileStamp) { files.withLock { $0[stamp] = file } }
}
