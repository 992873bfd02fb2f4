import CProcessShim
import Foundation
import Model

/// Runs a program to its end and takes what it prints. Nothing that it starts outlives it.
enum CommandRun {
  /// Why there is no output to use.
  enum Problem: Error, Equatable, CustomStringConvertible {
    /// It cannot be started.
    case cannotStart(String)
    /// It ended with a status other than 0, or by a signal.
    case ended(WorkerEnding)
    /// It took longer than it may.
    case tooLong
    /// It closed its output, so that nothing more can come, and went on until its time was over.
    case wentOn
    /// What keeps it was lost.
    case lost

    var description: String {
      switch self {
      case .cannotStart(let reason): "cannot be started: \(reason)"
      case .ended(.exited(let status)): "ended with status \(status)"
      case .ended(.signalled(let number)): "killed by \(WorkerEnding.name(ofSignal: number))"
      case .tooLong: "took too long"
      case .wentOn: "closed its output and went on"
      case .lost: "ended together with the process that watches it"
      }
    }
  }

  /// What is kept of the output: its last part, where results stand.
  private static let kept = 1 << 16

  /// The end of what a program prints on standard output. The first word is looked for along `PATH`; no shell
  /// is involved.
  static func output(of words: [String], within seconds: Double) throws(Problem) -> [UInt8] {
    let deadline = MonotonicClock.now() + Int64(min(seconds, 1e9) * 1e9)
    let program = try start(words)
    // Also when it is running still: this ends it, with all that it has started.
    defer { withUnsafePointer(to: program) { hb_end_program($0) } }
    var isOpen = true
    var tail: [UInt8] = []
    while true {
      guard let ready = wait(program, isOpen: isOpen, until: deadline) else {
        throw isOpen ? .tooLong : .wentOn
      }
      if ready.output { isOpen = take(program.output, into: &tail) }
      // Its end is told when nobody is left who could print anything.
      if ready.end, !ready.output { break }
    }
    let end = try end(of: program)
    guard end.refusal == 0 else { throw .cannotStart("\(SystemError(code: end.refusal))") }
    let ending = WorkerEnding(waitStatus: end.status)
    guard ending == .exited(0) else { throw .ended(ending) }
    return tail
  }

  private static func start(_ words: [String]) throws(Problem) -> hb_program {
    guard let name = words.first else { throw .cannotStart("no program is named") }
    guard let path = ProgramFile.path(of: name) else { throw .cannotStart("\(SystemError.missing)") }
    let arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var program = hb_program()
    let refusal = hb_start_program(path, arguments, &program)
    guard refusal == 0 else { throw .cannotStart("\(SystemError(code: refusal))") }
    return program
  }

  /// Which of the two descriptors have something to read, or are closed; nil when the deadline passes first.
  private static func wait(
    _ program: hb_program, isOpen: Bool, until deadline: Int64
  ) -> (output: Bool, end: Bool)? {
    while true {
      let milliseconds = (deadline - MonotonicClock.now() + 999_999) / 1_000_000
      guard milliseconds > 0 else { return nil }
      var entries = [
        pollfd(fd: program.status, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen ? program.output : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&entries, 2, Int32(clamping: milliseconds)) > 0 else { continue }
      return (entries[1].revents != 0, entries[0].revents != 0)
    }
  }

  /// Reads some output; false at its end.
  private static func take(_ descriptor: Int32, into tail: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return count < 0 && errno == EINTR }
    tail = (tail + chunk[..<count]).suffix(kept)
    return true
  }

  private static func end(of program: hb_program) throws(Problem) -> hb_program_end {
    var end = hb_program_end()
    let size = MemoryLayout<hb_program_end>.size
    let count = withUnsafeMutableBytes(of: &end) { buffer in
      while true {
        let count = read(program.status, buffer.baseAddress, size)
        if count >= 0 || errno != EINTR { return count }
      }
    }
    guard count == size else { throw .lost }
    return end
  }
}
