import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

package final class PageServer: Sendable {
  package struct StartError: Error, CustomStringConvertible {
    package let description: String
  }

  let engine: ViewEngine
  let limits: ConnectionLimits
  let registry: ConnectionRegistry
  private let isIPv6: Bool
  private let port: UInt16
  private let token = RequestAuthorization.freshToken()

  /// - Parameter port: The port; 0 for any free one.
  package init(
    _ engine: ViewEngine, port: UInt16, isIPv6: Bool, limits: ConnectionLimits = ConnectionLimits()
  ) {
    (self.engine, self.port, self.isIPv6, self.limits) = (engine, port, isIPv6, limits)
    registry = ConnectionRegistry(limits)
  }

  private var host: String { isIPv6 ? "[::1]" : "127.0.0.1" }

  /// Serves until cancelled. `ready` receives the address, including the token, once connections are accepted.
  package func run(ready: @escaping @Sendable (String) -> Void) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      let channel = try await listen(group)
      ready("http://\(host):\(channel.localAddress?.port ?? 0)/\(token)/")
      try await withTaskCancellationHandler {
        try await channel.closeFuture.get()
      } onCancel: {
        channel.close(promise: nil)
      }
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
    try await group.shutdownGracefully()
  }

  private func listen(_ group: MultiThreadedEventLoopGroup) async throws -> any Channel {
    do {
      return try await ServerBootstrap(group: group)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // If no more files can be opened, a waiting connection would keep the loop awake.
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
          }
        }
        .childChannelInitializer { [self] channel in
          channel.eventLoop.makeCompletedFuture { try configure(channel) }
        }
        .bind(host: isIPv6 ? "::1" : "127.0.0.1", port: Int(port)).get()
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
      let what = port == 0 ? "a port" : "port \(port)"
      throw StartError(description: "cannot listen on \(what) of \(host): \(reason); try another --port")
    }
  }

  private func configure(_ channel: any Channel) throws {
    let authorization = RequestAuthorization(
      host: host, port: channel.localAddress?.port ?? 0, token: token)
    let connection = NIOLoopBound(PageConnection(self, authorization), eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: PageMessages.longestCommand,
      shouldUpgrade: { channel, head in
        let isAllowed = connection.value.mayHaveSocket(head, channel)
        return channel.eventLoop.makeSucceededFuture(isAllowed ? HTTPHeaders() : nil)
      },
      upgradePipelineHandler: { [engine] channel, _ in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(PageSocket(engine: engine))
        }
      })
    var decoder = NIOHTTPDecoderLimitConfiguration()
    decoder.maxHeaderFieldSize = limits.line
    decoder.maxHeaderListSize = limits.head
    let pipeline = channel.pipeline.syncOperations
    try pipeline.configureHTTPServerPipeline(
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { $0.pipeline.syncOperations.removeHandler(connection.value, promise: nil) }
      ), withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoder)
    try pipeline.addHandler(connection.value)
  }

  func answer(_ place: String, _ query: [String: String]) -> PageAnswer {
    switch place {
    case "socket": .plain(400, "not a WebSocket")
    case "file": file(query)
    case "" where engine.configuration.blindFolder != nil: PageFiles.blind
    default: PageFiles.file(at: place) ?? .plain(404, "there is nothing here")
    }
  }

  private func file(_ query: [String: String]) -> PageAnswer {
    guard let side = query["side"].flatMap(Side.init), let number = query["number"].flatMap({ Int($0) }),
      let file = engine.file(of: side, number: number)
    else { return .plain(404, "this file no longer exists; move the slider and try again") }
    // Keeps only characters that every system allows in a name; the picture's own name may contain anything.
    let name = String(
      file.name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    var answer = PageAnswer(type: "application/octet-stream", bytes: file.bytes)
    answer.headers.append(("Content-Disposition", "attachment; filename=\"\(name)\""))
    return answer
  }
}
