package import Model
package import Pixels
package import Workers

/// The making of one picture's tiles in a worker. One thread asks; `cancel` may come from any.
package final class TileExport: Sendable {
  /// How tiles are made.
  package struct Settings: Sendable {
    /// Codec and settings.
    package var variant: CodecVariant
    /// Position on the quality axis.
    package var quality: Quality
    /// Whether tiles at the right and lower edge are padded to the full size and show no more than before.
    package var padsEdges: Bool
    /// Tiles that are encoded at the same time.
    package var threads: Int

    /// States how tiles are made.
    package init(variant: CodecVariant, quality: Quality, padsEdges: Bool, threads: Int) {
      (self.variant, self.quality) = (variant, quality)
      (self.padsEdges, self.threads) = (padsEdges, threads)
    }
  }

  /// Why there are no tiles.
  package enum Problem: Error {
    /// Somebody cancelled.
    case cancelled
    /// The codec cannot do it, and says why.
    case unsupported(String)
    /// It should have worked.
    case failed(Failure)
  }

  private let file: ImageFile
  private let settings: Settings
  private let configuration: RunnerConfiguration
  private let slot: WorkerSlot

  /// Prepares to make tiles.
  /// - Parameter configuration: its `keepFolder` is where tiles are written, by their numbers.
  package init(
    _ entry: CorpusEntry, _ settings: Settings, preparation: Preparation, configuration: RunnerConfiguration
  ) {
    file = entry.file
    (self.settings, self.configuration) = (settings, configuration)
    slot = WorkerSlot(
      launch: configuration.launch(preparation: preparation, metrics: []), configuration: configuration)
  }

  deinit { slot.retire() }

  /// Starts a worker and has it read the picture. Returns the picture's size as it will be cut.
  /// - Parameter byRows: whether the picture may be decoded while tiles are written, so that what is wrong with the file may
  ///   show there. Such a picture cannot be written as a whole and has no padding in front.
  /// - Throws: `WorkerStartError` and `Problem`.
  package func open(byRows: Bool) throws -> ImageRecord {
    let response = try slot.prepare(file, for: settings.variant.build, byRows: byRows)
    guard let record = response.value else { throw response.failure.map { .failed($0) } ?? Problem.cancelled }
    return record
  }

  /// Writes tiles of the first `levels` levels, or the whole of level 0 where `places` is empty. Tiles have to come in the
  /// order of `TilePyramid.strips`, over all calls, and each call states the same levels.
  package func write(
    _ places: [TilePyramid.Place], of pyramid: TilePyramid, levels: Int, origin: (x: Int, y: Int)
  ) throws(Problem) -> ExportedTiles {
    let request = TileExportRequest(
      variant: settings.variant, quality: settings.quality, pyramid: pyramid, origin: origin, levels: levels,
      places: places, padsEdges: settings.padsEdges, threads: settings.threads, firstNumber: 0)
    let whole = pyramid.width * pyramid.height
    let asked = places.isEmpty ? whole : places.count * pyramid.tileSize * pyramid.tileSize
    // The picture may have to be decoded to its end, and all levels made, on the way to these tiles.
    let seconds = configuration.timeout(pixels: asked + whole + whole / 8, repeats: 1)
    let response: Response<ExportedTiles>
    do { response = try slot.export(request, within: seconds) } catch {
      throw .failed(Failure(kind: .broken, message: "\(error)"))
    }
    switch response {
    case .answered(let tiles): return tiles
    case .unsupported(let reason): throw .unsupported(reason)
    case .failed, .unusable, .cancelled: throw response.failure.map { .failed($0) } ?? .cancelled
    }
  }

  /// Ends the worker for good.
  package func cancel() { slot.cancel() }
}
