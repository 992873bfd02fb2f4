import CodecKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Failures of the null codec, for end-to-end tests of the runner with real child processes.
enum NullFault: String, Sendable, CaseIterable {
  case none
  case error
  case crash
  case abort
  /// Ends the process with status 7 and without an answer.
  case exit
  /// Never returns, without using CPU time.
  case hang
  case slow
  /// Fills memory until a limit stops it, at most 8 GiB.
  case memory
  /// Writes a line to standard output, which is reserved for answers, and then works.
  case garbage

  func happen() throws(CodecError) {
    switch self {
    case .none: return
    case .error: throw .library(name: "null", message: "requested fault")
    case .crash: raise(SIGSEGV)
    case .abort: raise(SIGABRT)
    case .exit: _exit(7)
    case .hang: while true { sleep(60) }
    case .slow: usleep(500_000)
    case .memory: try fillMemory()
    case .garbage:
      let line = Array("no answer at all\n".utf8)
      _ = write(STDOUT_FILENO, line, line.count)
    }
  }

  private func fillMemory() throws(CodecError) {
    var blocks: [UnsafeMutableRawPointer] = []
    let size = 16 << 20
    defer { for block in blocks { free(block) } }
    for _ in 0..<512 {
      guard let block = malloc(size) else { throw .library(name: "null", message: "out of memory") }
      // Fills the memory, because untouched pages would not count.
      memset(block, 1, size)
      blocks.append(block)
    }
    throw .library(name: "null", message: "8 GiB filled and no limit reached")
  }
}
