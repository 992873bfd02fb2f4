import FlyingFox
import Foundation

/// The page's WebSocket: texts in, texts and pixels out. A message is made when the socket takes it and not before,
/// so that a page that reads slowly costs no memory.
struct PageSocket: WSHandler {
  let engine: ViewEngine

  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    let outbox = engine.connect()
    let reader = Task {
      do {
        for try await frame in client {
          guard receive(frame, outbox) else { break }
        }
      } catch {
        // A page that breaks the connection has gone.
      }
      engine.disconnect(outbox)
    }
    return AsyncStream {
      switch await outbox.next() {
      case .text(let text): return WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(text.utf8))
      case .binary(let data): return WSFrame(fin: true, opcode: .binary, mask: nil, payload: data)
      case nil:
        reader.cancel()
        return nil
      }
    }
  }

  /// Takes a frame; false where the conversation is over: the page sends short texts and nothing else.
  private func receive(_ frame: WSFrame, _ outbox: Outbox) -> Bool {
    guard frame.opcode == .text, frame.fin, frame.payload.count <= PageMessages.longestCommand
    else { return false }
    engine.receive(String(decoding: frame.payload, as: UTF8.self), from: outbox)
    return true
  }
}
