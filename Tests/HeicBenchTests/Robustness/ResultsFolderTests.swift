import Foundation
import TestSupport
import Testing

/// Results folders that cannot or should not be written: exit code 74, a clear error and nothing destroyed.
@Suite("unusable results folders, through the program")
struct ResultsFolderTests {
  let user: UserFolder
  private let database = "results/heicbench.sqlite"

  init() throws { user = try UserFolder() }

  private func sweep(_ qualities: String, output: String = "results") throws -> BuiltProgram.Result {
    try user.run(
      "images", "--codec", "null", "--qualities", qualities, "--metrics", "none", "--images", "none",
      "--output", output)
  }

  /// Makes results of one point, and returns all files of the folder.
  private func makeResults() throws -> [String: Data] {
    try user.writeImage("images/a.ppm")
    let first = try sweep("0.5")
    #expect(first.status == 0, "\(first.errors)")
    // A store that is closed properly leaves no other files of SQLite's.
    let files = try files()
    #expect(!files.keys.contains { $0.hasSuffix("-shm") || $0.hasSuffix("-wal") }, "\(files.keys)")
    return files
  }

  private func files() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: user.path("results"))
    // The lock names the process that held it last.
    return try Dictionary(
      uniqueKeysWithValues: names.filter { $0 != ".heicbench.lock" }.map { name in
        (name, try user.bytes("results/" + name))
      })
  }

  /// Whether all files are unchanged. SQLite may have left empty files of its own.
  private func isUntouched(_ before: [String: Data]) throws -> Bool {
    // SQLite's index of its log is not data. SQLite makes it again when it opens the database.
    try before.filter { !$0.key.hasSuffix("-shm") }
      .allSatisfy { name, bytes in try user.bytes("results/" + name) == bytes }
  }

  /// Overwrites bytes of the database.
  private func patch(at offset: Int, with bytes: [UInt8]) throws {
    var data = try user.bytes(database)
    data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    try data.write(to: user.folder.url.appending(path: database))
  }

  @Test("a database of a newer version is left alone")
  func newerVersion() throws {
    _ = try makeResults()
    // SQLite's user_version: four bytes at 60.
    try patch(at: 60, with: [0, 0, 3, 232])
    let before = try files()
    let result = try sweep("0.5,0.6")
    #expect(result.status == 74)
    #expect(result.errors.contains("was made by a newer heicbench (format 1000"), "\(result.errors)")
    #expect(try user.run("report", "--failures").status == 74)
    #expect(try isUntouched(before))
  }

  @Test("a damaged database is left alone", arguments: ["no database", "first page", "cut"])
  func damaged(how: String) throws {
    _ = try makeResults()
    switch how {
    case "no database": try patch(at: 0, with: Array("something else, ".utf8))
    case "first page": try patch(at: 100, with: [UInt8](repeating: 0xA5, count: 3996))
    default:
      let whole = try user.bytes(database)
      try whole.prefix(whole.count / 3).write(to: user.folder.url.appending(path: database))
    }
    let before = try files()
    let result = try sweep("0.5,0.6")
    #expect(result.status == 74, "\(result.errors)")
    #expect(result.errors.contains("damaged"), "\(result.errors)")
    #expect(try isUntouched(before))
  }

  @Test("a database of another program is left alone")
  func foreign() throws {
    _ = try makeResults()
    // SQLite's application_id: four bytes at 68.
    try patch(at: 68, with: [1, 2, 3, 4])
    let before = try files()
    let result = try sweep("0.6")
    #expect(result.status == 74)
    #expect(result.errors.contains("another program"), "\(result.errors)")
    #expect(try isUntouched(before))
  }

  @Test("a second process is told which process holds the folder", .timeLimit(.minutes(30)))
  func inUse() throws {
    try user.writeImage("images/a.ppm")
    let first = user.program.process(
      [
        "images", "--codec", "null:fault=slow", "--qualities", "0.01...1.0:0.01", "--metrics", "none",
        "--jobs", "1",
      ],
      in: user.folder.url)
    first.standardError = FileHandle.nullDevice
    first.standardOutput = FileHandle.nullDevice
    try first.run()
    let lock = user.path("results/.heicbench.lock")
    #expect(ProcessTable.wait { FileManager.default.contents(atPath: lock)?.isEmpty == false })
    let second = try sweep("0.5")
    #expect(second.status == 74)
    #expect(
      second.errors.contains("in use by another heicbench (process \(first.processIdentifier)"),
      "\(second.errors)")
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    // Both the process that held the lock and the lock are gone.
    #expect(try sweep("0.5").status == 0)
  }

  @Test("a folder without write permission keeps its files")
  func readOnly() throws {
    let before = try makeResults()
    let folder = user.path("results")
    let words = ["images", "--codec", "null", "--qualities", "0.5,0.6", "--metrics", "none"]
    // Root may write everywhere, so this needs another user.
    let other = "/usr/bin/setpriv"
    let isRoot = geteuid() == 0
    try #require(
      !isRoot || FileManager.default.isExecutableFile(atPath: other), "no setpriv to stop being root")
    for file in before.keys { chmod(folder + "/" + file, 0o444) }
    chmod(folder + "/.heicbench.lock", 0o444)
    chmod(folder, 0o555)
    chmod(user.folder.path, 0o755)
    defer { chmod(folder, 0o755) }
    let process = user.program.process(words, in: user.folder.url)
    if isRoot {
      process.executableURL = URL(filePath: other)
      process.arguments =
        ["--reuid=65534", "--regid=65534", "--clear-groups", user.program.executable.path] + words
    }
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 74, "\(said)")
    #expect(said.contains("cannot be written"), "\(said)")
    #expect(try isUntouched(before))
  }

  @Test("an edited image is measured again and a missing one is dropped, both with a notice")
  func changedInputs() throws {
    _ = try makeResults()
    try user.writeImage("images/b.ppm", seed: 2)
    #expect(try sweep("0.5").errors.contains("1 encode in"))
    try user.writeImage("images/a.ppm", seed: 3)
    let edited = try sweep("0.5")
    #expect(edited.errors.contains("1 encode in"), "\(edited.errors)")
    #expect(edited.errors.contains("“a.ppm” has changed since an earlier run. heicbench measures it again."))
    try FileManager.default.removeItem(atPath: user.path("images/b.ppm"))
    let deleted = try sweep("0.5")
    #expect(deleted.status == 0)
    #expect(
      deleted.errors.contains("“b.ppm” was in an earlier run but is not in this one"), "\(deleted.errors)")
    #expect(try user.rows().map { $0.prefix(6) } == ["a.ppm,"])
  }
}
