import Foundation
import Model
import TestSupport
import Testing

@testable import Store

/// Which files in a folder are ours, and which are not.
struct OwnedFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
  }

  private func put(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  @Test func whatWasWrittenIsOursAlsoForTheNextProcess() throws {
    try OwnedFolder(folder.path).write("one", to: "a/b/c.txt")
    let files = try OwnedFolder(folder.path)
    #expect(files.standing(of: "a/b/c.txt") == .ours && files.standing(of: "a/b/d.txt") == .free)
    try files.write("two", to: "a/b/c.txt")
    #expect(try text("a/b/c.txt") == "two")
    files.remove("a/b/c.txt")
    #expect(files.standing(of: "a/b/c.txt") == .free)
  }

  @Test("files that another process of ours writes meanwhile are ours too")
  func twoAtOnce() throws {
    let (first, second) = (try OwnedFolder(folder.path), try OwnedFolder(folder.path))
    try first.write("one", to: "index.html")
    #expect(second.standing(of: "index.html") == .ours)
    try second.write("two", to: "index.html")
    try first.write("three", to: "index.html")
    #expect(try text("index.html") == "three")
    try put("mine", "index.html")
    #expect(second.standing(of: "index.html") == .obstacle(.changed))
  }

  @Test("a folder that cannot be written is refused before there is anything to write")
  func requireWritable() throws {
    try OwnedFolder(folder.path).requireWritable()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(
    "a folder of the system’s is refused as well",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "SKIPPED: needs /proc"))
  func refusesASystemFolder() throws {
    #expect(throws: OutputError.self) { try OwnedFolder("/proc").requireWritable() }
  }

  @Test func theListIsOneThatSha256sumReads() throws {
    try OwnedFolder(folder.path).write("one", to: "a b.txt")
    #expect(try text(".heicbench-files") == SHA256.hexDigest(of: Array("one".utf8)) + "  a b.txt\n")
  }

  @Test func aFileThatWasChangedIsNeitherReplacedNorRemoved() throws {
    let files = try OwnedFolder(folder.path)
    try files.write("one", to: "a.txt")
    try put("mine", "a.txt")
    #expect(files.standing(of: "a.txt") == .obstacle(.changed))
    #expect(throws: OutputError.self) { try files.write("two", to: "a.txt") }
    files.remove("a.txt")
    #expect(try text("a.txt") == "mine")
  }

  /// A process may be killed after it has written the line and before the file, or in the middle of the line.
  @Test(arguments: ["", "0123"])
  func aKillBetweenTheListAndTheFileLeavesNothingForeign(torn: String) throws {
    try OwnedFolder(folder.path).write("one", to: "a.txt")
    let next = SHA256.hexDigest(of: Array("two".utf8)) + "  a.txt\n"
    let list = try text(".heicbench-files")
    try put(list + (torn.isEmpty ? next : torn), ".heicbench-files")
    let files = try OwnedFolder(folder.path)
    #expect(files.standing(of: "a.txt") == .ours)
    try files.write("three", to: "a.txt")
    #expect(try OwnedFolder(folder.path).standing(of: "a.txt") == .ours)
  }

  @Test func namesInAListStayBelowTheFolder() throws {
    let hash = SHA256.hexDigest(of: Array("precious".utf8))
    let outside = try TemporaryFolder()
    try Data("precious".utf8).write(to: outside.url.appending(path: "p.txt"))
    for name in ["../\(outside.url.lastPathComponent)/p.txt", outside.path + "/p.txt", "a//b", "./a", ""] {
      try put("\(hash)  \(name)\n", ".heicbench-files")
      #expect(throws: OutputError.self, "\(name)") { try OwnedFolder(folder.path) }
    }
    #expect(FileManager.default.fileExists(atPath: outside.path + "/p.txt"))
  }

  @Test func foldersThatAreLinksLeadNowhere() throws {
    let outside = try TemporaryFolder()
    try Data("precious".utf8).write(to: outside.url.appending(path: "p.txt"))
    let hash = SHA256.hexDigest(of: Array("precious".utf8))
    try put("\(hash)  sub/p.txt\n", ".heicbench-files")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/sub", withDestinationPath: outside.path)
    let files = try OwnedFolder(folder.path)
    files.remove("sub/p.txt")
    files.removeFiles(in: "sub")
    #expect(throws: OutputError.self) { try files.write("x", to: "sub/p.txt") }
    #expect(throws: OutputError.self) { try files.write("x", to: "sub/q.txt") }
    #expect(try String(contentsOfFile: outside.path + "/p.txt", encoding: .utf8) == "precious")
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["p.txt"])
  }

  @Test(.timeLimit(.minutes(30)))
  func aListThatIsNoFileIsInTheWayAtOnce() throws {
    #expect(mkfifo(folder.path + "/.heicbench-files", 0o644) == 0)
    let error = #expect(throws: OutputError.self) { try OwnedFolder(folder.path) }
    #expect(error?.obstacle == .notAFile)
  }

  @Test func movedFilesAreOursAndWhatDiffersIsNotMoved() throws {
    let files = try OwnedFolder(folder.path)
    let scratch = try files.makeScratch()
    try Data("one".utf8).write(to: URL(filePath: scratch + "/x"))
    let hash = SHA256.hexDigest(of: Array("one".utf8))
    #expect(try !files.move(scratch + "/x", to: "a/x", hash: String(hash.reversed())))
    #expect(files.standing(of: "a/x") == .free)
    #expect(try files.move(scratch + "/x", to: "a/x", hash: hash))
    #expect(files.holds("a/x", hash: hash, bytes: 3) && !files.holds("a/x", hash: hash, bytes: 4))
    try Data("two".utf8).write(to: URL(filePath: scratch + "/x"))
    try put("mine", "y")
    #expect(throws: OutputError.self) { try files.move(scratch + "/x", to: "y") }
    #expect(try text("y") == "mine")
    files.removeScratch()
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasSuffix(".parts") })
  }

  @Test func scratchOfKilledProcessesGoesAndThatInUseStays() throws {
    let (one, other) = (try OwnedFolder(folder.path), try OwnedFolder(folder.path))
    let used = try one.makeScratch()
    let abandoned = folder.path + "/.heicbench-1-1.parts"
    try FileManager.default.createDirectory(atPath: abandoned, withIntermediateDirectories: false)
    try put("x", ".heicbench-1-1.parts/x")
    let second = try other.makeScratch()
    #expect(!FileManager.default.fileExists(atPath: abandoned))
    #expect(FileManager.default.fileExists(atPath: used) && used != second)
  }

  @Test func aLongListIsWrittenAnewAndStillKnowsItsFiles() throws {
    do {
      let files = try OwnedFolder(folder.path)
      try files.write("0", to: "n")
      for number in 1..<5000 {
        try put("\(number)", "n")
        try files.adopt("n")
      }
    }
    #expect(try text(".heicbench-files").split(separator: "\n").count == 2)
    let files = try OwnedFolder(folder.path)
    #expect(files.standing(of: "n") == .ours)
    try files.write("again", to: "n")
    #expect(try OwnedFolder(folder.path).standing(of: "n") == .ours)
  }
}
