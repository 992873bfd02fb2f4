import CodecKit
import Model
import Pixels
import Synchronization
import Workers

extension ViewEngine {
  func show(_ index: Int) {
    let count = state.withLock { state in
      state.ledger.show(index, of: state.pictures.count)
      state.made = [:]
      return state.pictures.count
    }
    dropStale()
    if let picture = cached(index, preparation) { announce(picture, index) } else { prepare(index, .shown) }
    for neighbour in [index + 1, index - 1] where (0..<count).contains(neighbour) {
      prepare(neighbour, .neighbour)
    }
  }

  func cached(_ index: Int, _ preparation: Preparation) -> CachedPicture? {
    state.withLock { $0.cache.value(PictureKey(index: index, preparation: preparation)) }
  }

  /// Sends a picture that is shown to the page, unless the page has it, and carries out the sides' moves. Does nothing
  /// if another codec has meanwhile changed the preparation, for which the picture is opened as well.
  func announce(_ picture: CachedPicture, _ index: Int) {
    state.withLock { state in
      guard picture.preparation == commonPreparation(of: state.variants),
        state.ledger.open(index, picture.preparation), let outbox = state.outbox
      else { return }
      // Sent under the lock, so that the page gets the newest preparation last.
      outbox.send(PageEvent.Opened(index, state.pictures[index], picture), for: .picture(index))
      let screen = picture.screen
      send(screen, visible: screen.whole, to: .original, id: index, for: .picture(index), outbox)
    }
    carryOutMoves(picture, index)
  }

  func send(
    _ pixels: Outbox.Pixels, visible: PixelRegion, to canvas: Outbox.Canvas, id: Int, for purpose: Purpose,
    _ outbox: Outbox
  ) {
    for piece in PieceOrder.pieces(
      width: pixels.width, height: pixels.height, visible: visible, isSlow: false)
    {
      outbox.send(pixels, piece.region, at: piece.region, to: canvas, id: id, for: purpose)
    }
  }

  func prepare(_ index: Int, _ priority: ViewPriority) {
    let preparation = preparation
    guard cached(index, preparation) == nil, priority == .shown || !jobs.has(.picture(index)) else { return }
    jobs.add([
      job(.picture(index), priority) { [self] worker in
        open(index, preparation, worker)
      }
    ])
  }

  private func open(_ index: Int, _ preparation: Preparation, _ worker: ViewWorker) {
    do throws(Failure) {
      let picture: CachedPicture
      if let known = cached(index, preparation) {
        picture = known
      } else {
        picture = try opened(state.withLock { $0.pictures[index] }, preparation, worker)
        let key = PictureKey(index: index, preparation: preparation)
        state.withLock { state in
          let current = commonPreparation(of: state.variants)
          // A neighbour must not take the place of the picture on the screen, whose moves need it.
          let shown = state.ledger.picture.map { PictureKey(index: $0, preparation: current) }
          state.cache.keep(picture, bytes: picture.bytes, for: key, sparing: shown)
        }
      }
      announce(picture, index)
    } catch {
      fail(.picture(index), error, by: worker)
    }
  }

  private func opened(
    _ listed: ListedPicture, _ preparation: Preparation, _ worker: ViewWorker
  ) throws(Failure) -> CachedPicture {
    let file = try listed.bytes()
    let seconds = Self.deadline(pixels: configuration.limits.maximumPixels)
    let opened = try worker.ask(OpenPicture(preparation: preparation), file, within: seconds)
    let (facts, pixels) = (opened.body, opened.bytes)
    guard let count = facts.shape.sampleBytes,
      let raster = facts.shape.image(Array(pixels.prefix(count)))
    else { throw Failure(kind: .broken, message: "gave an answer that does not match the request") }
    let screen = Outbox.Pixels(
      width: raster.width, height: raster.height, rgba: Array(pixels.dropFirst(count)))
    return CachedPicture(
      preparation: preparation, facts: facts, fileBytes: file.count, raster: raster, screen: screen)
  }

  /// Fills cells of the gallery, most urgent first; cells that have scrolled away are not decoded.
  func fill(_ wanted: [Int]) {
    let (ready, outbox) = state.withLock { state in
      state.ledger.want(thumbnails: wanted)
      let ready = wanted.compactMap { index in state.thumbnails.value(index).map { (index, $0) } }
      return (ready, state.outbox)
    }
    dropStale()
    for (index, pixels) in ready { deliver(pixels, index, to: outbox) }
    let missing = Set(wanted).subtracting(ready.map(\.0))
    jobs.add(
      wanted.filter { missing.contains($0) && !jobs.has(.thumbnail($0)) }.map { index in
        job(.thumbnail(index), .thumbnail) { [self] in makeThumbnail(index, $0) }
      })
  }

  private static let thumbnailSide = 192

  private func makeThumbnail(_ index: Int, _ worker: ViewWorker) {
    do throws(Failure) {
      let file = try state.withLock { $0.pictures[index] }.bytes()
      let seconds = Self.deadline(pixels: configuration.limits.maximumPixels)
      let small = try worker.ask(
        MakeSmallPicture(longestSide: Self.thumbnailSide), file, within: seconds)
      let pixels = Outbox.Pixels(width: small.body.width, height: small.body.height, rgba: small.bytes)
      let outbox = state.withLock { state in
        state.thumbnails.keep(pixels, bytes: pixels.rgba.count, for: index)
        return state.outbox
      }
      deliver(pixels, index, to: outbox)
    } catch {
      fail(.thumbnail(index), error, by: worker)
    }
  }

  private func deliver(_ pixels: Outbox.Pixels, _ index: Int, to outbox: Outbox?) {
    outbox?.send(pixels, pixels.whole, at: pixels.whole, to: .thumbnail, id: index, for: .thumbnail(index))
  }
}
