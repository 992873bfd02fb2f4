package import Model
package import Pixels

/// One of the two pictures that are compared.
package enum Side: String, Sendable, Hashable, Codable, CaseIterable {
  case left, right
}

/// What a move is after.
package enum Aim: Sendable, Hashable {
  /// This place on the quality axis.
  case quality(Quality)
  /// The lowest quality with at least this SSIMULACRA 2.
  case score(Double)
  /// The quality whose SSIMULACRA 2 is nearest to this.
  case nearestScore(Double)
  /// The highest quality with at most so many bytes.
  case bytes(Int)
}

/// What one side is asked to show. A newer move of a side makes all older ones of it stale.
package struct Move: Sendable, Hashable {
  /// Which side.
  package var side: Side
  /// Its number, which the page counts up.
  package var number: Int
  /// The picture's index.
  package var picture: Int
  /// Codec and settings.
  package var variant: CodecVariant
  /// What it is after.
  package var aim: Aim
  /// The part of the picture that is on the screen.
  package var visible: PixelRegion
  /// Whether the slider rests: then the whole file is made as one frame, too.
  package var isSettled: Bool
}

/// What a piece of work is for, which decides whether anyone still wants it.
package enum Purpose: Sendable, Hashable {
  /// Pixels and figures of a move.
  case move(Side, Int)
  /// The picture itself, to be shown, or to be there when it is paged to.
  case picture(Int)
  /// A cell of the gallery.
  case thumbnail(Int)
}

/// Which moves count: the one place that says what is stale.
package struct MoveLedger: Sendable {
  /// The picture that is shown; nil before the first.
  package private(set) var picture: Int?
  private var highest: [Side: Int] = [:]
  /// The move that each side shows; none after another picture was turned to.
  private var current: [Side: Int] = [:]
  /// The moves that are carried out, and over which preparation of their picture.
  private var begun: [Side: (number: Int, preparation: Preparation)] = [:]
  private var thumbnails: Set<Int> = []
  /// Pictures that are shown, or prepared because they are next to it.
  private var near: Set<Int> = []

  /// Begins with nothing.
  package init() {}

  /// Turns to a picture, of so many. Moves made before are stale from now on.
  package mutating func show(_ index: Int, of count: Int) {
    picture = index
    near = Set((index - 1...index + 1).filter { (0..<count).contains($0) })
    current = [:]
  }

  /// Takes a move; false where it is no newer than one that was taken before, or about another picture.
  package mutating func take(_ move: Move) -> Bool {
    guard move.number > highest[move.side, default: 0], move.picture == picture else { return false }
    highest[move.side] = move.number
    current[move.side] = move.number
    return true
  }

  /// Whether a move is to be carried out now; false where it is stale, and where that has begun. A move and the picture
  /// that it is about come in any order and at the same time, and whichever comes second begins it.
  package mutating func begin(_ move: Move, _ preparation: Preparation) -> Bool {
    guard wants(.move(move.side, move.number)), !hasBegun(move, preparation) else { return false }
    begun[move.side] = (move.number, preparation)
    return true
  }

  /// Whether a move is carried out over its picture so prepared.
  package func hasBegun(_ move: Move, _ preparation: Preparation) -> Bool {
    begun[move.side].map { $0.number == move.number && $0.preparation == preparation } ?? false
  }

  /// Sets which cells of the gallery are wanted.
  package mutating func want(thumbnails: [Int]) { self.thumbnails = Set(thumbnails) }

  /// Whether somebody still wants what comes of a piece of work.
  package func wants(_ purpose: Purpose) -> Bool {
    switch purpose {
    case .move(let side, let number): current[side] == number
    case .picture(let index): near.contains(index)
    case .thumbnail(let index): thumbnails.contains(index)
    }
  }
}
