import CProcessShim
import Foundation
import Model

enum TerminationStatus: Equatable {
  case exited(Int32)
  case signalled(Int32)

  /// The failure to record for a point whose worker ended like this. `starved` is true if the system has meanwhile
  /// killed a process for lack of memory; `said` is the worker's last line on standard error.
  func failure(memoryLimit: Int?, starved: Bool, said: String?) -> Failure {
    let addition = said.map { "; it said “\($0)”" } ?? ""
    switch self {
    case .exited(HB_EXIT_OUT_OF_MEMORY):
      return Failure(kind: .memory, message: Self.outOfMemory(limit: memoryLimit))
    case .exited(let status):
      return Failure(kind: .broken, message: "ended with status \(status)\(addition)")
    case .signalled(SIGKILL) where starved:
      return Failure(kind: .memory, message: "killed by the system, which ran out of memory")
    case .signalled(let number):
      return Failure(kind: .crash, message: "killed by \(Self.name(ofSignal: number))\(addition)")
    }
  }

  /// `over 2 GiB`, or `out of memory` if heicbench set no limit.
  static func outOfMemory(limit: Int?) -> String {
    limit.map { "over \(ByteSize.text($0))" } ?? "out of memory"
  }

  /// Waits up to `seconds` for a child to end, without collecting it; false on timeout. `descriptor` may be -1.
  static func comes(to process: pid_t, _ descriptor: Int32, within seconds: Double) -> Bool {
    let deadline = MonotonicClock.now() + Int64(seconds * 1e9)
    while true {
      var info = siginfo_t()
      let result = waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT | WNOHANG)
      if result == 0, info.si_signo != 0 { return true }
      // Already collected elsewhere, so there is nothing to wait for.
      if result != 0, errno != EINTR { return true }
      let left = (deadline - MonotonicClock.now()) / 1_000_000
      guard left > 0 else { return false }
      if descriptor >= 0 {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, Int32(clamping: left))
      } else {
        usleep(2000)
      }
    }
  }

  /// Waits for a process to end and lets `reap` collect it at the moment its number becomes free.
  static func wait(for process: pid_t, reap: (() -> Void) -> Void) -> TerminationStatus {
    var info = siginfo_t()
    // Does not collect the process yet: until then no other process can get its number, so a late kill cannot hit a
    // stranger.
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    var status: Int32 = 0
    reap { while waitpid(process, &status, 0) < 0, errno == EINTR {} }
    return TerminationStatus(waitStatus: status)
  }

  init(waitStatus status: Int32) {
    // The macros of wait.h: the low seven bits hold the signal, the next byte the status.
    let signal = status & 0x7f
    self = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  /// `SIGSEGV` for 11, `signal 34` if there is no name.
  static func name(ofSignal number: Int32) -> String {
    let names: [Int32: String] = [
      SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
      SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
      SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU",
      SIGXFSZ: "SIGXFSZ", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
    ]
    return names[number] ?? "signal \(number)"
  }
}
