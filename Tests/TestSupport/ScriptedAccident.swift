import BenchModel
import CodecKit
import Foundation

/// The things that go wrong in a scripted codec.
enum ScriptedAccident {
  static func happen(_ script: ScriptedCodec.Script, _ settings: EncodeSettings) throws(CodecError) {
    switch script {
    case .crash: raise(SIGSEGV)
    case .crashOnce: crashUnless(exists: settings["file:mark"])
    case .hang: while true { sleep(1000) }
    case .sleep: usleep(UInt32(clamping: (settings.integer("ms") ?? 0) * 1000))
    case .exit: _exit(7)
    case .stop: raise(SIGSTOP)
    case .resume: raise(SIGCONT)
    case .print: _ = write(STDOUT_FILENO, "a library talks to itself\n", 26)
    case .garbage: babble()
    case .allocate: allocate()
    case .allocateChecked:
      guard malloc(1 << 40) != nil else { throw .library(name: "script", message: "no memory") }
    case .error: throw .library(name: "script", message: "it said no")
    case .unsupported: throw .unsupported("not this one")
    case .listDescriptors: throw .library(name: "script", message: descriptors())
    case .fence: throw .library(name: "script", message: ScriptedEscape.attempts())
    default: break
    }
  }

  /// What is open, and what it is: `0:/dev/null 1:/dev/null …`.
  private static func descriptors() -> String {
    (Int32(0)...300).compactMap { descriptor -> String? in
      guard fcntl(descriptor, F_GETFD) >= 0 else { return nil }
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      return target?.split(separator: ":").first.map(String.init) ?? "?"
    }.joined(separator: " ")
  }

  private static func crashUnless(exists path: String) {
    guard access(path, F_OK) != 0 else { return }
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    abort()
  }

  /// Writes to every socket that there is, so to the worker's own.
  private static func babble() {
    for descriptor in Int32(3)...40 {
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
        _ = write(descriptor, "]]]\n", 4)
      }
    }
  }

  private static func allocate() {
    var blocks: [[UInt8]] = []
    while blocks.count < 1 << 20 { blocks.append([UInt8](repeating: 1, count: 64 << 20)) }
  }
}
