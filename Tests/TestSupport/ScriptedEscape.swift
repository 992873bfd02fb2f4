import Foundation

/// What a codec that was taken over would try.
enum ScriptedEscape {
  /// The attempts that were not refused, with commas between; `fenced in` when all were.
  static func attempts() -> String {
    let made: [(name: String, succeeded: Bool)] = [
      ("write a file", writes(to: "/var/tmp/heicbench-escape")),
      ("write to the temporary folder", writes(to: "/tmp/heicbench-escape")),
      ("open a socket", socket(AF_INET, 1, 0) >= 0),
      ("start a program", starts("/bin/true")),
      ("kill the parent", kill(getppid(), 0) == 0),
      ("change a mode", chmod("/tmp", 0o1777) == 0),
    ]
    let open = made.filter(\.succeeded).map(\.name)
    return open.isEmpty ? "fenced in" : open.joined(separator: ", ")
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
}
