import Foundation
import GRDB
import Model
import TestSupport
import Testing

@testable import Store

/// No stored result is lost, whatever happens to the process, the disk or the file.
@Suite(.serialized)
struct ResultStoreSafetyTests {
  private let folder: TemporaryFolder
  private let images = (0..<40).map { StoreFixture.image("\($0).png") }

  init() throws { folder = try TemporaryFolder() }

  private var file: String { folder.path + "/heicbench.sqlite" }

  private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: file)) }

  private func fill(_ store: ResultStore) throws {
    try store.begin(StoreFixture.manifest(), images: images)
    for image in images { try store.append(StoreFixture.point(StoreFixture.key(image))) }
  }

  private func overwrite(_ sql: String) throws {
    try DatabaseQueue(path: file).writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// A kill leaves behind what the files contain at that moment.
  @Test func aKillLosesNothingThatWasCommitted() throws {
    let store = try ResultStore(folder: folder.path)
    try store.begin(StoreFixture.manifest(), images: images)
    for (index, image) in images.enumerated() {
      try store.append(StoreFixture.point(StoreFixture.key(image)))
      guard index % 13 == 0 else { continue }
      let copy = try TemporaryFolder()
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: file + suffix, toPath: copy.path + "/heicbench.sqlite" + suffix)
      }
      #expect(try ResultStore(folder: copy.path).latestRows().map(\.image) == images[...index].map(\.name))
    }
  }

  /// After a power cut, the end of the log may be missing or garbage.
  @Test func aTornLogGivesWholeRecords() throws {
    let store = try ResultStore(folder: folder.path)
    try fill(store)
    let log = try Data(contentsOf: URL(filePath: file + "-wal"))
    var generator = SeededGenerator(seed: 3)
    var counts: Set<Int> = []
    for round in 0..<24 {
      let copy = try TemporaryFolder()
      try FileManager.default.copyItem(atPath: file, toPath: copy.path + "/heicbench.sqlite")
      var torn = log.prefix(Int(generator.next() % UInt64(log.count)))
      if round % 2 == 0 {
        torn.append(Data((0..<5_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }))
      }
      try torn.write(to: URL(filePath: copy.path + "/heicbench.sqlite-wal"))
      let rows = try ResultStore(folder: copy.path).latestRows()
      #expect(rows.map(\.image) == images.prefix(rows.count).map(\.name))
      counts.insert(rows.count)
    }
    #expect(counts.count > 3, "the log is cut at different places")
  }

  @Test func aSecondProcessIsToldWhoWorksThere() throws {
    let store = try ResultStore(folder: folder.path)
    try fill(store)
    let error = #expect(throws: StoreError.self) { try ResultStore(folder: folder.path) }
    #expect(error?.description.contains("(process \(getpid()) on ") == true, "\(error?.description ?? "")")
    #expect(try ResultStore(reading: folder.path).latestRows().count == 40, "others can still read")
    try store.append(StoreFixture.point(StoreFixture.key(images[0], StoreFixture.heic)))
  }

  @Test func theFolderIsFreeAgainAfterwards() throws {
    for _ in 0..<3 { try fill(try ResultStore(folder: folder.path)) }
    #expect(try ResultStore(folder: folder.path).latestRows().count == 40)
  }

  @Test func whatWasClosedIsNotCheckedAgainUnlessItWasTouchedOrCopied() throws {
    try fill(try ResultStore(folder: folder.path))
    #expect(!FileManager.default.fileExists(atPath: file + "-wal"))
    #expect(try ResultStore(folder: folder.path).isSealed)
    #expect(try ResultStore(folder: folder.path).isSealed)
    let copy = folder.path + "-copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try FileManager.default.copyItem(atPath: folder.path, toPath: copy)
    #expect(try !ResultStore(folder: copy).isSealed)
    try overwrite("UPDATE result SET bytes = bytes + 1")
    #expect(try !ResultStore(folder: folder.path).isSealed)
  }

  @Test func aNewerStoreIsLeftAlone() throws {
    try fill(try ResultStore(folder: folder.path))
    try overwrite("PRAGMA user_version = 99")
    let before = try bytes()
    let expected = StoreError.newerVersion(path: file, found: 99, known: StoreSchema.version)
    #expect(throws: expected) { try ResultStore(folder: folder.path) }
    #expect(throws: expected) { try ResultStore(reading: folder.path) }
    #expect(try bytes() == before)
    #expect(expected.description.contains("newer heicbench"))
  }

  @Test func aDatabaseOfAnotherProgramIsLeftAlone() throws {
    try overwrite("CREATE TABLE bookmarks(url TEXT)")
    let before = try bytes()
    #expect(throws: StoreError.foreign(path: file)) { try ResultStore(folder: folder.path) }
    #expect(throws: StoreError.foreign(path: file)) { try ResultStore(reading: folder.path) }
    #expect(try bytes() == before)
  }

  @Test func aFileThatIsNoDatabaseIsLeftAlone() throws {
    try Data("image,codec\n".utf8).write(to: URL(filePath: file))
    for open in [{ try ResultStore(folder: $0) }, { try ResultStore(reading: $0) }] {
      let error = #expect(throws: StoreError.self) { try open(folder.path) }
      #expect(error?.description.contains("is damaged") == true)
    }
    #expect(try bytes() == Data("image,codec\n".utf8))
  }

  @Test func anEmptyFileBecomesAStore() throws {
    try Data().write(to: URL(filePath: file))
    try fill(try ResultStore(folder: folder.path))
    #expect(try ResultStore(reading: folder.path).latestRows().count == images.count)
  }

  /// A kill while SQLite turns the new file into a WAL database leaves a journal that must be rolled back.
  @Test func aStoreWhoseMakingWasKilledIsMadeAgain() throws {
    try overwrite("CREATE TABLE half(made)")
    // A journal's header: magic number, no pages, a nonce, an initially empty database, and the sizes of sector and
    // page.
    let header: [UInt32] = [0xd9d5_05f9, 0x20a1_63d7, 0, 7, 0, 512, 4096]
    let journal = header.flatMap { value in withUnsafeBytes(of: value.bigEndian, Array.init) }
    try (Data(journal) + Data(count: 512 - journal.count)).write(to: URL(filePath: file + "-journal"))
    #expect(throws: StoreError.missing(path: file)) { try ResultStore(reading: folder.path) }
    try fill(try ResultStore(folder: folder.path))
    #expect(try ResultStore(reading: folder.path).latestRows().count == 40)
  }

  /// Every read of a damaged file works or throws, and opening it destroys nothing.
  @Test func damageIsAnErrorAndNeverACrash() throws {
    let store = try ResultStore(folder: folder.path)
    try fill(store)
    try store.finish(RunID(rawValue: 1), at: "now")
    let whole = try bytes()
    var generator = SeededGenerator(seed: 4)
    var refused = 0
    for _ in 0..<120 {
      let copy = try TemporaryFolder()
      var damaged = whole
      for _ in 0..<20 {
        let position = Int(generator.next() % UInt64(damaged.count))
        damaged[position] = UInt8(truncatingIfNeeded: generator.next())
      }
      if generator.next() % 4 == 0 { damaged = damaged.prefix(Int(generator.next() % UInt64(damaged.count))) }
      try damaged.write(to: URL(filePath: copy.path + "/heicbench.sqlite"))
      do throws(StoreError) {
        let reader = try ResultStore(reading: copy.path)
        guard let run = try reader.latestRun() else { continue }
        _ = try reader.qualitySummaries(of: run.id)
        _ = try reader.notices(for: run.id)
        for image in images {
          _ = try reader.finished(image, preparation: Preparation().canonicalSpelling, metric: nil)
        }
        do { try reader.forEachRow(of: run.id) { _ in } } catch let error as StoreError { throw error } catch
        {
          Issue.record("another error: \(error)")
        }
      } catch { refused += 1 }
      #expect(try Data(contentsOf: URL(filePath: copy.path + "/heicbench.sqlite")) == damaged)
    }
    #expect(refused > 20)
  }

  /// Values of types that we do not write count as damage, too.
  @Test(arguments: [
    "UPDATE result SET bytes = 'many'", "UPDATE result SET hash = 7", "UPDATE result SET quality = 5000",
    "UPDATE result SET status = 9", "UPDATE result SET conditions = 9", "UPDATE result SET samples = x'ff'",
    "UPDATE result SET message = 'no JSON'", "UPDATE setup SET settings = '[]'",
    "UPDATE run SET manifest = '{}'",
    "UPDATE result SET score_1 = 'high'", "UPDATE result SET bytes = -1",
    "UPDATE result SET native_quality = 1 << 40", "UPDATE result SET encode_cpu = -1",
  ])
  func valuesThatAreNotOursAreDamage(_ sql: String) throws {
    try fill(try ResultStore(folder: folder.path))
    try overwrite(sql)
    let reader = try ResultStore(reading: folder.path)
    do {
      let rows = try reader.latestRows()
      // A quality that is not part of the run is not in its view.
      #expect(rows.isEmpty)
    } catch let error as StoreError {
      guard case .damaged = error else { throw error }
    }
  }

  @Test func aFolderThatCannotBeMadeIsNamed() {
    for path in ["/proc/heicbench-results", "/dev/null/results"] {
      let error = #expect(throws: StoreError.self) { try ResultStore(folder: path) }
      #expect(error?.description.contains(path) == true, "\(error?.description ?? "")")
    }
    #expect(throws: StoreError.missing(path: folder.path + "/heicbench.sqlite")) {
      try ResultStore(reading: folder.path)
    }
  }

  @Test(.enabled(if: TinyDisk.isAvailable, Comment(rawValue: TinyDisk.reason)))
  func aReadOnlyFolderIsReadAndNotWritten() throws {
    let disk = try TinyDisk(kibibytes: 2_000)
    let results = disk.path + "/a?b#c%20 é"
    try fill(try ResultStore(folder: results))
    try disk.makeReadOnly()
    let error = #expect(throws: StoreError.self) { try ResultStore(folder: results) }
    guard case .notWritable? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(error?.description.contains("Read-only file system") == true)
    #expect(try ResultStore(reading: results).latestRows().count == 40)
    #expect(try ResultStore(folder: folder.path).merge([results]).added == 40)
  }

  @Test(.enabled(if: TinyDisk.isAvailable, Comment(rawValue: TinyDisk.reason)))
  func aFullDiskLosesNothingAndTheNextRunGoesOn() throws {
    let disk = try TinyDisk(kibibytes: 700)
    let more = (0..<4_000).map { StoreFixture.image("\($0).png") }
    var kept = 0
    do {
      let store = try ResultStore(folder: disk.path)
      try store.begin(StoreFixture.manifest(), images: images)
      let error = #expect(throws: StoreError.self) {
        for image in more {
          try store.append(StoreFixture.point(StoreFixture.key(image)))
          kept += 1
        }
      }
      #expect(error == .diskFull(path: disk.path + "/heicbench.sqlite"))
      #expect(kept > 20)
      #expect(throws: StoreError.self) { try store.append(StoreFixture.point(StoreFixture.key(more[kept]))) }
    }
    try disk.resize(kibibytes: 20_000)
    let store = try ResultStore(folder: disk.path)
    try store.begin(StoreFixture.manifest(), images: more)
    #expect(try store.latestRows().map(\.image) == more.prefix(kept).map(\.name))
    for image in more[kept...] { try store.append(StoreFixture.point(StoreFixture.key(image))) }
    #expect(try store.latestRows().count == more.count)
  }
}
