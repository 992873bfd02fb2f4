package import Foundation
import Pixels
import Synchronization

/// Queues messages for the page. Pixels are cut out of their picture when their turn comes, and stale messages are
/// dropped then, which bounds memory however slowly a page reads.
package final class Outbox: Sendable {
  package enum Message: Sendable {
    case text(String)
    /// Pixels or a thumbnail (see docs/view.md).
    case binary(Data)
  }

  /// Pixels for the screen, four bytes each, shared and not copied.
  package struct Pixels: Sendable {
    var width: Int
    var height: Int
    /// Red, green, blue and alpha.
    var rgba: [UInt8]
  }

  enum Canvas: UInt8 {
    case original = 0
    case left = 1
    case right = 2
    case thumbnail = 3
  }

  private struct Entry: Sendable {
    var purpose: Purpose?
    var make: @Sendable () -> Message
  }

  private struct State {
    var entries: [Entry] = []
    var first = 0
    var waiting: CheckedContinuation<Message?, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())
  private let isWanted: @Sendable (Purpose) -> Bool
  /// Queue length beyond which messages are dropped: a page that reads so little is gone.
  private static let mostEntries = 100_000

  /// - Parameter isWanted: false for a stale purpose, whose messages are dropped.
  package init(isWanted: @escaping @Sendable (Purpose) -> Bool) { self.isWanted = isWanted }

  /// Adds a JSON message; one with a purpose is dropped once that is stale.
  package func send(_ event: some Encodable & Sendable, for purpose: Purpose? = nil) {
    add(Entry(purpose: purpose) { .text(PageMessages.text(event)) })
  }

  func send(
    _ pixels: Pixels, _ region: PixelRegion, at place: PixelRegion, to canvas: Canvas, id: Int,
    for purpose: Purpose
  ) {
    add(
      Entry(purpose: purpose) {
        .binary(PageMessages.pixels(pixels, region, at: place, canvas: canvas, id: id))
      })
  }

  /// The next message, awaited; nil once closed.
  package func next() async -> Message? {
    await withCheckedContinuation { continuation in
      let ready: Message?? = state.withLock { state in
        if let message = pop(&state) { return .some(message) }
        if state.isClosed { return .some(nil) }
        state.waiting?.resume(returning: nil)
        state.waiting = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.entries = []
      state.first = 0
      state.waiting?.resume(returning: nil)
      state.waiting = nil
    }
  }

  private func add(_ entry: Entry) {
    state.withLock { state in
      guard !state.isClosed, state.entries.count - state.first < Self.mostEntries else { return }
      state.entries.append(entry)
      if let waiting = state.waiting, let message = pop(&state) {
        state.waiting = nil
        waiting.resume(returning: message)
      }
    }
  }

  private func pop(_ state: inout State) -> Message? {
    while state.first < state.entries.count {
      let entry = state.entries[state.first]
      state.first += 1
      if state.first > 1024 || state.first == state.entries.count {
        state.entries.removeFirst(state.first)
        state.first = 0
      }
      if entry.purpose.map(isWanted) ?? true { return entry.make() }
    }
    return nil
  }
}
