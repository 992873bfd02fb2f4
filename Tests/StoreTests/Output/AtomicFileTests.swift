import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Store

struct AtomicFileTests {
  @Test func replacesTheWholeFileOnCommitOnly() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out.csv"
    try AtomicFile.write("old", to: path, replacing: "")
    let file = try AtomicFile(path: path)
    file.write(String(repeating: "new", count: 50_000))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try file.commit()
    #expect(try String(contentsOfFile: path, encoding: .utf8).count == 150_000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.csv"])
  }

  @Test func leavesNothingBehindWhenItIsNotCommitted() throws {
    let folder = try TemporaryFolder()
    do {
      let file = try AtomicFile(path: folder.path + "/out.csv")
      file.write("half")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  /// A killed process cannot remove its temporary files, and a running one needs them.
  @Test func leftoversGoAndFilesInUseStay() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out.csv"
    let file = try AtomicFile(path: path)
    file.write("half")
    let others = [".heicbench-1-1.tmp", ".heicbench-123-45.tmp"]
    for name in others + [".heicbench.lock", "other.tmp"] {
      try Data("half".utf8).write(to: folder.url.appending(path: name))
    }
    AtomicFile.removeLeftovers(in: folder.path)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.count == 3 && left.contains(".heicbench.lock") && left.contains("other.tmp"))
    #expect(Set(left).isDisjoint(with: others))
    try file.commit()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "half")
    AtomicFile.removeLeftovers(in: folder.path + "/no")
  }

  @Test("a lock holds while others remove leftovers", .timeLimit(.minutes(30)))
  func onlyOneHoldsALock() throws {
    let folder = try TemporaryFolder()
    let files = try OwnedFolder(folder.path)
    let path = folder.path
    let (holders, together) = (Count(), Count())
    let ends = DispatchTime.now() + 3
    let threads = DispatchGroup()
    for index in 0..<8 {
      threads.enter()
      Thread.detachNewThread {
        while DispatchTime.now() < ends {
          if index.isMultiple(of: 2) { AtomicFile.removeLeftovers(in: path) }
          try? files.whileLocked("log") {
            if holders.add(1) > 1 { _ = together.add(1) }
            sched_yield()
            _ = holders.add(-1)
          }
        }
        threads.leave()
      }
    }
    threads.wait()
    #expect(together.add(0) == 0)
  }

  private final class Count: Sendable {
    private let value = Mutex(0)

    func add(_ change: Int) -> Int {
      value.withLock { value in
        value += change
        return value
      }
    }
  }

  @Test func throwsWithTheFileAndTheReason() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: OutputError.self) {
      try AtomicFile.write("x", to: folder.path + "/no/out.csv", replacing: "")
    }
    #expect(error?.description.contains("no/out.csv”: No such file or directory") == true)
  }

  /// The only device that is always full.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "SKIPPED: needs /dev/full"))
  func saysThatTheDiskIsFull() throws {
    let error = #expect(throws: OutputError.self) {
      try AtomicFile.write("x", to: "/dev/full", replacing: "")
    }
    #expect(error?.code == ENOSPC)
  }

  @Test(arguments: ["real.csv", "missing.csv", "."])
  func neverWritesThroughALink(to target: String) throws {
    let folder = try TemporaryFolder()
    let link = folder.path + "/link.csv"
    try AtomicFile.write("old", to: folder.path + "/real.csv", replacing: "")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let error = #expect(throws: OutputError.self) { try AtomicFile.write("new", to: link, replacing: "") }
    #expect(error?.obstacle == .link)
    #expect(try String(contentsOfFile: folder.path + "/real.csv", encoding: .utf8) == "old")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  @Test func takesTheLongestNameThatTheSystemAllows() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/" + String(repeating: "n", count: 255)
    try AtomicFile.write("x", to: path, replacing: "")
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
