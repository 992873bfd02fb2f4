package import Model
package import Pixels

package enum Side: String, Sendable, Hashable, Codable, CaseIterable {
  case left, right

  var canvas: Outbox.Canvas { self == .left ? .left : .right }
}

/// A quality to search for.
enum Goal: Sendable, Hashable {
  /// The lowest quality with at least this SSIMULACRA2.
  case score(Double)
  /// The quality whose SSIMULACRA2 is nearest to this; a score within this many points ends the search.
  case nearestScore(Double, within: Double)
  /// The highest quality with at most this many bytes.
  case bytes(Int)

  var isNearest: Bool { if case .nearestScore = self { true } else { false } }
}

/// A request to show something on one side. A newer move of a side makes all its older ones stale.
package struct Move: Sendable, Hashable {
  package var side: Side
  /// The page increments it.
  package var number: Int
  package var picture: Int
  package var variant: CodecVariant
  /// The quality to show or, with a goal, the first to try.
  var quality: Quality
  var goal: Goal?
  package var visible: PixelRegion
  /// False if the whole file should replace a similar picture on this side in one step.
  var showsPieces = true
  /// True if the slider is at rest; the whole file is then also made as one frame.
  package var isSettled: Bool

  var purpose: Purpose { .move(side, number) }
}

/// The purpose of a piece of work, which decides whether it is still wanted.
package enum Purpose: Sendable, Hashable {
  case move(Side, Int)
  /// The picture itself, which is shown or prepared as a neighbour.
  case picture(Int)
  case thumbnail(Int)
  /// A blind test, from its files to its result.
  case blind(BlindCommand.Begin)
}

struct CurrentMove: Sendable {
  var move: Move
  let start = ContinuousClock.now
  /// The preparation of its picture, once the move has begun.
  var begun: Preparation?
  var progress = MoveProgress(total: 0)
  var hasFailed = false
}

struct MoveProgress: Sendable {
  var total: Int
  private(set) var pieces: [(pixels: Int, bytes: Int)] = []
  private var regions: Set<PixelRegion> = []
  /// CPU milliseconds of the pieces.
  var encodeCPU = 0.0
  /// Milliseconds from the move's arrival to its first decoded pixels.
  var firstMilliseconds: Double?

  init(total: Int) { self.total = total }

  /// Enters a piece; false if it was already there.
  mutating func enter(_ region: PixelRegion, bytes: Int) -> Bool {
    guard regions.insert(region).inserted else { return false }
    pieces.append((region.width * region.height, bytes))
    return true
  }
}

/// The current moves: the only place that decides what is stale.
package struct MoveLedger: Sendable {
  package private(set) var picture: Int?
  private var highest: [Side: Int] = [:]
  /// The newest move on each side; none after a change of picture.
  private(set) var current: [Side: CurrentMove] = [:]
  private var thumbnails: Set<Int> = []
  /// The picture shown and its neighbours, which are prepared in advance.
  private var near: Set<Int> = []
  /// The preparation of the picture that the page has; nil before it is open.
  private var opened: Preparation?
  /// The blind test that is being prepared or running.
  var blind: BlindCommand.Begin?

  package init() {}

  /// Turns to a picture out of `count`; earlier moves become stale.
  package mutating func show(_ index: Int, of count: Int) {
    (picture, opened) = (index, nil)
    near = Set((index - 1...index + 1).filter { (0..<count).contains($0) })
    current = [:]
  }

  /// Returns true if the page should get a picture now: it is shown, and the page does not have it in this preparation.
  /// One that is turned to while it is prepared ahead is opened twice, and the page clears its sides each time.
  package mutating func open(_ index: Int, _ preparation: Preparation) -> Bool {
    guard index == picture, opened != preparation else { return false }
    opened = preparation
    return true
  }

  /// Accepts a move; false if it is not newer than an accepted one, or is about another picture.
  package mutating func take(_ move: Move) -> Bool {
    guard move.number > highest[move.side, default: 0], move.picture == picture else { return false }
    highest[move.side] = move.number
    current[move.side] = CurrentMove(move: move)
    return true
  }

  /// Makes a side's move stale.
  mutating func clear(_ side: Side) { current[side] = nil }

  /// Returns true if a move should be carried out now; false if it is stale or has begun. A move and its picture may
  /// arrive in either order or at the same time; the second begins the move.
  package mutating func begin(_ move: Move, _ preparation: Preparation) -> Bool {
    guard wants(move.purpose), !hasBegun(move, preparation) else { return false }
    current[move.side]?.begun = preparation
    return true
  }

  package func hasBegun(_ move: Move, _ preparation: Preparation) -> Bool {
    current[move.side].map { $0.move.number == move.number && $0.begun == preparation } ?? false
  }

  /// The move of a side whose slider has come to rest; nil if it is stale or already settled.
  mutating func settle(_ side: Side, _ number: Int) -> Move? {
    guard let move = current[side]?.move, move.number == number, !move.isSettled else { return nil }
    current[side]?.move.isSettled = true
    return current[side]?.move
  }

  /// Makes a failed move stale, since its remaining work is useless.
  mutating func fail(_ side: Side, _ number: Int) {
    if current[side]?.move.number == number { current[side]?.hasFailed = true }
  }

  mutating func set(_ progress: MoveProgress, of side: Side) { current[side]?.progress = progress }

  package mutating func want(thumbnails: [Int]) { self.thumbnails = Set(thumbnails) }

  package func wants(_ purpose: Purpose) -> Bool {
    switch purpose {
    case .move(let side, let number):
      current[side].map { $0.move.number == number && !$0.hasFailed } ?? false
    case .picture(let index): near.contains(index)
    case .thumbnail(let index): thumbnails.contains(index)
    case .blind(let begin): blind == begin
    }
  }
}
