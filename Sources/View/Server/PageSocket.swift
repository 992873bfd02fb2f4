import Foundation
import NIOCore
import NIOWebSocket

/// The page's WebSocket: texts in, texts and pixels out. A message is made when the socket takes it and not before,
/// so that a page that reads slowly costs no memory.
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

  /// Sends what there is for the page, one message after the other, until one of them has gone.
  private static func send(_ outbox: Outbox, to channel: any Channel) async {
    do {
      while let message = await outbox.next() { try await channel.writeAndFlush(frame(message)) }
    } catch {
      // A page that breaks the connection has gone.
    }
    channel.close(promise: nil)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if let outbox { engine.disconnect(outbox) }
  }

  /// Takes a frame. The page sends short texts and nothing else, masked, as browsers do; anything else is the end.
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
