import CProcessShim
import Foundation
import Model

/// Runs the programs of metrics for a worker, which may not start any itself: a helper process that knows the commands,
/// under a sandbox of its own.
final class ProgramStarter {
  /// The reasons why there is no usable output.
  enum Problem: Error, Equatable, CustomStringConvertible {
    case cannotStart(String)
    /// The program ended with a status other than 0, or by a signal.
    case ended(TerminationStatus)
    case tooLong
    /// The program closed its output and went on until its time was over.
    case wentOn
    /// The helper process was lost.
    case lost

    var description: String {
      switch self {
      case .cannotStart(let reason): "cannot be started: \(reason)"
      case .ended(.exited(let status)): "ended with status \(status)"
      case .ended(.signalled(let number)): "killed by \(TerminationStatus.name(ofSignal: number))"
      case .tooLong: "took too long"
      case .wentOn: "closed its output and went on"
      case .lost: "ended together with the process that watches it"
      }
    }
  }

  /// The time in which a program told to end, and all that it has started, must have ended.
  private static let endingSeconds = 11.0

  let sandbox: SandboxStatus
  private let channel: Int32
  /// Commands whose program does not exist.
  private let missing: Set<Int>
  /// True if the next answer may belong to an earlier command.
  private var isLost = false

  /// Starts the helper process; must run before the first thread and before the worker's sandbox. Each command is the
  /// words of one program, the first looked up along `PATH`; no shell is involved. Programs may write to `folder` only.
  init(_ commands: [[String]], folder: String) throws(Problem) {
    guard commands.count < HB_STOP_PROGRAM else { throw .cannotStart("too many metrics") }
    let paths = commands.map { $0.first.flatMap { ProgramFile.path(of: $0) } }
    missing = Set(paths.indices.filter { paths[$0] == nil })
    var held: [UnsafeMutablePointer<CChar>?] = []
    var lists: [UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>] = []
    defer {
      for text in held { free(text) }
      for list in lists { list.deallocate() }
    }
    let programs = zip(paths, commands).map { path, words in
      let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
      list.initialize(repeating: nil, count: words.count + 1)
      for (index, word) in words.enumerated() { list[index] = strdup(word) }
      let path = strdup(path ?? "")
      held += words.indices.map { list[$0] } + [path]
      lists.append(list)
      return hb_command(path: path, words: list)
    }
    var (channel, status) = (Int32(-1), hb_sandbox_status())
    let refusal = SandboxStatus.withOptions(writable: [folder], allowsPrograms: true) { sandbox in
      programs.withUnsafeBufferPointer { programs in
        var options = hb_starter_options(
          commands: programs.baseAddress, count: programs.count, sandbox: sandbox)
        return hb_start_starter(&options, &channel, &status)
      }
    }
    guard refusal == 0 else { throw .cannotStart("\(SystemError(code: refusal))") }
    self.channel = channel
    sandbox = SandboxStatus(status)
  }

  deinit { close(channel) }

  /// Runs a command and returns the end of its standard output if it succeeds. Nothing that it starts outlives it.
  func output(of command: Int, within seconds: Double) throws(Problem) -> [UInt8] {
    guard !missing.contains(command) else { throw .cannotStart("\(SystemError.missing)") }
    guard !isLost, send(UInt8(command)) else { throw .lost }
    if !wait(seconds: seconds) {
      guard send(UInt8(HB_STOP_PROGRAM)), wait(seconds: Self.endingSeconds) else {
        isLost = true
        throw .lost
      }
    }
    guard let (end, printed) = answer(), end.was_lost == 0 else { throw .lost }
    if end.was_stopped != 0 { throw end.closed_output != 0 ? .wentOn : .tooLong }
    guard end.refusal == 0 else { throw .cannotStart("\(SystemError(code: end.refusal))") }
    let ending = TerminationStatus(waitStatus: end.status)
    guard ending == .exited(0) else { throw .ended(ending) }
    return printed
  }

  private func send(_ byte: UInt8) -> Bool {
    while true {
      let count = withUnsafeBytes(of: byte) { write(channel, $0.baseAddress, 1) }
      if count == 1 { return true }
      guard count < 0, errno == EINTR else { return false }
    }
  }

  /// Waits for input or the end of the stream; false on timeout.
  private func wait(seconds: Double) -> Bool {
    let deadline = MonotonicClock.now() + Int64(min(seconds, 1e9) * 1e9)
    while true {
      let milliseconds = (deadline - MonotonicClock.now() + 999_999) / 1_000_000
      guard milliseconds > 0 else { return false }
      var entry = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, Int32(clamping: milliseconds)) > 0 { return true }
    }
  }

  private func answer() -> (hb_program_end, [UInt8])? {
    let size = MemoryLayout<hb_program_end>.size
    guard let head = bytes(size) else { return nil }
    let end = head.withUnsafeBytes { $0.loadUnaligned(as: hb_program_end.self) }
    guard end.length <= HB_KEPT_OUTPUT, let printed = bytes(Int(end.length)) else { return nil }
    return (end, printed)
  }

  private func bytes(_ count: Int) -> [UInt8]? {
    var taken: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: count)
    while taken.count < count {
      let wanted = count - taken.count
      let got = piece.withUnsafeMutableBytes { read(channel, $0.baseAddress, wanted) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else {
        isLost = true
        return nil
      }
      taken += piece[..<got]
    }
    return taken
  }
}

extension SandboxStatus {
  init(_ status: hb_sandbox_status) {
    self.init(landlock: Int(status.landlock), seccomp: status.seccomp != 0)
  }

  /// Calls `body` with sandbox options: the folders that may be written to, and whether programs may be started.
  static func withOptions<Result>(
    writable: [String], allowsPrograms: Bool, _ body: (UnsafePointer<hb_sandbox_options>) -> Result
  ) -> Result {
    let folders = writable.map { strdup($0) }
    defer { for folder in folders { free(folder) } }
    return folders.map { UnsafePointer($0) }.withUnsafeBufferPointer { list in
      var options = hb_sandbox_options(
        writable_folders: list.baseAddress, writable_count: list.count,
        allows_programs: allowsPrograms ? 1 : 0)
      return body(&options)
    }
  }
}
