import Foundation
import HeicBenchKit
import Synchronization
import Workers

/// Turns SIGINT, SIGTERM and SIGHUP into a request to stop. A second signal ends the program at once, which loses
/// nothing, since every finished point is already in the store.
///
/// One thread only waits for signals, and another acts on them. Both are created at the start: later the system may
/// refuse threads, and a hang must not keep signals from working.
final class Interruption: @unchecked Sendable {
  // Sendable because the semaphore may be shared.
  let cancellation = Cancellation()
  private let count = Atomic(0)
  private let isAsked = DispatchSemaphore(value: 0)

  init() throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !Self.isIgnored(number) {
      sigaddset(&signals, number)
    }
    // Later threads inherit the mask, so none of them gets the signals.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let set = signals
    // The database and its queues need five threads and would wait forever without them.
    try PlainThread.check(5)
    try PlainThread.start { [self] in
      var set = set
      var number: Int32 = 0
      while true { if sigwait(&set, &number) == 0 { received() } }
    }
    try PlainThread.start { [self] in
      isAsked.wait()
      cancellation.cancel()
    }
  }

  private func received() {
    let isFirst = count.add(1, ordering: .relaxed).oldValue == 0
    // Skips the handlers of `exit`, which might wait for something that hangs.
    guard isFirst, cancellation.hasAction else { _exit(ExitStatus.interrupted.rawValue) }
    isAsked.signal()
  }

  /// True if the program was started to ignore a signal, as by nohup; it keeps ignoring it.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if os(Linux)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
