import Foundation

/// Runs a program to its end and takes what it prints.
enum CommandRun {
  /// Why there is no output to use.
  enum Problem: Error, Equatable, CustomStringConvertible {
    /// It cannot be started.
    case cannotStart(String)
    /// It ended with a status other than 0, or by a signal.
    case ended(WorkerEnding)
    /// It took longer than it may.
    case tooLong

    var description: String {
      switch self {
      case .cannotStart(let reason): "cannot be started: \(reason)"
      case .ended(.exited(let status)): "ended with status \(status)"
      case .ended(.signalled(let number)): "killed by \(WorkerEnding.name(ofSignal: number))"
      case .tooLong: "took too long"
      }
    }
  }

  /// What is kept of the output: its last part, where results stand.
  private static let kept = 1 << 16

  /// The end of what a program prints on standard output. The first word is looked for along `PATH`; no shell
  /// is involved.
  static func output(of words: [String], within seconds: Double) throws(Problem) -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .cannotStart("\(SystemError.last)") }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    defer { close(ends[0]) }
    let process = start(words, output: ends[1])
    close(ends[1])
    let started = try process.get()
    let deadline = MonotonicClock.now() + Int64(min(seconds, 1e9) * 1e9)
    let text = read(ends[0], until: deadline)
    if text == nil { kill(started, SIGKILL) }
    let ending = WorkerEnding.wait(for: started) { $0() }
    guard let text else { throw .tooLong }
    guard ending == .exited(0) else { throw .ended(ending) }
    return text
  }

  private static func start(_ words: [String], output: Int32) -> Result<pid_t, Problem> {
    let arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    guard let first = arguments[0] else { return .failure(.cannotStart("no program is named")) }
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if output != STDOUT_FILENO { posix_spawn_file_actions_addclose(&actions, output) }
    var process: pid_t = 0
    let error = posix_spawnp(&process, first, &actions, nil, arguments, environ)
    return error == 0 ? .success(process) : .failure(.cannotStart("\(SystemError(code: error))"))
  }

  /// The end of what comes until the writer closes its end; nil when the deadline passes first.
  private static func read(_ descriptor: Int32, until deadline: Int64) -> [UInt8]? {
    var tail: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let milliseconds = (deadline - MonotonicClock.now()) / 1_000_000
      guard milliseconds > 0 else { return nil }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Int32(clamping: milliseconds)) > 0 else { continue }
      let count = chunk.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return tail }
      if count > 0 { tail = (tail + chunk[..<count]).suffix(kept) }
      if count < 0, errno != EINTR { return tail }
    }
  }
}
