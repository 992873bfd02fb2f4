import FlyingFox
import FlyingSocks
import Foundation
import Model
import Synchronization

/// The server of a view: on this machine, for one person.
package final class PageServer: Sendable {
  /// Why the page cannot be served.
  package struct StartError: Error, CustomStringConvertible {
    /// One sentence.
    package let description: String
  }

  private let engine: ViewEngine
  private let isIPv6: Bool
  private let port: UInt16
  private let door = Mutex<Door?>(nil)
  private let uploads = Mutex(0)
  private static let mostUploadsAtOnce = 4

  /// A server of this engine; port 0 takes a free one.
  package init(_ engine: ViewEngine, port: UInt16, isIPv6: Bool) {
    (self.engine, self.port, self.isIPv6) = (engine, port, isIPv6)
  }

  private var host: String { isIPv6 ? "[::1]" : "127.0.0.1" }

  /// Serves until it is cancelled. `ready` gets the address, token included, once connections are taken.
  package func run(ready: @escaping @Sendable (String) -> Void) async throws {
    while !Task.isCancelled {
      do {
        try await serve(ready)
      } catch {
        try Task.checkCancellation()
        guard door.withLock({ $0 != nil }) else {
          let what = port == 0 ? "a port" : "port \(port)"
          throw StartError(
            description:
              "cannot listen on \(what) of \(host): \(error.localizedDescription); try another --port")
        }
        // The system had no descriptor for one more connection. All are closed now, and the page comes back.
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  private func serve(_ ready: @escaping @Sendable (String) -> Void) async throws {
    let pool = ConnectionGuard(HTTPServer.defaultPool())
    let handler = ClosureHTTPHandler { [self] in await answer($0, pool) }
    let server = try server(pool, handler)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask { [self] in
        try await server.waitUntilListening(timeout: 30)
        try await announce(server, ready)
        // The group ends with the server.
        try await Task.sleep(for: .seconds(1 << 40))
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func server(_ pool: ConnectionGuard, _ handler: ClosureHTTPHandler) throws -> HTTPServer {
    // The second time, the port is that of the first.
    let port = door.withLock { $0?.port } ?? port
    func server(_ address: some SocketAddress) -> HTTPServer {
      HTTPServer(address: address, timeout: 60, pool: pool, logger: .disabled, handler: handler)
    }
    return isIPv6
      ? server(try sockaddr_in6.inet6(ip6: "::1", port: port))
      : server(try sockaddr_in.inet(ip4: "127.0.0.1", port: port))
  }

  private func announce(_ server: HTTPServer, _ ready: (String) -> Void) async throws {
    guard door.withLock({ $0 == nil }) else { return }
    let port: UInt16
    switch await server.listeningAddress {
    case .ip4(_, let given), .ip6(_, let given): port = given
    case .unix, nil: throw StartError(description: "the server listens nowhere")
    }
    let door = Door(host: host, port: port)
    self.door.withLock { $0 = door }
    ready("http://\(host):\(port)/\(door.token)/")
  }

  private func answer(_ request: HTTPRequest, _ pool: ConnectionGuard) async -> HTTPResponse {
    guard let door = door.withLock({ $0 }) else { return plain(503, "not yet") }
    let knock = Door.Knock(
      method: request.method.rawValue, path: request.target.path(),
      hosts: request.headers.values(for: .host), origins: request.headers.values(for: HTTPHeader("Origin")),
      sites: request.headers.values(for: HTTPHeader("Sec-Fetch-Site")))
    switch door.verdict(on: knock) {
    case .refused(let code): return plain(code, "no")
    case .open(let place):
      switch request.remoteAddress {
      case .ip4(_, let port), .ip6(_, let port): pool.trust(port)
      case .unix, nil: break
      }
      return await answer(request, place)
    }
  }

  private func answer(_ request: HTTPRequest, _ place: String) async -> HTTPResponse {
    if request.method == .PUT { return place == "upload" ? await upload(request) : plain(405, "no") }
    switch place {
    case "socket":
      let handler = WebSocketHTTPHandler(handler: PageSocket(engine: engine))
      return (try? await handler.handleRequest(request)) ?? plain(400, "no WebSocket")
    case "file": return file(request)
    default:
      guard let file = PageFiles.file(at: place) else { return plain(404, "there is nothing here") }
      return response(200, Data(file.bytes), type: file.type)
    }
  }

  /// The real file of a side, as the codec wrote it.
  private func file(_ request: HTTPRequest) -> HTTPResponse {
    guard let side = request.query["side"].flatMap(Side.init),
      let number = request.query["number"].flatMap({ Int($0) }),
      let file = engine.file(of: side, number: number)
    else { return plain(404, "this file is not there any more; move the slider and try again") }
    // Only what every system takes in a name; the picture's own may have anything in it.
    let name = String(
      file.name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    var answer = response(200, Data(file.bytes), type: "application/octet-stream")
    answer.headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"\(name)\""
    return answer
  }

  /// Takes a picture that was dropped into the page.
  private func upload(_ request: HTTPRequest) async -> HTTPResponse {
    guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length > 0 else {
      return plain(411, "a file has a length")
    }
    guard length <= ViewEngine.UploadLimit.file else {
      var answer = plain(413, "a file may have \(ViewEngine.UploadLimit.file >> 20) MiB")
      // Nobody reads the rest of it.
      answer.headers[.connection] = "close"
      return answer
    }
    let isFree = uploads.withLock { count in
      guard count < Self.mostUploadsAtOnce else { return false }
      count += 1
      return true
    }
    guard isFree else { return plain(503, "one file after the other, please") }
    defer { uploads.withLock { $0 -= 1 } }
    do {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(length)
      for try await part in request.bodySequence { bytes += part }
      guard bytes.count == length else { return plain(400, "the file is cut short") }
      let index = try engine.add(bytes, name: request.query["name"] ?? "")
      return response(200, Data("{\"picture\":\(index)}".utf8), type: "application/json")
    } catch let refusal as PageCommand.Refusal {
      return plain(413, refusal.description)
    } catch {
      return plain(400, "the file did not arrive")
    }
  }

  private func plain(_ code: Int, _ text: String) -> HTTPResponse {
    response(code, Data((text + "\n").utf8), type: "text/plain; charset=utf-8")
  }

  private func response(_ code: Int, _ body: Data, type: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: HTTPStatusCode(code, phrase: Self.phrases[code] ?? "Error"),
      headers: [
        .contentType: type,
        HTTPHeader("Content-Security-Policy"): Self.policy(door.withLock { $0 }),
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("Referrer-Policy"): "no-referrer",
        HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        HTTPHeader("Cache-Control"): "no-store",
      ], body: body)
  }

  /// What a page may do and load: its own files, its own socket, and pictures that it made itself.
  private static func policy(_ door: Door?) -> String {
    let sockets = door.map { $0.hosts.sorted().map { " ws://\($0)" }.joined() } ?? ""
    return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'\(sockets); "
      + "img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  private static let phrases = [
    200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    411: "Length Required", 413: "Content Too Large", 503: "Service Unavailable",
  ]
}
