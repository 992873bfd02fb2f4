import Analysis
import CodecKit
import HeicBenchKit
import Model
import Pixels
import Synchronization
import Workers

struct WholeFigures: Sendable {
  var quality: Quality
  var bytes: Int
  /// CPU milliseconds.
  var encodeCPU: Double
  var scores: [String: Double]
}

extension RasterImage {
  /// 16 × 16 pixels of one colour in a picture's format and with its profile.
  fileprivate init?(flatLike picture: RasterImage) {
    let side = 16
    let count = side * side * picture.format.layout.channels
    let samples: Samples =
      picture.format.bitDepth == 8
      ? .bytes([UInt8](repeating: 0, count: count)) : .words([UInt16](repeating: 0, count: count))
    self.init(width: side, height: side, format: picture.format, profile: picture.profile, samples: samples)
  }
}

// Work that the sliders request.
extension ViewEngine {

  /// Accepts a move: drops all work of its side's older moves and begins its own.
  func take(_ move: Move) {
    let before = preparation
    let isNew = state.withLock { state in
      guard state.ledger.take(move) else { return false }
      state.variants[move.side] = move.variant
      return true
    }
    guard isNew else { return }
    dropStale()
    let after = preparation
    // If the picture is not ready yet, the move starts once it is.
    if let picture = cached(move.picture, after) {
      // Another codec may need differently prepared pixels. The page then gets the picture again, for both sides.
      if after == before { carryOut(move, picture) } else { announce(picture, move.picture) }
    } else if after != before {
      prepare(move.picture, .shown)
    }
  }

  /// Ends a side's work when it shows the original, whose pixels then depend on the other side's codec alone.
  func showOriginal(on side: Side) {
    let before = preparation
    let index = state.withLock { state in
      state.ledger.clear(side)
      state.variants[side] = nil
      return state.ledger.picture
    }
    dropStale()
    guard let index, preparation != before else { return }
    if let picture = cached(index, preparation) { announce(picture, index) } else { prepare(index, .shown) }
  }

  /// Carries out the sides' moves for a picture; meanwhile they may have changed to another one.
  func carryOutMoves(_ picture: CachedPicture, _ index: Int) {
    let moves = state.withLock { state in Side.allCases.compactMap { state.ledger.current[$0]?.move } }
    for move in moves where move.picture == index { carryOut(move, picture) }
  }

  /// Makes the whole file of a move that arrived while the slider was moving.
  func settle(_ side: Side, _ number: Int) {
    // If the picture is not ready yet, the move starts as a settled one once it is.
    guard let move = state.withLock({ $0.ledger.settle(side, number) }), move.goal == nil,
      let picture = cached(move.picture, preparation),
      // A single piece is the whole file.
      state.withLock({ $0.ledger.current[side]?.progress.total }) != 1
    else { return }
    jobs.add([whole(move, picture)])
  }

  func carryOut(_ move: Move, _ picture: CachedPicture) {
    guard let traits = resolver.traits(of: move.variant), isWanted(move.purpose),
      state.withLock({ state in
        guard picture.preparation == commonPreparation(of: state.variants) else { return false }
        return state.ledger.begin(move, picture.preparation)
      })
    else { return }
    let pieces = PieceOrder.pieces(
      width: picture.raster.width, height: picture.raster.height, visible: move.visible,
      isSlow: !traits.isFast)
    state.withLock { $0.ledger.set(MoveProgress(total: pieces.count), of: move.side) }
    let isOnePiece = pieces.count == 1
    var work: [LiveJob<Purpose>] = []
    if !isOnePiece, move.showsPieces {
      work = pieces.map { piece in
        job(move.purpose, piece.isVisible ? .visible : .rest, build: move.variant.build) {
          [self] worker in
          encode(piece.region, of: move, picture, worker)
        }
      }
    }
    if move.isSettled || isOnePiece { work.append(whole(move, picture)) }
    jobs.add(work)
  }

  private func whole(_ move: Move, _ picture: CachedPicture) -> LiveJob<Purpose> {
    job(move.purpose, .whole, build: move.variant.build) { [self] worker in
      do throws(Failure) {
        if let goal = move.goal { return try search(for: goal, move, picture, worker) }
        sendFigures(try make(move, move.quality, picture, worker), move, picture, isFinal: true)
      } catch {
        fail(move.purpose, error, by: worker)
      }
    }
  }

