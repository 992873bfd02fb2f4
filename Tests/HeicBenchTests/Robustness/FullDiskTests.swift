#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A disk that fills up: an in-memory file system of one megabyte, which only root can mount.
  @Suite(
    "a full disk, through the program",
    .enabled(if: TinyDisk.isPossible, "SKIPPED: needs root to mount a tmpfs"))
  struct FullDiskTests {
    @Test("finished results stay, and the run resumes when there is room", .timeLimit(.minutes(30)))
    func fullDisk() throws {
      let user = try UserFolder()
      try user.writeImage("images/a.ppm")
      let disk = try TinyDisk(at: user.path("disk"))
      defer { disk.unmount() }
      func sweep(_ qualities: String) throws -> BuiltProgram.Result {
        try user.run(
          "images", "--codec", "null", "--qualities", qualities, "--metrics", "none", "--images", "none",
          "--output", "disk/results")
      }
      let first = try sweep("0.5")
      #expect(first.status == 0, "\(first.errors)")
      let rows = try user.rows("disk/results")
      // Leaves 40 kB, enough to begin something but not to finish it.
      try Data(count: disk.free() - 40_000).write(to: user.folder.url.appending(path: "disk/ballast"))
      let second = try sweep("0.001...1.0:0.001")
      #expect(second.status == 74, "\(second.errors)")
      #expect(second.errors.contains("full") || second.errors.contains("No space left"), "\(second.errors)")
      #expect(try user.rows("disk/results") == rows)
      try FileManager.default.removeItem(atPath: user.path("disk/ballast"))
      let third = try sweep("0.5,0.6")
      #expect(third.status == 0, "\(third.errors)")
      #expect(third.errors.contains("1 already there") || third.errors.contains("2 already there"))
    }
  }

  /// A file system of 1 MiB.
  struct TinyDisk {
    let path: String

    static let isPossible: Bool = {
      guard geteuid() == 0, let folder = try? TemporaryFolder(),
        let disk = try? TinyDisk(at: folder.path + "/disk")
      else { return false }
      disk.unmount()
      return true
    }()

    init(at path: String) throws {
      self.path = path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard mount("tmpfs", path, "tmpfs", 0, "size=1m") == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    }

    /// Bytes that can still be written.
    func free() throws -> Int {
      let attributes = try FileManager.default.attributesOfFileSystem(forPath: path)
      return (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    }

    func unmount() { umount2(path, Int32(MNT_DETACH)) }
  }
#endif
