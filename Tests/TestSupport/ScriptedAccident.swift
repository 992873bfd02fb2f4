import CodecKit
import Foundation
import Model

/// What can go wrong in a scripted codec.
enum ScriptedAccident {
  static func happen(_ script: ScriptedCodec.Script, _ settings: EncodeSettings) throws(CodecError) {
    switch script {
    case .crash: raise(SIGSEGV)
    case .crashOnce: crashUnless(exists: settings["file:mark"])
    case .hang: hang(after: settings["file:mark"])
    case .sleep: usleep(UInt32(clamping: (settings.integer("ms") ?? 0) * 1000))
    case .exit: _exit(7)
    case .stop: raise(SIGSTOP)
    case .resume: raise(SIGCONT)
    case .print: _ = write(STDOUT_FILENO, "a library talks to itself\n", 26)
    case .garbage: say("]]]\n")
    case .flood: while true { say(String(repeating: "[", count: 1 << 16)) }
    case .dribble: drip()
    case .lie: say(forgedAnswer + "\n")
    case .leave: leave()
    case .mutter: Thread.detachNewThread { while true { _ = write(STDERR_FILENO, "mutter\n", 7) } }
    case .allocate: allocate()
    case .allocateChecked:
      guard memory(1 << 40) != nil else { throw .library(name: "script", message: "no memory") }
    case .error: throw .library(name: "script", message: "it said no")
    case .unsupported: throw .unsupported("not this one")
    case .listDescriptors: throw .library(name: "script", message: descriptors())
    case .sandbox: throw .library(name: "script", message: ScriptedEscape.attempts())
    default: break
    }
  }

  /// The open descriptors and their targets: `0:/dev/null 1:/dev/null …`.
  private static func descriptors() -> String {
    (Int32(0)...300).compactMap { descriptor -> String? in
      guard fcntl(descriptor, F_GETFD) >= 0 else { return nil }
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      return target?.split(separator: ":").first.map(String.init) ?? "?"
    }.joined(separator: " ")
  }

  /// Writes a byte into a file, so that a test knows that the encode has begun, then hangs.
  private static func hang(after mark: String) {
    let file = open(mark, O_CREAT | O_WRONLY | O_APPEND, 0o600)
    _ = write(file, ".", 1)
    close(file)
    while true { sleep(1000) }
  }

  private static func crashUnless(exists path: String) {
    guard access(path, F_OK) != 0 else { return }
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    abort()
  }

  /// A reply that once ended a run, because its sizes were added.
  private static let forgedAnswer = """
    {"answer":{"attachment":0}}
    {"outcome":{"measured":{"_0":{"nativeQuality":50,"encodedBytes":-9223372036854775807,"encodedHash":"",\
    "repeatsAgree":true,"timing":{"conditions":"single","samples":{}},"figures":{},"scores":{},"failedScores":{},\
    "scoringCPUNanoseconds":0,"remarks":[]}}}}
    """

  /// Writes to the first open socket, which is the worker's own.
  private static func say(_ text: String) {
    for descriptor in Int32(3)...40 {
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
        _ = write(descriptor, text, text.utf8.count)
        return
      }
    }
  }

  /// Never ends a line and never falls silent.
  private static func drip() {
    while true {
      say("[")
      usleep(20_000)
    }
  }

  /// Moves to the run's own process group, where signals to the worker's group do not reach it, and stays there.
  private static func leave() {
    setpgid(0, getpgid(getppid()))
    while true { sleep(1000) }
  }

  /// This is a separate function because an optimiser removes memory that is never written.
  @inline(never)
  private static func memory(_ bytes: Int) -> UnsafeMutableRawPointer? { malloc(bytes) }

  private static func allocate() {
    var blocks: [[UInt8]] = []
    while blocks.count < 1 << 20 { blocks.append([UInt8](repeating: 1, count: 64 << 20)) }
  }
}
