import Metrics
import Model
import Pixels
import Workers

/// A way to cut the open picture into tiles, to be measured.
struct TilingRequest: Question {
  var key: Case
  /// Size of the viewport whose memory is measured, pixels.
  var viewportWidth: Int
  var viewportHeight: Int

  init(key: Case, viewport: (width: Int, height: Int)) {
    self.key = key
    (viewportWidth, viewportHeight) = viewport
  }

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<TilingMeasurement> {
    guard let raster = session.image?.raster else { throw Refusal.noImage }
    if key.variant.build != nil, !key.libraries.isEmpty {
      try session.measurer(key.variant, key.quality, of: raster).expect(libraries: key.libraries)
    }
    let tiles =
      try session[TileMeasurer.self]
      ?? TileMeasurer(
        raster, reference: session.suite.prepare(raster), registry: session.registry, setup: session.setup,
        peak: session.peak)
    session[TileMeasurer.self] = tiles
    return Reply(try tiles.measure(self))
  }

  func checked(
    _ figures: TilingMeasurement, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> TilingMeasurement {
    if let problem = figures.impossibility(of: key.cut) { throw .init(detail: problem) }
    var figures = figures
    figures.remarks = try check.clean(figures.remarks)
    return figures
  }
}

extension WorkerSlot {
  /// Measures an image cut into tiles. The libraries of a build also decode and score its tiles.
  func cut(
    _ request: TilingRequest, of file: ImageFile, within seconds: Double
  ) throws -> Response<TilingMeasurement> {
    try ask(request, about: file, build: request.key.variant.build, within: seconds).answer()
  }
}
