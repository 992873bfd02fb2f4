import CProcessShim
import Foundation
import Model

/// Runs metric programs for a worker, which may not start any itself: a helper process that knows the commands, in its
/// own sandbox.
final class ProgramStarter {
  enum Problem: Error, Equatable, CustomStringConvertible {
    case cannotStart(String)
    /// The program ended with a status other than 0, or by a signal.
    case ended(TerminationStatus)
    case tooLong
    /// The program closed its output and kept running until its time was up.
    case wentOn
    case lost

    var description: String {
      switch self {
      case .cannotStart(let reason): "cannot be started: \(reason)"
      case .ended(.exited(let status)): "ended with status \(status)"
      case .ended(.signalled(let number)): "killed by \(TerminationStatus.name(ofSignal: number))"
      case .tooLong: "took too long"
      case .wentOn: "closed its output and kept running"
      case .lost: "ended together with the process that watches it"
      }
    }
  }

  /// The time within which a program that was told to end, and everything it has started, must have ended.
  private static let endingSeconds = 11.0

  let sandbox: SandboxStatus
  private let descriptor: Int32
  private var channel: LineChannel
  private let missing: Set<Int>
  /// True if the next answer may belong to an earlier command.
  private var isLost = false

  /// Starts the helper process; must run before the first thread and before the worker's sandbox. Each command is the
  /// list of words of one program, whose first word is looked up along `PATH`; no shell is involved. Programs may write
  /// to `folder` only.
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
    var (descriptor, status) = (Int32(-1), hb_sandbox_status())
    let refusal = SandboxStatus.withOptions(writable: [folder], allowsPrograms: true) { sandbox in
      programs.withUnsafeBufferPointer { programs in
        var options = hb_starter_options(
          commands: programs.baseAddress, count: programs.count, sandbox: sandbox)
        return hb_start_starter(&options, &descriptor, &status)
      }
    }
    guard refusal == 0 else { throw .cannotStart("\(SystemError(code: refusal))") }
    self.descriptor = descriptor
    channel = LineChannel(input: descriptor, output: descriptor)
    sandbox = SandboxStatus(status)
  }

  deinit { close(descriptor) }

  /// Runs a command and returns the end of its standard output if it succeeds. Nothing it starts outlives it.
  func output(of command: Int, within seconds: Double) throws(Problem) -> [UInt8] {
    guard !missing.contains(command) else { throw .cannotStart("\(SystemError.missing)") }
    guard !isLost else { throw .lost }
    let (end, printed): (hb_program_end, [UInt8])
    do { (end, printed) = try answer(to: UInt8(command), within: seconds) } catch {
      isLost = true
      throw .lost
    }
    guard end.was_lost == 0 else { throw .lost }
    if end.was_stopped != 0 { throw end.closed_output != 0 ? .wentOn : .tooLong }
    guard end.refusal == 0 else { throw .cannotStart("\(SystemError(code: end.refusal))") }
    let ending = TerminationStatus(waitStatus: end.status)
    guard ending == .exited(0) else { throw .ended(ending) }
    return printed
  }

  private func answer(
    to command: UInt8, within seconds: Double
  ) throws(LineChannel.Problem) -> (hb_program_end, [UInt8]) {
    try channel.write([command])
    do {
      try channel.waitForInput(until: MonotonicClock.deadline(in: seconds))
    } catch {
      guard error == .timedOut else { throw error }
      try channel.write([UInt8(HB_STOP_PROGRAM)])
      try channel.waitForInput(until: MonotonicClock.deadline(in: Self.endingSeconds))
    }
    let head = try channel.readBytes(MemoryLayout<hb_program_end>.size)
    let end = head.withUnsafeBytes { $0.loadUnaligned(as: hb_program_end.self) }
    guard end.length <= HB_KEPT_OUTPUT else { throw .tooLong }
    return (end, try channel.readBytes(Int(end.length)))
  }
}

extension SandboxStatus {
  init(_ status: hb_sandbox_status) {
    self.init(landlock: Int(status.landlock), seccomp: status.seccomp != 0)
  }

  /// Calls `body` with sandbox options: which folders may be written to, and whether programs may be started.
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
