import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// An HTTP connection. It is closed without further reading if refused, and always if the token is late.
final class PageConnection: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private struct Upload {
    var name: String
    var bytes: [UInt8] = []
    var check: RepeatedTask
  }

  private let server: PageServer
  private let authorization: RequestAuthorization
  private var deadline: Scheduled<Void>?
  private var upload: Upload?
  private var isKeptAlive = false
  private var isOver = false

  init(_ server: PageServer, _ authorization: RequestAuthorization) {
    (self.server, self.authorization) = (server, authorization)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    server.registry.admit(channel)
    let patience = TimeAmount.milliseconds(Int64(server.limits.secondsToToken * 1000))
    deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    endUpload(context.channel)
    server.registry.remove(context.channel)
  }

  func mayHaveSocket(_ head: HTTPRequestHead, _ channel: any Channel) -> Bool {
    guard authorization.decision(on: .init(head)) == .allowed("socket") else { return false }
    trust(channel)
    return true
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    switch Self.unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let bytes):
      upload?.bytes.append(contentsOf: bytes.readableBytesView)
      if upload != nil { server.registry.count(bytes.readableBytes, of: context.channel) }
    case .end: finish(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A refused WebSocket also arrives as a normal request, which gets an answer.
    if !(error is NIOWebSocketUpgradeError) { context.close(promise: nil) }
  }

  private func trust(_ channel: any Channel) {
    deadline?.cancel()
    server.registry.trust(channel)
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let hasBody =
      head.headers.contains(name: "Content-Length") || head.headers.contains(name: "Transfer-Encoding")
    isKeptAlive = head.isKeepAlive
    switch authorization.decision(on: .init(head)) {
    case .refused(let code): respond(.plain(code, "no"), context, leavesBody: hasBody)
    case .allowed(let place):
      trust(context.channel)
      if head.method == .PUT, place == "upload" { return beginUpload(head, context) }
      let answer = head.method == .PUT ? .plain(405, "no") : server.answer(place, head.query)
      respond(answer, context, leavesBody: hasBody)
    }
  }

  private func beginUpload(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let (channel, registry) = (context.channel, server.registry)
    guard let length = head.headers.first(name: "Content-Length").flatMap({ Int($0) }) else {
      return respond(.plain(411, "the upload does not state its length"), context, leavesBody: true)
    }
    guard length > 0 else { return respond(.plain(400, "the file is empty"), context, leavesBody: true) }
    guard length <= ViewEngine.UploadLimit.file else {
      let text = "a file may have at most \(ViewEngine.UploadLimit.file >> 20) MiB"
      return respond(.plain(413, text), context, leavesBody: true)
    }
    guard registry.beginUpload(channel) else {
      return respond(.plain(503, "another upload is in progress"), context, leavesBody: true)
    }
    let check = context.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
      if registry.isStalled(channel) { channel.close(promise: nil) }
    }
    upload = Upload(name: head.query["name"] ?? "", check: check)
    upload?.bytes.reserveCapacity(length)
  }

  private func endUpload(_ channel: any Channel) {
    upload?.check.cancel()
    upload = nil
    server.registry.endUpload(channel)
  }

  /// Handles the end of a request; only uploads have waited for it.
  private func finish(_ context: ChannelHandlerContext) {
    guard let upload else { return }
    endUpload(context.channel)
    do {
      let index = try server.engine.add(upload.bytes, name: upload.name)
      respond(.json("{\"picture\":\(index)}"), context, leavesBody: false)
    } catch {
      respond(.plain(413, error.description), context, leavesBody: false)
    }
  }

  /// Sends an answer. With `leavesBody`, the rest of the request is not read and the connection ends after a moment, so
  /// that a client that is still sending can read the answer.
  private func respond(_ answer: PageAnswer, _ context: ChannelHandlerContext, leavesBody: Bool) {
    let channel = context.channel
    isOver = leavesBody || !isKeptAlive || answer.code >= 400
    var headers = HTTPHeaders(answer.headers + PageAnswer.safety(authorization.hosts))
    headers.add(name: "Content-Length", value: String(answer.body.readableBytes))
    if isOver { headers.add(name: "Connection", value: "close") }
    let status = HTTPResponseStatus(statusCode: answer.code)
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
    context.write(Self.wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
    let sent = context.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
    guard isOver else { return }
    guard leavesBody else { return sent.whenComplete { _ in channel.close(promise: nil) } }
    channel.setOption(.autoRead, value: false).whenFailure { _ in }
    context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
  }
}

extension HTTPRequestHead {
  /// The query's values by name; for a repeated name, the first.
  fileprivate var query: [String: String] {
    let items = URLComponents(string: uri)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
  }
}

extension RequestAuthorization.Request {
  fileprivate init(_ head: HTTPRequestHead) {
    let path = head.uri.prefix { $0 != "?" }
    self.init(
      method: head.method.rawValue, path: String(path), hosts: head.headers["Host"],
      origins: head.headers["Origin"], sites: head.headers["Sec-Fetch-Site"],
      isNavigation: head.headers["Sec-Fetch-Mode"] == ["navigate"]
        && head.headers["Sec-Fetch-Dest"] == ["document"])
  }
}
