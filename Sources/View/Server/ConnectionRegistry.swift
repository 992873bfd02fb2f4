import NIOCore
import Synchronization

/// How much connections may send, and how long they may take.
package struct ConnectionLimits: Sendable {
  /// Bytes of the request's first line or of a header.
  package var line = 8 << 10
  /// Bytes of a request before its body.
  package var head = 32 << 10
  /// Seconds from its beginning within which a connection has to show the token.
  package var secondsToToken = 15.0
  /// Connections that may be there without having shown it.
  package var strangers = 64
  /// Uploads at a time.
  package var uploads = 4
  /// Bytes a second that an upload has to keep on average.
  package var uploadRate = 16.0 * 1024
  /// Seconds that an upload may fall behind that rate.
  package var uploadDelay = 15.0

  /// The limits of a view.
  package init() {}
}

/// The connections that have places of which there are few: those without the token, and uploads. Where all are taken,
/// the one that has least right to its place gives way, so that nobody can hold all of them.
final class ConnectionRegistry: Sendable {
  private struct Upload {
    var channel: any Channel
    var start: ContinuousClock.Instant
    var bytes = 0

    /// Seconds behind a rate in bytes per second.
    func delay(at rate: Double) -> Double { (.now - start) / .seconds(1) - Double(bytes) / rate }
  }

  private struct State {
    /// The oldest first.
    var strangers: [any Channel] = []
    var uploads: [Upload] = []
  }

  /// Seconds behind the rate from which on an upload gives way to another.
  private static let tolerance = 1.0

  private let limits: ConnectionLimits
  private let state = Mutex(State())

  init(_ limits: ConnectionLimits) { self.limits = limits }

  /// Enters a new connection. The oldest that has not shown the token gives way where there are too many.
  func admit(_ channel: any Channel) {
    let oldest: (any Channel)? = state.withLock { state in
      state.strangers.append(channel)
      return state.strangers.count > limits.strangers ? state.strangers.removeFirst() : nil
    }
    oldest?.close(promise: nil)
  }

  /// Notes that a connection has shown the token.
  func trust(_ channel: any Channel) {
    state.withLock { $0.strangers.removeAll { $0 === channel } }
  }

  /// Forgets a connection.
  func remove(_ channel: any Channel) {
    trust(channel)
    endUpload(channel)
  }

  /// Begins an upload; false where all places are taken by uploads that go on. Of those that do not, the one that is
  /// furthest behind gives way.
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

  /// Counts bytes of an upload.
  func count(_ bytes: Int, of channel: any Channel) {
    state.withLock { state in
      guard let index = state.uploads.firstIndex(where: { $0.channel === channel }) else { return }
      state.uploads[index].bytes += bytes
    }
  }

  /// Whether an upload has fallen too far behind.
  func isStalled(_ channel: any Channel) -> Bool {
    state.withLock { state in
      state.uploads.contains {
        $0.channel === channel && $0.delay(at: limits.uploadRate) > limits.uploadDelay
      }
    }
  }

  /// Gives the place of an upload free.
  func endUpload(_ channel: any Channel) {
    state.withLock { $0.uploads.removeAll { $0.channel === channel } }
  }
}
