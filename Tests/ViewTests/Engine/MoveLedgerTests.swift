import Model
import Pixels
import Testing

@testable import View

/// Which moves count.
struct MoveLedgerTests {
  private func move(_ side: Side, _ number: Int, picture: Int = 0) -> Move {
    Move(
      side: side, number: number, picture: picture, variant: CodecVariant(codec: "jpeg"),
      quality: 0.5, goal: .score(70),
      visible: PixelRegion(x: 0, y: 0, width: 1, height: 1), isSettled: true)
  }

  @Test func onlyTheNewestMoveOfASideIsWanted() {
    var ledger = MoveLedger()
    ledger.show(0, of: 3)
    let taken = [move(.left, 1), move(.right, 2), move(.left, 5)].map { ledger.take($0) }
    #expect(taken == [true, true, true])
    #expect(!ledger.wants(.move(.left, 1)))
    #expect(ledger.wants(.move(.left, 5)))
    #expect(ledger.wants(.move(.right, 2)), "the other side continues")
  }

  @Test func whatComesLateOrTwiceIsNotTaken() {
    var ledger = MoveLedger()
    ledger.show(0, of: 1)
    let taken = [7, 7, 6].map { ledger.take(move(.left, $0)) }
    #expect(taken == [true, false, false])
    #expect(ledger.wants(.move(.left, 7)))
  }

  @Test func anotherPictureMakesEveryMoveStale() {
    var ledger = MoveLedger()
    ledger.show(0, of: 9)
    let first = ledger.take(move(.left, 1))
    #expect(first)
    ledger.show(5, of: 9)
    #expect(!ledger.wants(.move(.left, 1)))
    let taken = [move(.left, 2, picture: 0), move(.left, 3, picture: 5)].map { ledger.take($0) }
    #expect(taken == [false, true], "only for the picture that is shown")
    ledger.show(0, of: 9)
    ledger.show(5, of: 9)
    #expect(!ledger.wants(.move(.left, 3)), "returning does not revive old moves")
  }

  @Test func aMoveIsBegunOnceForEveryPreparation() {
    var ledger = MoveLedger()
    ledger.show(0, of: 1)
    let first = move(.left, 1)
    let early = ledger.begin(first, Preparation())
    #expect(!early, "not started yet")
    // The picture and the move arrive at the same time, and each would start it.
    let taken = ledger.take(first)
    let begun = [ledger.begin(first, Preparation()), ledger.begin(first, Preparation())]
    #expect(taken && begun == [true, false])
    let deep = Preparation(maximumBitDepth: 10)
    let again = ledger.begin(first, deep)
    #expect(again && !ledger.hasBegun(first, Preparation()), "an earlier preparation is stale")
    let newer = ledger.take(move(.left, 2))
    let late = ledger.begin(first, Preparation())
    #expect(newer && !late)
  }

  @Test func aPictureIsToldOnceForEveryPreparation() {
    var ledger = MoveLedger()
    let (plain, deep) = (Preparation(), Preparation(maximumBitDepth: 10))
    ledger.show(1, of: 3)
    // It was prepared ahead while it was turned to, so it is opened a second time.
    var told = [ledger.open(1, plain), ledger.open(1, plain), ledger.open(2, plain)]
    #expect(told == [true, false, false])
    told = [ledger.open(1, deep), ledger.open(1, plain)]
    #expect(told == [true, true], "its pixels have changed")
    ledger.show(1, of: 3)
    let again = ledger.open(1, plain)
    #expect(again)
  }

  @Test func aMoveThatFailedIsStaleUntilAnotherPageBegins() {
    var ledger = MoveLedger()
    ledger.show(0, of: 1)
    var taken = ledger.take(move(.left, 5))
    ledger.fail(.left, 4)
    #expect(taken && ledger.wants(.move(.left, 5)))
    ledger.fail(.left, 5)
    #expect(!ledger.wants(.move(.left, 5)))
    ledger = MoveLedger()
    ledger.show(0, of: 1)
    taken = ledger.take(move(.left, 5))
    #expect(taken && ledger.wants(.move(.left, 5)))
  }

  @Test func aSliderComesToRestOnce() {
    var ledger = MoveLedger()
    ledger.show(0, of: 1)
    var moving = move(.left, 1)
    moving.isSettled = false
    let taken = ledger.take(moving)
    let settled = [ledger.settle(.left, 2), ledger.settle(.left, 1), ledger.settle(.left, 1)]
    #expect(taken && settled.map { $0?.isSettled } == [nil, true, nil])
  }

  @Test func aPieceCountsOnce() {
    var progress = MoveProgress(total: 2)
    let piece = PixelRegion(x: 0, y: 0, width: 5, height: 2)
    let entered = [progress.enter(piece, bytes: 7), progress.enter(piece, bytes: 7)]
    #expect(entered == [true, false])
    #expect(progress.pieces.map(\.bytes) == [7])
    #expect(progress.pieces.map(\.pixels) == [10])
  }

  @Test func neighboursAreWantedAndOthersAreNot() {
    var ledger = MoveLedger()
    ledger.show(0, of: 3)
    #expect([0, 1].allSatisfy { ledger.wants(.picture($0)) })
    #expect(!ledger.wants(.picture(2)))
    #expect(!ledger.wants(.picture(-1)))
    ledger.want(thumbnails: [4, 5])
    ledger.want(thumbnails: [5, 6])
    #expect(!ledger.wants(.thumbnail(4)))
    #expect(ledger.wants(.thumbnail(5)))
  }
}
