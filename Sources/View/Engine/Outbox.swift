package import Foundation
import Pixels
import Synchronization

/// Queues messages for the page. Pixels are copied out of their picture only when it is their turn, and stale messages
/// are dropped, so memory is bounded however slowly a page reads.
package final class Outbox: Sendable {
  package enum Message: Sendable {
    case text(String)
    /// Pixels or a thumbnail (see docs/lab/view.md).
    case binary(Data)
  }

  /// Pixels for the screen, four bytes each, shared without copying.
  package struct Pixels: Sendable {
    var width: Int
    var height: Int
    /// Red, green, blue and alpha.
    var rgba: [UInt8]

    var whole: PixelRegion { PixelRegion(x: 0, y: 0, width: width, height: height) }
  }

  enum Canvas: UInt8 {
    case original = 0
    case left = 1
    case right = 2
    case thumbnail = 3
    /// The planes of a blind trial: two for the left side, two for the right.
    case plane0 = 4
    case plane1 = 5
    case plane2 = 6
    case plane3 = 7

    static let planes: [Canvas] = [.plane0, .plane1, .plane2, .plane3]
  }

  private struct Entry: Sendable {
    var purpose: Purpose?
    var make: @Sendable () -> Message
  }

  private struct Queue: Sendable {
    /// The older part, the oldest last, and the newer part, the newest last.
    var leaving: [Entry] = []
    var coming: [Entry] = []
    var isClosed = false

    mutating func add(_ entry: Entry) {
      if !isClosed, leaving.count + coming.count < mostEntries { coming.append(entry) }
    }

    mutating func next() -> Entry? {
      if leaving.isEmpty {
        swap(&leaving, &coming)
        leaving.reverse()
      }
      return leaving.popLast()
    }
  }

  private let queue = Mutex(Queue())
  private let news: AsyncStream<Void>
  private let feed: AsyncStream<Void>.Continuation
  private let isWanted: @Sendable (Purpose) -> Bool
  /// The queue length beyond which messages are dropped; a page that reads this slowly is closed.
  private static let mostEntries = 100_000

  /// - Parameter isWanted: Returns false for a stale purpose, whose messages are dropped.
  package init(isWanted: @escaping @Sendable (Purpose) -> Bool) {
    self.isWanted = isWanted
    (news, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Adds a JSON message; if it has a purpose, it is dropped once that is stale.
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

  private func add(_ entry: Entry) {
    queue.withLock { $0.add(entry) }
    feed.yield()
  }

  /// Waits for the next message; nil once closed. Only one task at a time may call this.
  package func next() async -> Message? {
    repeat {
      while let entry = queue.withLock({ $0.next() }) {
        if entry.purpose.map(isWanted) ?? true { return entry.make() }
      }
    } while await news.first { true } != nil
    return nil
  }

  /// Drops waiting messages whose purpose has been served in another way, however slowly the page reads.
  func drop(where isDropped: (Purpose) -> Bool) {
    queue.withLock { queue in
      queue.leaving.removeAll { $0.purpose.map(isDropped) ?? false }
      queue.coming.removeAll { $0.purpose.map(isDropped) ?? false }
    }
  }

  /// Ends the messages and releases the pixels of those still waiting, however slowly the page reads. An event is the
  /// last message.
  package func close(after event: (any Encodable & Sendable)? = nil) {
    let last = event.map { event in Entry { .text(PageMessages.text(event)) } }
    queue.withLock { $0 = Queue(leaving: last.map { [$0] } ?? [], isClosed: true) }
    feed.yield()
    feed.finish()
  }
}
