import Dispatch
import Foundation
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into a request to stop; the second one ends the program at once, which
/// loses nothing, since every finished point is in the store already.
final class Interruption: @unchecked Sendable {
  // Sendable because the state is behind a lock and the sources are never touched after init.
  private struct State {
    var count = 0
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let sources: [any DispatchSourceSignal]

  /// Starts to listen. Until `perform` says otherwise the first signal ends the program.
  init() {
    let queue = DispatchQueue(label: "heicbench.signals")
    // The default action would end the program before the source hears of the signal.
    let signals = [SIGINT, SIGTERM, SIGHUP].filter { number in
      let previous = signal(number, SIG_IGN)
      // A program started with nohup keeps ignoring what it was told to ignore.
      return !(number == SIGHUP && Self.isIgnored(previous))
    }
    sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
    for source in sources {
      source.setEventHandler { [weak self] in self?.received() }
      source.activate()
    }
  }

  /// Calls `action` at the first signal, from another thread; at once when there was one before.
  func perform(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.action = action
      return state.count > 0
    }
    if isLate { action() }
  }

  private func received() {
    let (count, action) = state.withLock { state in
      state.count += 1
      return (state.count, state.action)
    }
    guard count == 1, let action else { exit(ExitStatus.interrupted.rawValue) }
    action()
  }

  private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
