import Analysis
import CodecKit
import Dispatch
import HeicBenchKit
import Model
import Pixels
import Reports
import Synchronization
import Workers

/// A view's blind test, with the files made so far.
struct BlindDesk: Sendable {
  struct LadderKey: Hashable {
    var picture: ViewEngine.PictureKey
    var part: PixelRegion
    var variant: CodecVariant
  }

  let log: BlindLog
  /// The queue on which the log is read and written. A disk or another program's lock may take a while, and neither the
  /// state's owner nor the page server may wait for that.
  let files = DispatchQueue(label: "blind log")
  /// True while an answer is being stored; the next one waits for it.
  var isKeeping = false
  var ladders: [LadderKey: [MadeRung]] = [:]
  var session: BlindSession?
  /// The part and picture of the test that is being prepared or running; older work is stale.
  var wanted: BlindCommand.Begin?
  var made = 0
}

// The blind test: files are made first, then trials follow one after another. The server never reveals which side is
// coded.
extension ViewEngine {
  func perform(_ command: BlindCommand) throws {
    switch command {
    case .suggest(let index, let width, let height): suggest(index, width, height)
    case .begin(let begin): self.begin(begin)
    case .answer(let number, let answer, let milliseconds):
      keep { $0.answer(number, answer, milliseconds: milliseconds) }
    case .undo: keep { $0.undo() }
    }
  }

  /// Adds a session's record of an answer to the log, then shows the next trial.
  private func keep(_ take: (inout BlindSession) -> BlindRecord?) {
    let taken = state.withLock { state -> (BlindDesk, BlindSession, BlindRecord, BlindRecord.Place?)? in
      guard let desk = state.blind, !desk.isKeeping, var session = desk.session else { return nil }
      let last = session.last
      guard let record = take(&session) else { return nil }
      state.blind?.isKeeping = true
      return (desk, session, record, last)
    }
    guard let (desk, session, record, last) = taken else { return }
    desk.files.async { [self] in
      do {
        try desk.log.append(record, after: last)
        finishKeeping(record, session, nil)
      } catch {
        finishKeeping(record, session, error)
      }
    }
  }

  /// Continues with the session that includes an answer, or with the one before it if the answer could not be stored.
  private func finishKeeping(_ record: BlindRecord, _ session: BlindSession, _ failure: (any Error)?) {
    let isOver = failure is BlindLog.Conflict
    let isCurrent = state.withLock { state in
      state.blind?.isKeeping = false
      guard state.blind?.session?.id == record.id else { return false }
      if failure == nil { state.blind?.session = session }
      if isOver { state.blind?.session = nil }
      return true
    }
    guard isCurrent else { return }
    if let failure {
      let message = PlainText.line("\(failure)", limit: 500)
      guard !isOver else { return send(BlindEvent.Ended(message: message)) }
      send(PageEvent.Failed(nil, message))
    }
    showTrial()
  }

  private func begin(_ begin: BlindCommand.Begin) {
    let preparation = preparation
    guard begin.aim == .threshold || configuration.variants.count == 2 else {
      return send(PageEvent.Failed(nil, "this test needs two codecs: give --codec twice"))
    }
    guard let picture = cached(begin.picture, preparation) else {
      return send(PageEvent.Failed(.picture(begin.picture), "the picture is still being opened; try again"))
    }
    let begin = begin.aligned(in: picture.raster)
    state.withLock { state in
      state.blind?.session = nil
      state.blind?.wanted = begin
      state.blind?.made = 0
      state.ledger.blind = begin
    }
    dropStale()
    for variant in configuration.variants {
      jobs.add([
        job(.blind(begin), .whole, build: variant.build) { [self] worker in
          makeLadder(variant, begin, picture, worker)
        }
      ])
    }
  }

  private func makeLadder(
    _ variant: CodecVariant, _ begin: BlindCommand.Begin, _ picture: CachedPicture, _ worker: ViewWorker
  ) {
    let key = BlindDesk.LadderKey(
      picture: PictureKey(index: begin.picture, preparation: picture.preparation), part: begin.part,
      variant: variant)
    do throws(Failure) {
      if state.withLock({ $0.blind?.ladders[key] }) == nil {
        guard let part = picture.raster.cropped(to: begin.part),
          let range = resolver.traits(of: variant)?.nativeQuality
        else { return }
        var ladder = LadderSearch(range: range)
        let rungs = try ladder.run { (quality) throws(Failure) -> MadeRung? in
          guard isWanted(.blind(begin)) else { return nil }
          let rung = try makeRung(part, variant, quality, worker)
          let made = state.withLock { state in
            state.blind?.made += 1
            return state.blind?.made ?? 0
          }
          send(BlindEvent.Preparing(made: made), for: .blind(begin))
          return rung
        }
        guard let rungs else { return }
        state.withLock { $0.blind?.ladders[key] = rungs }
      }
      try start(begin, picture)
    } catch {
      fail(.blind(begin), error, by: worker)
    }
  }

