import NIOCore
import NIOWebSocket

/// The page's WebSocket: texts in, texts and pixels out. To bound memory, messages are created when the socket can take
/// them.
final class PageSocket: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let engine: ViewEngine
  private var outbox: Outbox?

  init(engine: ViewEngine) { self.engine = engine }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    let outbox = engine.connect()
    self.outbox = outbox
    Task { await PageSocket.send(outbox, to: channel) }
  }

  private static func send(_ outbox: Outbox, to channel: any Channel) async {
    do {
      while let message = await outbox.next() { try await channel.writeAndFlush(frame(message)) }
    } catch {
      // The page closed the connection.
    }
    channel.close(promise: nil)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if let outbox { engine.disconnect(outbox) }
  }

  /// Handles a frame. Pages send only short texts, masked the way browsers do; anything else closes the connection.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    let isPlain = frame.maskKey != nil && !frame.rsv1 && !frame.rsv2 && !frame.rsv3
    guard isPlain, frame.fin, frame.opcode == .text, let outbox else {
      return context.close(promise: nil)
    }
    engine.receive(String(buffer: frame.unmaskedData), from: outbox)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private static func frame(_ message: Outbox.Message) -> WebSocketFrame {
    switch message {
    case .text(let text): WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    case .binary(let data): WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: data))
    }
  }
}
