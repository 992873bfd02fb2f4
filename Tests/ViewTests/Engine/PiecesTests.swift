import Foundation
import Model
import Pixels
import Testing

@testable import View

/// The order of pieces, estimates, and what is dropped.
struct PiecesTests {
  @Test(arguments: [(1, 1), (512, 512), (513, 700), (4000, 3000)], [true, false])
  func piecesAreThePicture(size: (Int, Int), isSlow: Bool) {
    let (width, height) = size
    let pieces = PieceOrder.pieces(
      width: width, height: height, visible: PixelRegion(x: width / 2, y: 0, width: 1, height: 1),
      isSlow: isSlow)
    #expect(pieces.reduce(0) { $0 + $1.region.width * $1.region.height } == width * height)
    for (index, piece) in pieces.enumerated() {
      #expect(piece.region.fits(width: width, height: height))
      #expect(pieces[..<index].allSatisfy { $0.region.intersection(piece.region) == nil }, "none twice")
    }
  }

  @Test func whatIsOnTheScreenComesFirst() {
    let visible = PixelRegion(x: 2000, y: 1000, width: 600, height: 600)
    let pieces = PieceOrder.pieces(width: 4000, height: 3000, visible: visible, isSlow: true)
    let firstHidden = pieces.firstIndex { !$0.isVisible } ?? 0
    #expect(pieces[firstHidden...].allSatisfy { !$0.isVisible })
    #expect(pieces[..<firstHidden].allSatisfy { $0.region.intersection(visible) != nil })
    #expect(pieces[0].region.width == 256, "something to see before half a second is over")
  }

  private func estimate(_ pieces: [(Int, Int)], of total: Int, overhead: Int = 0) -> SizeEstimate? {
    SizeEstimate(pieces: pieces, ofPixels: total, overhead: overhead)
  }

  @Test func theHeadOfAFileCountsOnce() throws {
    let found = try #require(estimate(Array(repeating: (1000, 625), count: 4), of: 10_000, overhead: 500))
    #expect(found.bytes == 500 + 1250)
    #expect(found.margin == found.bytes * SizeEstimate.bias, "all pieces are alike")
  }

  @Test func fewPiecesGiveNoFigure() {
    #expect(estimate([], of: 10) == nil)
    #expect(estimate([(5, 5), (2, 1)], of: 10) == nil)
    #expect(estimate([(5, 5), (2, 1), (1, 1)], of: 10) != nil)
  }

  @Test func aPieceThatIsSmallerThanAHeadHasNoPicture() {
    #expect(estimate([(5, 90), (5, 80), (5, 70)], of: 15, overhead: 100)?.bytes == 100)
  }

  @Test func theMarginNarrowsToWhatPiecesCost() throws {
    let pieces = [(100, 10), (100, 30), (100, 20), (100, 25)]
    let few = try #require(estimate(Array(pieces.prefix(3)), of: 400))
    let all = try #require(estimate(pieces, of: 400))
    #expect(few.margin > all.margin)
    #expect(all.margin == 85 * SizeEstimate.bias, "the sum of pieces is not a file")
  }

  @Test func theOutboxDropsWhatHasBecomeStale() async {
    let ledger = Wanted()
    let outbox = Outbox { ledger.contains($0) }
    ledger.set([.move(.left, 1)])
    outbox.send(["a": 1], for: .move(.left, 1))
    ledger.set([.move(.left, 2)])
    outbox.send(["a": 2], for: .move(.left, 2))
    guard case .text(let text) = await outbox.next() else {
      Issue.record("no text")
      return
    }
    #expect(text == #"{"a":2}"#)
    outbox.close()
    #expect(await outbox.next() == nil)
  }

  @Test func theOutboxKeepsTheOrder() async {
    let outbox = Outbox { _ in true }
    var received: [String] = []
    for batch in 0..<3 {
      for number in 0..<4 { outbox.send([batch * 4 + number]) }
      // One fewer than have arrived, since later ones arrive while earlier ones wait.
      for _ in 0..<3 { if case .text(let text) = await outbox.next() { received.append(text) } }
    }
    for _ in 0..<3 { if case .text(let text) = await outbox.next() { received.append(text) } }
    #expect(received == (0..<12).map { "[\($0)]" })
  }

  /// A message that shows whether it still exists.
  private final class Held: Sendable, Encodable {}

  @Test func aClosedOutboxLetsGoOfWhatWaits() async {
    let outbox = Outbox { _ in true }
    weak var held: Held?
    do {
      let message = Held()
      held = message
      outbox.send(message)
    }
    #expect(held != nil)
    outbox.close()
    #expect(held == nil, "no reader is needed")
    outbox.send(["late": 1])
    #expect(await outbox.next() == nil)
  }

  @Test func whatIsServedOtherwiseWaitsForNoPage() async {
    let outbox = Outbox { _ in true }
    weak var held: Held?
    do {
      let message = Held()
      held = message
      outbox.send([0])
      outbox.send(message, for: .picture(1))
      outbox.send([1], for: .picture(2))
      // The first messages leave, and waiting ones are in both parts of the queue.
      _ = await outbox.next()
      outbox.send(message, for: .picture(1))
      outbox.send([2])
    }
    outbox.drop { $0 == .picture(1) }
    #expect(held == nil, "no reader is needed")
    for expected in ["[1]", "[2]"] {
      guard case .text(let text) = await outbox.next() else { continue }
      #expect(text == expected)
    }
  }

  @Test func theCacheLetsTheOldestGo() {
    var cache = ByteCache<Int, String>(limit: 100)
    for key in 0..<4 { cache.keep("\(key)", bytes: 30, for: key) }
    let oldest = cache.value(0)
    #expect(oldest == nil)
    #expect(cache.bytes == 90)
    _ = cache.value(1)
    cache.keep("4", bytes: 30, for: 4)
    let (used, unused) = (cache.value(1), cache.value(2))
    #expect(used != nil, "used a moment ago")
    #expect(unused == nil)
    cache.keep("large", bytes: 500, for: 9)
    let large = cache.value(9)
    #expect(large != nil, "the newest is always kept")
    #expect(cache.bytes == 500)
  }
}

/// The requested purposes, for any thread.
private final class Wanted: @unchecked Sendable {
  // Sendable because `purposes` is only touched under `lock`.
  private let lock = NSLock()
  private var purposes: Set<Purpose> = []

  func set(_ wanted: Set<Purpose>) { lock.withLock { purposes = wanted } }
  func contains(_ purpose: Purpose) -> Bool { lock.withLock { purposes.contains(purpose) } }
}