  private func makeRung(
    _ part: RasterImage, _ variant: CodecVariant, _ quality: Quality, _ worker: ViewWorker
  ) throws(Failure) -> MadeRung {
    let seconds = Self.deadline(pixels: part.pixelCount)
    let made = try roundTrip(part, variant, quality, worker, within: seconds)
    let scores = try worker.ask(ScoreDecoded(metrics: ["ssimulacra2"]), within: seconds)
    guard let score = scores["ssimulacra2"] else {
      throw Failure(kind: .metric, message: "SSIMULACRA2 is not defined for parts this small")
    }
    return MadeRung(
      rung: BlindTest.Rung(quality: quality, score: score, bytes: made.file.count),
      hash: SHA256.hexDigest(of: made.file),
      pixels: Outbox.Pixels(width: part.width, height: part.height, rgba: made.rgba))
  }

  /// Begins the test once the files of all codecs are made.
  private func start(_ begin: BlindCommand.Begin, _ picture: CachedPicture) throws(Failure) {
    let (listed, desk) = state.withLock { ($0.pictures[begin.picture], $0.blind) }
    guard let desk else { return }
    let properties = BlindRecord.Session(
      aim: begin.aim, image: listed.name, imageHash: SHA256.hexDigest(of: try listed.bytes()),
      part: begin.part,
      presentation: begin.presentation, variants: configuration.variants.map(\.name))
    let key = PictureKey(index: begin.picture, preparation: picture.preparation)
    let kept: (records: [BlindRecord], last: BlindRecord.Place)?
    do { kept = begin.isFresh ? nil : try desk.files.sync { try desk.log.latest(properties) } } catch {
      throw Failure(kind: .source, message: "\(error)")
    }
    let isStarted = state.withLock { state in
      guard let desk = state.blind, desk.wanted == begin, desk.session == nil else { return false }
      let ladders = configuration.variants.compactMap {
        desk.ladders[BlindDesk.LadderKey(picture: key, part: begin.part, variant: $0)]
      }
      guard ladders.count == configuration.variants.count else { return false }
      let original = picture.screen.cropped(to: begin.part)
      func session(_ kept: (records: [BlindRecord], last: BlindRecord.Place)?) -> BlindSession {
        BlindSession(
          begin, properties, original: original, ladders: ladders, kept: kept?.records ?? [],
          last: kept?.last)
      }
      let known = session(kept)
      state.blind?.session = known.isDone ? session(nil) : known
      return true
    }
    if isStarted { showTrial() }
  }

  private func showTrial() {
    let next = state.withLock { state -> (BlindSession, BlindTest.Trial?)? in
      guard let trial = state.blind?.session?.showNext(), let session = state.blind?.session else {
        return state.blind?.session.map { ($0, nil) }
      }
      return (session, trial)
    }
    guard let (session, trial) = next, let outbox = state.withLock({ $0.outbox }) else { return }
    guard let trial, let number = session.shown?.number else { return finish(session) }
    let purpose = Purpose.blind(session.begin)
    outbox.drop { $0 == purpose }
    for (plane, pixels) in zip(Outbox.Canvas.planes, session.planes(of: trial)) {
      outbox.send(pixels, pixels.whole, at: pixels.whole, to: plane, id: number, for: purpose)
    }
    outbox.send(
      BlindEvent.Shown(
        number: number, answered: session.test.answers.count,
        most: BlindTest.mostTrials * (session.test.aim == .equal ? 1 : session.ladders.count),
        canUndo: session.canUndo,
        width: session.original.width, height: session.original.height), for: purpose)
  }
}

extension Outbox.Pixels {
  func cropped(to region: PixelRegion) -> Outbox.Pixels {
    var part: [UInt8] = []
    part.reserveCapacity(region.width * region.height * 4)
    for row in region.y..<region.maximumY {
      let start = (row * width + region.x) * 4
      part += rgba[start..<(start + region.width * 4)]
    }
    return Outbox.Pixels(width: region.width, height: region.height, rgba: part)
  }
}

extension BlindCommand.Begin {
  /// The same request with its part moved to a corner of coded blocks, so that coding the part alone gives about the
  /// same result as within the picture.
  fileprivate func aligned(in picture: RasterImage) -> Self {
    let block = 64
    var begin = self
    begin.part.width = min(part.width, picture.width)
    begin.part.height = min(part.height, picture.height)
    begin.part.x = min(part.x, picture.width - begin.part.width) / block * block
    begin.part.y = min(part.y, picture.height - begin.part.height) / block * block
    return begin
  }
}
