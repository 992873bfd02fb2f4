import CEscape
import Foundation

/// What a hijacked codec would try.
enum ScriptedEscape {
  /// The attempts that were not refused, separated by commas; `sandboxed` if all were.
  static func attempts() -> String {
    var made: [(name: String, succeeded: Bool)] = [
      ("write a file", writes(to: "/var/tmp/heicbench-escape")),
      ("write to the temporary folder", writes(to: "/tmp/heicbench-escape")),
      ("open a socket", socket(AF_INET, 1, 0) >= 0),
      ("start a program", starts("/bin/true")),
      ("kill the parent", kill(getppid(), 0) == 0),
      ("change a mode", chmod("/tmp", 0o1777) == 0),
    ]
    #if os(Linux) && arch(x86_64)
      made += linuxAttempts()
    #endif
    let open = made.filter(\.succeeded).map(\.name)
    return open.isEmpty ? "sandboxed" : open.joined(separator: ", ")
  }

  private static func writes(to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    unlink(path)
    return true
  }

  private static func starts(_ program: String) -> Bool {
    var process: pid_t = 0
    guard posix_spawn(&process, program, nil, nil, [nil], [nil]) == 0 else { return false }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status == 0
  }

  #if os(Linux) && arch(x86_64)
    /// Attempts that once succeeded, or would if made on the parent. All are harmless if they succeed.
    private static func linuxAttempts() -> [(name: String, succeeded: Bool)] {
      let parent = Int(getppid())
      return [
        ("read the parent's limits", isOpen(302 /* prlimit64 */, parent, 0, 0, 0)),
        ("set the parent's priority", isOpen(141 /* setpriority */, 0, parent, 0)),
        ("pin the parent", isOpen(203 /* sched_setaffinity */, parent, 0, 0)),
        ("join the parent's group", isOpen(109 /* setpgid */, 0, Int(getpgid(pid_t(parent))))),
        ("begin a session", setsid() >= 0),
        ("set an attribute", isOpen(189 /* lsetxattr */, -1, -1, -1, 1, 0)),
        ("queue the parent a signal", isOpen(129 /* rt_sigqueueinfo */, parent, 0, 0)),
        ("read the log of the kernel", isOpen(103 /* syslog */, 10, 0, 0)),
        ("make a message queue", isOpen(68 /* msgget */, 0, 0)),
        ("have a thread without a filter", hasUnfilteredThread()),
        ("read the parent's environment", !contents("/proc/\(parent)/environ").isEmpty),
        ("have a capability", hasCapability()),
      ]
    }

    /// Whether anything but the filter answers a call.
    private static func isOpen(_ number: Int, _ arguments: Int...) -> Bool {
      hb_call(number, arguments + [Int](repeating: 0, count: 6 - arguments.count)) != -Int(EPERM)
    }

    private static func contents(_ path: String) -> String {
      (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    /// Whether there is a capability other than number 2, root's right to read everyone's files.
    private static func hasCapability() -> Bool {
      let sets = contents("/proc/self/status").split(separator: "\n").filter { $0.hasPrefix("Cap") }
        .compactMap { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
      // A user other than root may not gain privileges, so capabilities that it could be given do not count.
      return sets.count < 5 || (geteuid() == 0 ? sets : Array(sets.prefix(3))).contains { $0 & ~4 != 0 }
    }

    private static func hasUnfilteredThread() -> Bool {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return tasks.isEmpty
        || tasks.contains { task in
          let status = contents("/proc/self/task/\(task)/status")
          return !status.contains("\nSeccomp:\t2\n") || !status.contains("\nNoNewPrivs:\t1\n")
        }
    }
  #endif
}
