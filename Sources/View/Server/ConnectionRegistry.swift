import NIOCore
import Synchronization
import Workers

package struct ConnectionLimits: Sendable {
  package var line = 8 << 10
  package var head = 32 << 10
  /// Seconds within which a new connection must present the token.
  package var secondsToToken = 15.0
  /// The most connections without the token; if the process may open only few files, a quarter of those.
  package var strangers = min(64, max(4, (ProcessLimit.openFiles.soft ?? 256) / 4))
  package var uploads = 4
  /// Bytes per second that an upload must average.
  package var uploadRate = 16.0 * 1024
  package var uploadDelay = 15.0

  package init() {}
}

/// The connections that compete for limited places: those without the token, and uploads. If all places are taken, the
/// connection with the weakest claim is closed, so that no client can hold them all.
final class ConnectionRegistry: Sendable {
  private struct Upload {
    var channel: any Channel
    var start: ContinuousClock.Instant
    var bytes = 0

    /// By how many seconds the upload is behind a rate in bytes per second.
    func delay(at rate: Double) -> Double { (.now - start) / .seconds(1) - Double(bytes) / rate }
  }

  private struct State {
    var strangers: [any Channel] = []
    var uploads: [Upload] = []
  }

  /// Seconds behind the rate from which an upload gives way to another.
  private static let tolerance = 1.0

  private let limits: ConnectionLimits
  private let state = Mutex(State())

  init(_ limits: ConnectionLimits) { self.limits = limits }

  /// Admits a connection. If too many have no token, the oldest of these is closed.
  func admit(_ channel: any Channel) {
    let oldest: (any Channel)? = state.withLock { state in
      state.strangers.append(channel)
      return state.strangers.count > limits.strangers ? state.strangers.removeFirst() : nil
    }
    oldest?.close(promise: nil)
  }

  func trust(_ channel: any Channel) {
    state.withLock { $0.strangers.removeAll { $0 === channel } }
  }

  func remove(_ channel: any Channel) {
    trust(channel)
    endUpload(channel)
  }

  /// Begins an upload; false if all places are taken by uploads that keep up. Otherwise the one furthest behind gives
  /// way.
  func beginUpload(_ channel: any Channel) -> Bool {
    let (isAdmitted, slowest): (Bool, (any Channel)?) = state.withLock { state in
      var slowest: (any Channel)?
      if state.uploads.count >= limits.uploads {
        let delays = state.uploads.map { $0.delay(at: limits.uploadRate) }
        guard let most = delays.indices.max(by: { delays[$0] < delays[$1] }), delays[most] > Self.tolerance
        else { return (false, nil) }
        slowest = state.uploads.remove(at: most).channel
      }
      state.uploads.append(Upload(channel: channel, start: .now))
      return (true, slowest)
    }
    slowest?.close(promise: nil)
    return isAdmitted
  }

  func count(_ bytes: Int, of channel: any Channel) {
    state.withLock { state in
      guard let index = state.uploads.firstIndex(where: { $0.channel === channel }) else { return }
      state.uploads[index].bytes += bytes
    }
  }

  func isStalled(_ channel: any Channel) -> Bool {
    state.withLock { state in
      state.uploads.contains {
        $0.channel === channel && $0.delay(at: limits.uploadRate) > limits.uploadDelay
      }
    }
  }

  func endUpload(_ channel: any Channel) {
    state.withLock { $0.uploads.removeAll { $0.channel === channel } }
  }
}