  private func encode(
    _ region: PixelRegion, of move: Move, _ picture: CachedPicture, _ worker: ViewWorker
  ) {
    // The whole file was finished first and already shows every piece.
    guard file(of: move.side, number: move.number) == nil else { return }
    do throws(Failure) {
      guard let part = picture.raster.cropped(to: region) else { return }
      let seconds = Self.deadline(pixels: part.pixelCount)
      let (file, encode, rgba, _) = try roundTrip(part, move.variant, move.quality, worker, within: seconds)
      let pixels = Outbox.Pixels(width: region.width, height: region.height, rgba: rgba)
      let overhead = overhead(move, picture, worker)
      let event = enter(
        move, region, bytes: file.count, cpu: encode.cpuMilliseconds, of: picture, overhead)
      guard let event, let outbox = state.withLock({ $0.outbox }) else { return }
      outbox.send(
        pixels, pixels.whole, at: region, to: move.side.canvas, id: move.number, for: move.purpose)
      outbox.send(event, for: move.purpose)
    } catch {
      fail(move.purpose, error, by: worker)
    }
  }

  /// Bytes of a file with almost no picture in it: header, tables and profile. Nil before two pieces are done, so that
  /// their pixels need not wait for it; determined once for each picture and codec.
  private func overhead(_ move: Move, _ picture: CachedPicture, _ worker: ViewWorker) -> Int? {
    let key = EncodeKey(move, nil, picture.preparation)
    let (known, pieces) = state.withLock { state in
      (state.overheads[key], state.ledger.current[move.side]?.progress.pieces.count ?? 0)
    }
    guard known == nil, pieces >= 2, let flat = RasterImage(flatLike: picture.raster) else { return known }
    let file = try? worker.ask(
      EncodeSamples(shape: RasterShape(flat), variant: move.variant, quality: move.quality), flat.sampleBytes,
      within: Self.deadline(pixels: flat.pixelCount)
    ).bytes
    state.withLock { $0.overheads[key] = file?.count }
    return file?.count
  }

  /// Enters a piece; nil if the move is no longer the side's newest, or its picture has been prepared again.
  private func enter(
    _ move: Move, _ region: PixelRegion, bytes: Int, cpu: Double, of picture: CachedPicture,
    _ overhead: Int?
  ) -> PageEvent.Progress? {
    state.withLock { state in
      guard state.ledger.wants(move.purpose), state.made[move.side]?.number != move.number,
        state.ledger.hasBegun(move, picture.preparation), let current = state.ledger.current[move.side]
      else { return nil }
      var progress = current.progress
      guard progress.enter(region, bytes: bytes) else { return nil }
      let estimate = overhead.flatMap {
        SizeEstimate(pieces: progress.pieces, ofPixels: picture.raster.pixelCount, overhead: $0)
      }
      progress.encodeCPU += cpu
      let first = progress.firstMilliseconds ?? (.now - current.start) / .milliseconds(1)
      progress.firstMilliseconds = first
      state.ledger.set(progress, of: move.side)
      return PageEvent.Progress(
        side: move.side, number: move.number, quality: move.quality.value, pieces: progress.pieces.count,
        of: progress.total, bytes: progress.pieces.reduce(0) { $0 + $1.bytes }, estimate: estimate?.bytes,
        margin: estimate?.margin, firstMilliseconds: first,
        encodeCPU: progress.encodeCPU)
    }
  }

  func roundTrip(
    _ image: RasterImage, _ variant: CodecVariant, _ quality: Quality, _ worker: ViewWorker,
    within seconds: Double, encoded: ([UInt8], TimingSample) -> Void = { _, _ in }
  ) throws(Failure) -> (file: [UInt8], encode: TimingSample, rgba: [UInt8], decode: TimingSample) {
    let encoding = try worker.ask(
      EncodeSamples(shape: RasterShape(image), variant: variant, quality: quality), image.sampleBytes,
      within: seconds)
    encoded(encoding.bytes, encoding.body)
    let decoding = try worker.ask(DecodeEncoded(), within: seconds)
    guard decoding.bytes.count == image.pixelCount * 4 else {
      throw Failure(kind: .broken, message: "a worker gave an answer that does not match the request")
    }
    return (encoding.bytes, encoding.body, decoding.bytes, decoding.body)
  }

  private func make(
    _ move: Move, _ quality: Quality, _ picture: CachedPicture, _ worker: ViewWorker
  ) throws(Failure) -> WholeFigures {
    let suffix = resolver.traits(of: move.variant)?.fileExtension ?? "bin"
    let seconds = Self.deadline(pixels: picture.raster.pixelCount)
    let made = try roundTrip(picture.raster, move.variant, quality, worker, within: seconds) { file, sample in
      guard isCurrent(move, picture) else { return }
      keep(file, move, quality, suffix)
      send(
        PageEvent.Whole(
          side: move.side, number: move.number, quality: quality.value, bytes: file.count,
          encodeWall: sample.wallMilliseconds, encodeCPU: sample.cpuMilliseconds, fileExtension: suffix),
        for: move.purpose)
    }
    if isCurrent(move, picture) { show(made.rgba, made.decode, move, quality, picture) }
    let scores = try worker.ask(ScoreDecoded(metrics: configuration.metrics), within: seconds)
    let figures = WholeFigures(
      quality: quality, bytes: made.file.count, encodeCPU: made.encode.cpuMilliseconds, scores: scores)
    state.withLock { $0.tried[EncodeKey(move, quality, picture.preparation)] = figures }
    return figures
  }

