import Model
import Pixels
import Workers

/// Makes one picture's tiles in a worker. Used from one thread, except for `cancel`.
final class TileExport: Sendable {
  struct Settings: Sendable {
    var variant: CodecVariant
    var quality: Quality
    /// True to pad tiles at the right and lower edge to the full size; they show no more than before.
    var padsEdges: Bool
    /// Tiles encoded at the same time.
    var threads: Int
  }

  enum Problem: Error {
    case cancelled
    /// The codec does not support it, for this reason.
    case unsupported(String)
    case failed(Failure)
  }

  private let file: ImageFile
  private let settings: Settings
  private let configuration: RunnerConfiguration
  private let slot: WorkerSlot

  /// - Parameter configuration: its `keepFolder` receives the tiles, named by their numbers.
  init(
    _ entry: CorpusEntry, _ settings: Settings, preparation: Preparation, configuration: RunnerConfiguration
  ) {
    file = entry.file
    (self.settings, self.configuration) = (settings, configuration)
    slot = WorkerSlot(configuration, preparation: preparation)
  }

  deinit { slot.retire() }

  /// Starts a worker and has it read the picture. Returns the picture's size as it will be cut.
  /// - Parameter byRows: true if the picture may be decoded while tiles are written, so that errors in the file may
  ///   show only there. Such a picture cannot be written as a whole and has no padding in front.
  /// - Throws: `WorkerStartError` and `Problem`.
  func open(byRows: Bool) throws -> ImageRecord {
    let response = try slot.prepare(file, for: settings.variant.build, byRows: byRows)
    guard let record = response.value else { throw response.failure.map { .failed($0) } ?? Problem.cancelled }
    return record
  }

  /// Writes tiles of the first `levels` levels, or the whole of level 0 if `places` is empty. Over all calls, tiles
  /// must come in the order of `TilePyramid.strips`, and `levels` must be the same.
  func write(
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

  func cancel() { slot.cancel() }
}
