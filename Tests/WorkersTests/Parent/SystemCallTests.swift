#if os(Linux) && arch(x86_64)
  import CEscape
  import CProcessShim
  import Foundation
  import TestSupport
  import Testing

  @testable import Workers

  /// The sandbox from inside: a separate child, sandboxed like a worker, makes each call.
  @Suite(.enabled(if: KernelSandbox.isWhole, "\(KernelSandbox.isMissing)")) struct SystemCallTests {
    /// A row of the list.
    struct Row: Hashable {
      var number: Int
      var name: String
      var isWhenWriting: Bool
      var isChecked: Bool
      var check: String
      var reason: String
    }

    static let rows = (0..<hb_allowed_call_count()).map { index in
      let call = hb_allowed_call(index)
      return Row(
        number: Int(call.number), name: String(cString: call.name), isWhenWriting: call.when_writing != 0,
        isChecked: call.is_checked != 0, check: String(cString: call.check),
        reason: String(cString: call.reason))
    }

    /// The users to run as: the one that runs the tests and, if that is root, also nobody.
    static let users: [Int] = geteuid() == 0 ? [-1, 65_534] : [-1]

    /// Beyond the largest number in a kernel's table.
    static let numbers = 0...600
    static let firstX32 = 0x4000_0000

    private func attempt(
      _ number: Int, _ arguments: [Int], as user: Int = -1, folder: String? = nil, programs: Bool = false
    ) -> Int32 {
      attempts([number], arguments, as: user, folder: folder, programs: programs)[0]
    }

    private func attempts(
      _ numbers: [Int], _ arguments: [Int], as user: Int = -1, folder: String? = nil, programs: Bool = false
    ) -> [Int32] {
      let arguments = arguments + [Int](repeating: 0, count: 6 - arguments.count)
      return (folder ?? "/nowhere").withCString { folder_ in
        withUnsafePointer(to: UnsafePointer(folder_) as UnsafePointer<CChar>?) { list in
          var options = hb_sandbox_options(
            writable_folders: list, writable_count: folder == nil ? 0 : 1, allows_programs: programs ? 1 : 0)
          return [Int32](unsafeUninitializedCapacity: numbers.count) { answers, count in
            hb_try_calls(&options, user, numbers, numbers.count, arguments, answers.baseAddress)
            count = numbers.count
          }
        }
      }
    }

    @Test("every call that is not on the list is refused", arguments: users)
    func everyOtherCallIsRefused(user: Int) {
      let listed = Set(Self.rows.filter { !$0.isWhenWriting }.map(\.number))
      // Arguments that no call can use, in case one gets through.
      let useless = [Int](repeating: -1, count: 6)
      let tried =
        Self.numbers.filter { !listed.contains($0) } + Self.numbers.map { Self.firstX32 + $0 } + [
          -2, 1 << 20,
        ]
      for (number, answer) in zip(tried, attempts(tried, useless, as: user)) {
        // Since 6.14, the kernel lets uretprobe (335) and uprobe (336) through every filter. Outside its own
        // trampolines, they end the process or answer that there is none.
        let isProbe =
          number == 335 && answer == -SIGILL || number == 336 && [ENXIO, -SIGILL].contains(answer)
        #expect(answer == EPERM || answer == ENOSYS || isProbe, "call \(number): \(answer)")
      }
    }

    @Test("calls that need certain arguments are refused with others", arguments: users)
    func argumentsAreChecked(user: Int) throws {
      let folder = try TemporaryFolder()
      try #require(chmod(folder.path, 0o777) == 0)
      let file = folder.path + "/file"
      try Data("kept".utf8).write(to: URL(filePath: file))
      try #require(chmod(file, 0o666) == 0)
      let parent = Int(getpid())
      file.withCString { path in
        let path = Int(bitPattern: path)
        let attempts: [(String, Int, [Int])] = [
          ("openat to write", 257, [-100, path, Int(O_WRONLY)]),
          ("openat to read and write", 257, [-100, path, Int(O_RDWR)]),
          ("openat to read and truncate", 257, [-100, path, Int(O_RDONLY | O_TRUNC)]),
          ("openat to create", 257, [-100, path, Int(O_RDONLY | O_CREAT), 0o600]),
          ("open to write", 2, [path, Int(O_WRONLY)]),
          ("open to append", 2, [path, Int(O_APPEND)]),
          ("truncate", 76, [path, 0]),
          ("creat", 85, [path, 0o600]),
          ("unlink", 87, [path]),
          ("lsetxattr", 189, [path, path, path, 1, 0]),
          ("utimensat", 280, [-100, path, 0, 0]),
          ("clone of a process", 56, [Int(SIGCHLD)]),
          ("clone of a thread in a namespace", 56, [0x1_0000 | Self.newUser]),
          ("mprotect to execute", 10, [0, 4096, Int(PROT_READ | PROT_EXEC)]),
          ("mmap to write and execute", 9, [0, 4096, 7, 0x22, -1]),
          ("madvise of poison", 28, [0, 4096, 100]),
          ("prlimit64 of the parent", 302, [parent, 0, 0, 0]),
          ("prlimit64 that sets", 302, [0, 0, path, 0]),
          ("sched_setaffinity of the parent", 203, [parent, 8, path]),
          ("setpriority of the parent", 141, [0, parent, 0]),
          ("setpriority of a user", 141, [2, 0, 0]),
          ("tgkill of the parent", 234, [parent, parent, 0]),
          ("tkill of the parent", 200, [parent, 0]),
          ("kill of the parent", 62, [parent, 0]),
          ("setpgid", 109, [0, 0]),
          ("prctl of dumps", 157, [4, 1]),
          ("fcntl of an owner", 72, [0, 8, parent]),
          ("ioctl that types", 16, [0, 0x5412, path]),
        ]
        for (name, number, arguments) in attempts {
          #expect(attempt(number, arguments, as: user) == EPERM, "\(name)")
        }
        #expect(attempt(257, [-100, path, Int(O_RDONLY)], as: user) == 0)
        #expect(attempt(302, [0, 0, 0, 0], as: user) == 0)
      }
      #expect(try Data(contentsOf: URL(filePath: file)) == Data("kept".utf8))
    }

    @Test("kept files are written only to their folder", arguments: users) func keeping(user: Int) throws {
      let (inside, outside) = (try TemporaryFolder(), try TemporaryFolder())
      for folder in [inside, outside] { try #require(chmod(folder.path, 0o777) == 0) }
      func make(_ file: String) -> Int32 {
        file.withCString {
          attempt(
            257, [-100, Int(bitPattern: $0), Int(O_WRONLY | O_CREAT), 0o600], as: user, folder: inside.path)
        }
      }
      #expect(make(inside.path + "/a") == 0)
      // Workers write files where they belong, and the run moves and removes them.
      let file = inside.path + "/a"
      file.withCString {
        let path = Int(bitPattern: $0)
        let refused = [("rename", 82, [path, path]), ("unlink", 87, [path]), ("fsync", 74, [-1])]
        for (name, number, arguments) in refused {
          #expect(attempt(number, arguments, as: user, folder: inside.path) == EPERM, "\(name)")
        }
      }
      #expect(make(outside.path + "/a") == EACCES)
    }

    @Test("the user's own programs cannot attack the run", arguments: users)
    func programs(user: Int) {
      let parent = Int(getpid())
      let attempts: [(String, Int, [Int])] = [
        ("prlimit64 of the parent", 302, [parent, 0, 0, 0]),
        ("setpriority of the parent", 141, [0, parent, 0]),
        ("sched_setaffinity of the parent", 203, [parent, 0, 0]),
        ("setpgid into the parent's group", 109, [0, Int(getpgrp())]),
        ("lsetxattr", 189, [-1, -1, -1, 1, 0]),
        ("fsopen", 430, [-1, 0]),
        ("socket", 41, [2, 1, 0]),
        // With flags that the kernel refuses together, in case one gets through.
        ("clone into a user namespace", 56, [Self.newUser | Self.impossible]),
        ("clone into namespaces of mounts and networks", 56, [0x4002_0000 | Self.impossible]),
      ]
      for (name, number, arguments) in attempts {
        #expect(attempt(number, arguments, as: user, programs: true) == EPERM, "\(name)")
      }
      #expect(attempt(56, [Self.impossible], as: user, programs: true) == EINVAL)
      #expect(attempt(435, [0, 0], as: user, programs: true) == ENOSYS)
      #expect(attempt(109, [0, 0], as: user, programs: true) == 0)
      #expect(attempt(302, [0, 0, 0, 0], as: user, programs: true) == 0)
    }

    /// CLONE_NEWUSER, and CLONE_SIGHAND without the memory that it needs.
    private static let (newUser, impossible) = (0x1000_0000, 0x800)

    @Test(
      "the user's own programs query a descriptor, but cannot change a file by it", arguments: users)
    func requests(user: Int) throws {
      // FS_IOC_SETFLAGS, FS_IOC_SETVERSION, FS_IOC_FSSETXATTR, FS_IOC_ENABLE_VERITY, TIOCSTI, TIOCLINUX, FICLONE
      for request in [
        0x4008_6602, 0x4008_7602, 0x401C_5820, 0x4080_6685, 0x5412, 0x541C, 0x4004_9409,
      ] {
        #expect(attempt(16, [-1, request], as: user, programs: true) == ENOTTY, "\(request)")
        #expect(attempt(16, [-1, request], as: user) == EPERM, "\(request)")
      }
      // FIOCLEX, FIONCLEX, FIONREAD, FIONBIO, TCGETS, TIOCGWINSZ
      for request in [0x5451, 0x5450, 0x541B, 0x5421, 0x5401, 0x5413] {
        #expect(attempt(16, [-1, request], as: user, programs: true) == EBADF, "\(request)")
      }
      // An allowed request does not count in another argument's place.
      #expect(attempt(16, [0x5401, 0x5412, 0x5401], as: user, programs: true) == ENOTTY)
    }

    @Test("the 32-bit entry ends a worker") func otherEntry() {
      var options = hb_sandbox_options(writable_folders: nil, writable_count: 0, allows_programs: 0)
      // SIGSEGV if the kernel has no such entry.
      #expect([-SIGSYS, -SIGSEGV].contains(hb_try_other_entry(&options)))
    }

    @Test("a filter on one thread of several is not reported as active") func filteredThread() {
      var options = hb_sandbox_options(writable_folders: nil, writable_count: 0, allows_programs: 0)
      #expect(hb_seccomp_beside_filtered_thread(&options) == 0)
    }

    /// The kernel looks only at the argument that the condition names.
    @Test("an allowed value in another argument's place does not count", arguments: users)
    func placesOfArguments(user: Int) {
      let setsOwner = 8
      let allowed = [F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC].map(Int.init)
      for value in allowed {
        #expect(
          attempt(72, [value, setsOwner, value, value], as: user) == EPERM,
          "fcntl of an owner beside \(value)")
        #expect(attempt(72, [-1, value, setsOwner], as: user) == EBADF, "fcntl \(value)")
      }
      let parent = Int(getpid())
      let beside: [(String, Int, [Int])] = [
        ("sched_setaffinity of the parent beside 0", 203, [parent, 0, 0]),
        ("getpriority of the parent beside 0", 140, [0, parent, 0]),
        ("getpriority of a group beside 0", 140, [1, 0, 0]),
        ("prctl of dumps beside PR_SET_NAME", 157, [4, 15]),
        ("prctl of dumps beside PR_GET_NAME", 157, [4, 16]),
        ("prctl of dumps beside PR_SET_VMA", 157, [4, 0x5356_4D41]),
        ("madvise of poison beside MADV_GUARD_INSTALL", 28, [0, 4096, 100, 102]),
        ("madvise of poison beside MADV_GUARD_REMOVE", 28, [0, 4096, 100, 103]),
      ]
      for (name, number, arguments) in beside {
        #expect(attempt(number, arguments, as: user) == EPERM, "\(name)")
      }
    }

    /// Calls that scoring two pictures does not need: networks, other processes, disks, kernels, clocks, owners and
    /// permissions.
    @Test("the user's own programs are refused every call that scoring does not need", arguments: users)
    func deniedToPrograms(user: Int) {
      let denied = [
        41, 42, 44, 46, 49, 50, 288, 101, 310, 311, 312, 438, 440, 448, 165, 166, 155, 161, 272, 308, 428,
        429, 430, 431,
        432, 433, 442, 467, 303, 304, 179, 443, 163, 167, 168, 175, 176, 313, 246, 169, 103, 321, 298, 323,
        425, 426, 427,
        248, 249, 250, 135, 159, 164, 227, 305, 170, 171, 172, 173, 300, 90, 91, 92, 93, 94, 260, 268, 452,
        469, 188, 189,
        190, 197, 198, 199, 463, 466, 76, 132, 235, 261, 280, 29, 30, 64, 68, 240, 256, 279, 142, 144, 251,
        314,
      ]
      let useless = [Int](repeating: -1, count: 6)
      for (number, answer) in zip(denied, attempts(denied, useless, as: user, programs: true)) {
        #expect(answer == EPERM, "call \(number): \(answer)")
      }
    }

    @Test("docs/lab/security.md has the list") func documented() throws {
      let document = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/lab/security.md").standardized
      let text = try String(contentsOf: document, encoding: .utf8)
      let table = Self.rows.map { row in
        let check = [row.isWhenWriting ? "keeping files" : "", row.check].filter { !$0.isEmpty }
        return "| `\(row.name)` | \(check.joined(separator: "; ")) | \(row.reason) |"
      }.joined(separator: "\n")
      #expect(text.contains(table + "\n\n"), "the table must be:\n\(table)")
      // Nothing else may be there.
      #expect(text.components(separatedBy: "\n| `").count - 1 == Self.rows.count)
    }
  }
#endif
