import Foundation
import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import HeicBenchKit

@Suite("Which original a file belongs to")
struct ImportPairingTests {
  private func entry(_ name: String, hash: String = "original") -> CorpusEntry {
    CorpusEntry(
      identity: ImageIdentity(name: name, contentHash: "\(hash) \(name)"), path: Array("folder/\(name)".utf8),
      fileBytes: 1, header: nil)
  }

  private let series = ImportRequest.Series(name: "phone", folder: "files")

  private func pair(_ references: [String], _ file: String) throws -> Result<String, ImportOutcome.Refusal> {
    var pairing = try ImportPairing(references.map { entry($0) }, list: nil)
    pairing.add([entry(file, hash: "file")], of: series)
    if let stray = pairing.strays.first { return .failure(stray) }
    return .success(try #require(pairing.pairs.first).reference.identity.name)
  }

  @Test(
    "names that identify the original",
    arguments: [
      ("kodim01.heic", "kodim01.png"), ("KODIM01.HEIC", "kodim01.png"), ("x/kodim01.jpg", "kodim01.png"),
      ("kodim01-q50.heic", "kodim01.png"), ("kodim01 (2).heic", "kodim01.png"),
      ("kodim01.q50.heic", "kodim01.png"), ("kodim01-a.heic", "sub/kodim01-a.png"),
      ("kodim01-a_q3.jxl", "sub/kodim01-a.png"), ("kodim01.png/heic-q0.5.heic", "kodim01.png"),
      ("kodim01/50.heic", "kodim01.png"),
    ])
  func names(file: String, original: String) throws {
    #expect(try pair(["kodim01.png", "sub/kodim01-a.png", "b.png"], file).get() == original)
  }

  @Test("names that say nothing", arguments: ["other.heic", "kodim011.heic", ".heic", "kodim.heic"])
  func strays(file: String) throws {
    #expect(throws: ImportOutcome.Refusal.self) { try pair(["kodim01.png"], file).get() }
  }

  @Test(
    "among originals of the same name, the one with the file's path",
    arguments: [
      ("100APPLE/IMG_0001.heic", "100APPLE/IMG_0001.JPG"),
      ("101apple/img_0001.HEIC", "101APPLE/IMG_0001.JPG"),
      ("101APPLE/IMG_0001-q50.heic", "101APPLE/IMG_0001.JPG"),
      ("q50/101APPLE/IMG_0001.jpg", "101APPLE/IMG_0001.JPG"),
      ("101APPLE/IMG_0001.JPG/q50.heic", "101APPLE/IMG_0001.JPG"),
      ("dsc.jpg", "dsc.png"), ("sub/dsc.jpg", "sub/dsc.png"), ("t/both.jpg", "t/both.jpg"),
      ("CASE.heic", "CASE.png"),
    ])
  func trees(file: String, original: String) throws {
    let references = [
      "100APPLE/IMG_0001.JPG", "101APPLE/IMG_0001.JPG", "dsc.png", "sub/dsc.png", "t/both.jpg", "t/both.png",
      "CASE.png", "case.png",
    ]
    #expect(try pair(references, file).get() == original)
    guard case .failure = try pair(references, "elsewhere/IMG_0001.heic") else {
      Issue.record("one of two was chosen")
      return
    }
  }

  @Test("a name of two originals is refused, and a list resolves it")
  func ambiguous() throws {
    let references = ["a/x.png", "b/x.png"]
    guard case .failure(let stray) = try pair(references, "x.heic") else {
      Issue.record("one was chosen")
      return
    }
    #expect(stray.reason.contains("a/x.png") && stray.reason.contains("--pairs"))
    var pairing = try ImportPairing(
      references.map { entry($0) }, list: [.init(reference: "b/x.png", file: "x.heic")])
    pairing.add([entry("x.heic"), entry("left-out.heic")], of: series)
    #expect(pairing.pairs.map(\.reference.identity.name) == ["b/x.png"] && pairing.strays.isEmpty)
    #expect(throws: HeicBenchError.self) {
      try ImportPairing(
        references.map { entry($0) },
        list: references.map { .init(reference: $0, file: "x.heic") })
    }
  }

  @Test("a list may name the series of a file, beside files of other series with that name")
  func listedSeries() throws {
    var pairing = try ImportPairing(
      ["a.png", "b.png"].map { entry($0) },
      list: [.init(reference: "a.png", file: "x.heic"), .init(reference: "b.png", file: "phone/x.heic")])
    for name in ["phone", "camera"] {
      pairing.add([entry("x.heic", hash: name)], of: ImportRequest.Series(name: name, folder: "files"))
    }
    #expect(pairing.pairs.map(\.reference.identity.name) == ["b.png", "a.png"])
  }

  @Test("files beside a sweep leave its command as it is", arguments: [true, false])
  func command(hasSweep: Bool) throws {
    let folder = try TemporaryFolder()
    let (store, original) = (try ResultStore(folder: folder.path), entry("a.png"))
    var manifest = SampleGate.manifest()
    manifest.command = ["heicbench", "folder", "--background", "#000000"]
    if !hasSweep { manifest.variants = [] }
    try store.begin(manifest, images: [original.identity])
    var request = ImportRequest(reference: ["folder"], series: [series], output: folder.path)
    request.command = ["heicbench", "import"]
    let base = try ImportBase(request, store, [original])
    #expect(base.manifest.command == (hasSweep ? manifest.command : request.command))
  }

  @Test("the originals do not count as files of another encoder")
  func originals() throws {
    var pairing = try ImportPairing([entry("a.png")], list: nil)
    pairing.add([entry("a.png")], of: series)
    #expect(pairing.pairs.isEmpty && pairing.strays.isEmpty)
  }

  @Test("a list is CSV with two named columns")
  func list() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pairs.csv"
    try Data("file,note,reference\r\n\"a, b.heic\",x,a.png\n".utf8).write(to: URL(filePath: path))
    let pairs = try ImportPairing.list(at: path)
    #expect(pairs.map(\.file) == ["a, b.heic"] && pairs.map(\.reference) == ["a.png"])
    #expect(pairs.map(\.bytes) == [nil])
    try Data("reference,file,bytes\na.png,a.vvc.png,1234\n".utf8).write(to: URL(filePath: path))
    #expect(try ImportPairing.list(at: path).map(\.bytes) == [1234])
    for text in [
      "a,b\n1,2\n", "reference,file\na.png\n", "reference,file\n,x.heic\n",
      "reference,file,bytes\na.png,b.png,0\n",
      "reference,file,bytes\na.png,b.png,many\n",
    ] {
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(throws: (any Error).self, "\(text)") { try ImportPairing.list(at: path) }
    }
    // Line 5, after a blank line and a field of two lines.
    let text = "reference,file,bytes\n\n\"a\n.png\",a.heic,1\nb.png,b.heic,0\n"
    try Data(text.utf8).write(to: URL(filePath: path))
    let problem = CSVError(path: path, line: 5, reason: "bytes is “0”, not a whole number of at least 1")
    #expect(throws: problem) { try ImportPairing.list(at: path) }
  }
}
