import FlyingSocks
import Foundation
import Synchronization

/// Waits for sockets as another pool does, but neither for everybody nor for ever.
///
/// FlyingFox takes every connection and gives it all the time it wants. It waits through a pool, and a wait that
/// throws ends its connection: so this is the place for limits. A connection whose first request is none that the
/// door lets in, or takes too long, is closed; at most so many may be in that state. One that has shown the token
/// may stay.
final class ConnectionGuard: AsyncSocketPool {
  /// Connections without a token that may wait at a time; a browser opens seven.
  private static let most = 64
  /// Seconds that a connection may take to show the token.
  private static let patience = 15.0

  /// Connections by number, with the port at the other end, which tells one from the next that gets its number.
  private struct State {
    var strangers: [Int32: UInt16] = [:]
    var trusted: [Int32: UInt16] = [:]
    /// Ports that have shown the token, and whose number is not known yet.
    var shown: Set<UInt16> = []
    var waiting = 0
  }

  private let pool: any AsyncSocketPool
  private let state = Mutex(State())

  /// Guards a pool.
  init(_ pool: any AsyncSocketPool) { self.pool = pool }

  /// The connection from this port has shown the token.
  func trust(_ port: UInt16) { state.withLock { _ = $0.shown.insert(port) } }

  func prepare() async throws { try await pool.prepare() }

  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    guard let peer = try? socket.remotePeer() else {
      // The socket that listens has no other end, and waits as long as it takes.
      return try await pool.suspendSocket(socket, untilReadyFor: events)
    }
    let port =
      switch peer {
      case .ip4(_, let port), .ip6(_, let port): port
      case .unix: UInt16(0)
      }
    let file = socket.file.rawValue
    switch admit(file, port) {
    case .refused: throw SocketError.disconnected
    case .trusted: try await pool.suspendSocket(socket, untilReadyFor: events)
    case .stranger(let isNew):
      defer { state.withLock { $0.waiting -= 1 } }
      if isNew { expel(socket, peer, port) }
      try await pool.suspendSocket(socket, untilReadyFor: events)
    }
  }

  private enum Admission {
    case refused
    case trusted
    case stranger(isNew: Bool)
  }

  private func admit(_ file: Int32, _ port: UInt16) -> Admission {
    state.withLock { state in
      if state.shown.remove(port) != nil { state.trusted[file] = port }
      if state.trusted[file] == port { return .trusted }
      guard state.waiting < Self.most else { return .refused }
      state.waiting += 1
      let isNew = state.strangers.updateValue(port, forKey: file) != port
      return .stranger(isNew: isNew)
    }
  }

  /// Shuts a connection that has not shown the token when its time is over, also one that never stops sending.
  private func expel(_ socket: Socket, _ peer: Socket.Address, _ port: UInt16) {
    let file = socket.file.rawValue
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [self] in
      let isStranger = state.withLock { state in
        guard state.strangers[file] == port else { return false }
        state.strangers[file] = nil
        return state.trusted[file] != port && !state.shown.contains(port)
      }
      // The number may be another connection's by now, or no connection's.
      guard isStranger, (try? socket.remotePeer()) == peer else { return }
      shutdown(file, Int32(SHUT_RDWR))
    }
  }
}