  /// False once a newer move replaces this one, or it has begun again with its picture prepared in another way.
  private func isCurrent(_ move: Move, _ picture: CachedPicture) -> Bool {
    isWanted(move.purpose) && state.withLock { $0.ledger.hasBegun(move, picture.preparation) }
  }

  /// Sends the figures of a whole file, unless they are of pixels that the page no longer has.
  private func sendFigures(
    _ figures: WholeFigures, _ move: Move, _ picture: CachedPicture, isFinal: Bool, isReached: Bool = true
  ) {
    guard isCurrent(move, picture) else { return }
    send(PageEvent.Scored(move, figures, isFinal: isFinal, isReached: isReached), for: move.purpose)
  }

  private func keep(_ file: [UInt8], _ move: Move, _ quality: Quality, _ suffix: String) {
    state.withLock { state in
      guard state.ledger.wants(move.purpose) else { return }
      let name = state.pictures[move.picture].name.split(separator: "/").last.map(String.init) ?? "picture"
      let label = [move.variant.codecAndBuild, "q\(quality)"].joined(separator: "-")
      state.made[move.side] = (move.number, MadeFile(bytes: file, name: "\(name)-\(label).\(suffix)"))
    }
  }

  private func show(
    _ rgba: [UInt8], _ decode: TimingSample, _ move: Move, _ quality: Quality, _ picture: CachedPicture
  ) {
    guard let outbox = state.withLock({ $0.outbox }) else { return }
    let pixels = Outbox.Pixels(width: picture.raster.width, height: picture.raster.height, rgba: rgba)
    send(
      pixels, visible: move.visible, to: move.side.canvas, id: move.number, for: move.purpose, outbox)
    outbox.send(
      PageEvent.Decoded(
        side: move.side, number: move.number, quality: quality.value, decodeWall: decode.wallMilliseconds,
        decodeCPU: decode.cpuMilliseconds), for: move.purpose)
  }

  /// The quality with the nearest score among those tried with a move's picture and codec. A search for the lowest
  /// quality that reaches a score has also tried the one below.
  private func nearest(to score: Double, _ move: Move, _ preparation: Preparation) -> Quality? {
    let tried = state.withLock { $0.tried }
    return tried.compactMap { key, figures -> (distance: Double, quality: Quality)? in
      guard key == EncodeKey(move, key.quality, preparation), let found = figures.scores["ssimulacra2"]
      else { return nil }
      return (abs(found - score), figures.quality)
    }.min { $0 < $1 }?.quality
  }

  /// Tries qualities until one gives the move's target score or size, and shows it.
  private func search(
    for goal: Goal, _ move: Move, _ picture: CachedPicture, _ worker: ViewWorker
  ) throws(Failure) {
    guard let range = resolver.traits(of: move.variant)?.nativeQuality else { return }
    let target: QualitySearch.Target =
      switch goal {
      case .bytes(let bytes): .atMost(Double(bytes))
      case .score(let score), .nearestScore(let score, _): .atLeast(score)
      }
    var search = QualitySearch(range: range, target: target, start: move.quality.nativeValue(in: range))
    var last: WholeFigures?
    var isNear = false
    let stop = try search.run { (quality) throws(Failure) -> Double? in
      guard isCurrent(move, picture), !isNear else { return nil }
      let known = state.withLock { $0.tried[EncodeKey(move, quality, picture.preparation)] }
      let figures: WholeFigures
      if let known { figures = known } else { figures = try make(move, quality, picture, worker) }
      last = known == nil ? figures : last
      sendFigures(figures, move, picture, isFinal: false)
      let value = if case .bytes = goal { Double(figures.bytes) } else { figures.scores["ssimulacra2"] }
      guard let value else {
        throw Failure(kind: .metric, message: "SSIMULACRA2 is not defined for pictures this small")
      }
      if case .nearestScore(let score, let distance) = goal { isNear = abs(value - score) <= distance }
      return value
    }
    guard stop == nil || isNear, var quality = Quality(native: search.answer ?? search.extreme) else {
      return
    }
    if case .nearestScore(let score, _) = goal {
      quality = nearest(to: score, move, picture.preparation) ?? quality
    }
    // A nearest score is out of reach, too, if even the lowest quality has a higher one.
    let isReached = isNear || search.answer.map { !goal.isNearest || $0 > range.lowerBound } ?? false
    // The last file that was made is already on the screen.
    let figures =
      if let last, last.quality == quality { last } else { try make(move, quality, picture, worker) }
    sendFigures(figures, move, picture, isFinal: true, isReached: isReached)
  }
}
