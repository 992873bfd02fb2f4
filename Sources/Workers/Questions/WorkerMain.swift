import CProcessShim
package import CodecKit
import Foundation
import Model

/// The worker's end: the hidden command `heicbench worker`.
package enum WorkerMain {
  /// Answers requests from standard input on standard output until the input ends, and returns the exit status.
  /// Descriptors 0 and 1 are moved out of the way first, so that library output cannot end up between the replies. The
  /// process sandboxes itself before it touches the first image.
  package static func run(registry: CodecRegistry, questions: [any Question.Type]) -> Int32 {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    guard input >= 0, output >= 0, silenceStandardStreams() else { return EX_OSERR }
    // libjpeg-turbo's TurboJPEG layer reads settings from these variables.
    for name in ["TJ_OPTIMIZE", "TJ_ARITHMETIC", "TJ_RESTART", "TJ_PROGRESSIVE"] { unsetenv(name) }
    hb_install_crash_handlers()
    // Exceeding the file size limit must be an error of the write and must not end the process.
    signal(SIGXFSZ, SIG_IGN)
    hb_fix_mapped_blocks(mappedBlock)
    var channel = LineChannel(input: input, output: output)
    do {
      try serve(&channel, input: input, registry, questions)
      return EX_OK
    } catch LineChannel.Problem.closed {
      return EX_OK
    } catch {
      return EX_PROTOCOL
    }
  }

  /// Blocks of half a MiB and more come from the system one by one, so that a call's need does not depend on what was
  /// freed before it. A lower threshold would cost time: HEIC tiles have planes of 256 KiB.
  private static let mappedBlock = 512 << 10

  private static func silenceStandardStreams() -> Bool {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return false }
    defer { close(null) }
    return dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0
  }

  private static func serve(
    _ channel: inout LineChannel, input: Int32, _ registry: CodecRegistry, _ questions: [any Question.Type]
  ) throws {
    let setup = try WorkerProtocol.message(WorkerSetup.self, from: channel.readLine())
    let (sandbox, session): (SandboxStatus, WorkerSession)
    do {
      guard setup.version == WorkerProtocol.version else {
        throw Refusal("this worker speaks version \(WorkerProtocol.version)")
      }
      let peak = PeakMemory()
      let external = try ExternalScorer(setup, writer: registry.writer)
      sandbox = SandboxStatus.withOptions(writable: setup.writableFolders, allowsPrograms: false) {
        SandboxStatus(hb_sandbox($0))
      }
      ParentWatch.start(input)
      session = try WorkerSession(setup: setup, registry: registry, peak: peak, external: external)
    } catch {
      return try channel.write(WorkerProtocol.line(ReplyHead.refusal("\(error)")))
    }
    try channel.write(
      WorkerProtocol.line(ReplyHead.answer(attachment: 0))
        + WorkerProtocol.line(Readiness(sandbox: sandbox)))
    try session.serve(&channel, questions)
  }
}

extension WorkerSetup {
  var writableFolders: [String] {
    [keepFolder, scratchFolder].compactMap { $0 }
  }
}

/// Ends a worker whose run has ended, even in the middle of an encode. The Linux kernel does so too
/// (`PR_SET_PDEATHSIG`); this works everywhere, and also for workers that were not started by the run's own thread.
enum ParentWatch {
  /// Watches the other end of a socket on a separate thread. Ignores pipes and files, whose writers may leave before
  /// their requests have been answered.
  static func start(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    // Without a thread, the kernel's own mechanism must do.
    try? PlainThread.start(stackSize: 1 << 16) {
      while true {
        // No events: a hang-up is always reported.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&entry, 1, -1) > 0 { _exit(EX_OK) }
      }
    }
  }
}
