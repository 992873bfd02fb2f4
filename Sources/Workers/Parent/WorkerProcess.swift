import CProcessShim
import Foundation
package import Model

/// The run's end of a worker: a child process that answers requests over a socket. One thread at a time asks; any
/// thread may call `kill` at any time.
package final class WorkerProcess: @unchecked Sendable {
  // Sendable because all state that `kill` shares with the asking thread is under `lock`.

  package static let commandLine = ["heicbench", "worker"]
  /// The time limit for a worker to become ready, seconds. Machines can be slow under load.
  private static let readyWithin = 60.0

  private(set) var sandbox = SandboxStatus(landlock: 0, seccomp: false)

  private let requiresSandbox: Bool
  private let setup: WorkerSetup
  private let process: pid_t
  private let processDescriptor: Int32
  private let socket: Int32
  private let logDescriptor: Int32
  private let kernelKills: Int?
  private var channel: LineChannel
  private var log: WorkerLog
  private let lock = NSLock()
  private var isReaped = false

  /// Starts a worker; call `begin` before anything else. A build's libraries replace the system's.
  init(_ configuration: RunnerConfiguration, _ setup: WorkerSetup, build: LibraryBuild?) throws {
    (requiresSandbox, self.setup) = (configuration.requiresSandbox, setup)
    kernelKills = OutOfMemoryKills.count()
    let ends = try Self.makeEnds()
    defer {
      close(ends.childSocket)
      close(ends.childLog)
    }
    let started: Int32
    do {
      started = try SpawnThread.run { Self.spawn(configuration, setup, build, ends) }
      guard started > 0 else {
        throw WorkerStartError(
          refused: "start a worker from \(configuration.workerExecutable)", SystemError(code: -started))
      }
    } catch {
      close(ends.socket)
      close(ends.log)
      throw error
    }
    process = started
    processDescriptor = hb_open_process(started)
    socket = ends.socket
    logDescriptor = ends.log
    channel = LineChannel(input: ends.socket, output: ends.socket)
    log = WorkerLog(descriptor: ends.log)
  }

  deinit {
    kill()
    reap()
    close(socket)
    close(logDescriptor)
    if processDescriptor >= 0 { close(processDescriptor) }
  }

  package func begin() throws(WorkerStartError) {
    let ready: Readiness
    do {
      ready = try converse(within: Self.readyWithin) { deadline in
        try channel.write(WorkerProtocol.line(setup), deadline: deadline)
        let head = try WorkerProtocol.message(ReplyHead.self, from: channel.readLine(deadline: deadline))
        switch head {
        case .answer: break
        case .refusal(let reason): throw Refusal(reason)
        case .failure(let failure): throw Refusal(failure.message)
        }
        return try WorkerProtocol.message(Readiness.self, from: channel.readLine(deadline: deadline))
      }
    } catch {
      throw WorkerStartError(
        description: "a worker did not start: \(error.message)",
        wasKilled: error.kind == .crash || error.kind == .memory)
    }
    guard ready.version == WorkerProtocol.version else {
      throw WorkerStartError(
        description: "the worker speaks version \(ready.version) instead of \(WorkerProtocol.version)")
    }
    guard (0...1000).contains(ready.sandbox.landlock) else {
      throw WorkerStartError(
        description: "a worker did not start: it \(AnswerCheck.Invalid(detail: "its sandbox"))")
    }
    sandbox = ready.sandbox
    guard let lacking = sandbox.lacking else { return }
    guard !requiresSandbox else { throw WorkerStartError(lacking: lacking) }
    SandboxNotice.give(lacking: lacking)
  }

  /// Asks and waits up to `seconds` for the answer or the reason why there is none. Throws a `Failure` if
  /// the worker is lost; it cannot be used again.
  package func ask<Asked: Question>(
    _ question: Asked, _ attachment: [UInt8] = [], within seconds: Double
  ) throws(Failure) -> Response<Asked.Answer> {
    try converse(within: seconds) { deadline in
      let head = QuestionHead(question: Questions.name(Asked.self), attachment: attachment.count)
      let lines = try WorkerProtocol.line(head) + WorkerProtocol.line(question)
      try channel.write(lines, deadline: deadline)
      try channel.write(attachment, deadline: deadline)
      return try question.response(by: AnswerCheck(setup)) {
        defer { log.drain() }
        return try channel.readLine(deadline: deadline)
      } bytes: { count in
        try channel.readBytes(count, deadline: deadline)
      }
    }
  }

  /// Sends a message and reads the answer within `seconds`. Any error ends the worker.
  private func converse<Answer>(
    within seconds: Double, _ body: (_ deadline: Int64) throws -> Answer
  ) throws(Failure) -> Answer {
    do {
      return try body(MonotonicClock.deadline(in: seconds))
    } catch LineChannel.Problem.timedOut {
      throw killed(.timeout, "no answer in \(Self.text(seconds: seconds)) s")
    } catch LineChannel.Problem.closed {
      // It closed its end, so it is either ending or misbehaving.
      throw ending(graceSeconds: 5)
    } catch let refusal as Refusal {
      throw killed(.broken, AnswerCheck(setup).clean(refusal.description))
    } catch let answer as AnswerCheck.Invalid {
      throw killed(.broken, answer.description)
    } catch {
      throw killed(.broken, "gave an unreadable answer")
    }
  }

  /// Ends the worker, and returns the reason for it.
  private func killed(_ kind: Failure.Kind, _ message: String) -> Failure {
    kill()
    reap()
    return Failure(kind: kind, message: message)
  }

  /// Ends the worker and its children at once. Harmless if it has already ended.
  package func kill() {
    lock.withLock {
      if !isReaped { hb_kill_process(process, processDescriptor) }
    }
  }

  private func ending(graceSeconds: Double) -> Failure {
    let isOurs = !TerminationStatus.comes(to: process, processDescriptor, within: graceSeconds)
    if isOurs { kill() }
    let ending = reap()
    log.drain()
    guard !isOurs, let ending else {
      return Failure(kind: .broken, message: "closed its output and kept running")
    }
    return ending.failure(
      memoryLimit: setup.memoryLimit, starved: OutOfMemoryKills.count() ?? 0 > kernelKills ?? 0,
      said: log.lastLine)
  }

  /// Collects a worker that has ended or was killed. One that the kernel does not release, asleep in a driver or a
  /// vanished file system, is abandoned.
  @discardableResult
  private func reap() -> TerminationStatus? {
    guard lock.withLock({ !isReaped }), TerminationStatus.comes(to: process, processDescriptor, within: 10)
    else { return nil }
    return TerminationStatus.wait(for: process) { collect in
      lock.withLock {
        _ = Foundation.kill(-process, SIGKILL)
        collect()
        isReaped = true
      }
    }
  }

  private static func text(seconds: Double) -> String {
    seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds))" : "\((seconds * 10).rounded() / 10)"
  }
}

extension WorkerProcess {
  private struct Ends: Sendable {
    var socket: Int32
    var childSocket: Int32
    var log: Int32
    var childLog: Int32
  }

  private static func makeEnds() throws(WorkerStartError) -> Ends {
    var sockets: [Int32] = [-1, -1]
    var pipes: [Int32] = [-1, -1]
    let refusal = hb_make_ends(&sockets, &pipes)
    guard refusal == 0 else {
      throw WorkerStartError(refused: "start a worker", SystemError(code: refusal))
    }
    return Ends(socket: sockets[0], childSocket: sockets[1], log: pipes[0], childLog: pipes[1])
  }

  private static func spawn(
    _ configuration: RunnerConfiguration, _ setup: WorkerSetup, _ build: LibraryBuild?, _ ends: Ends
  ) -> Int32 {
    let arguments = commandLine.map { strdup($0) } + [nil]
    let environment = WorkerEnvironment.variables(build: build).map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    func spawn(_ sandbox: UnsafePointer<hb_sandbox_options>?) -> Int32 {
      configuration.workerExecutable.withCString { executable in
        arguments.withUnsafeBufferPointer { arguments in
          environment.withUnsafeBufferPointer { environment in
            var options = hb_spawn_options(
              executable: executable, arguments: arguments.baseAddress, environment: environment.baseAddress,
              channel: ends.childSocket, log: ends.childLog,
              memory_limit: UInt64(clamping: setup.memoryLimit ?? 0),
              niceness: Int32(clamping: configuration.niceness), sandbox: sandbox)
            return hb_spawn(&options)
          }
        }
      }
    }
    // A build's libraries run their own code while they are loaded, before the worker can sandbox itself.
    guard build != nil else { return spawn(nil) }
    return SandboxStatus.withOptions(writable: setup.writableFolders, allowsPrograms: true) { spawn($0) }
  }
}
