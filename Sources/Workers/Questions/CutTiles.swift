import Metrics
package import Model
import Pixels

/// A way to cut the open picture into tiles, to be measured.
package struct TilingRequest: Question {
  package var key: Case
  /// Size of the viewport whose memory is measured, pixels.
  package var viewportWidth: Int
  package var viewportHeight: Int

  package init(key: Case, viewport: (width: Int, height: Int)) {
    self.key = key
    (viewportWidth, viewportHeight) = viewport
  }

  package func reply(in session: WorkerSession, _: [UInt8]) throws -> Reply<TilingMeasurement> {
    guard let raster = session.image?.raster else { throw Refusal.noImage }
    if key.variant.build != nil, !key.libraries.isEmpty {
      try session.measurer(key.variant, key.quality, of: raster).expect(libraries: key.libraries)
    }
    let tiles =
      try session.tiles
      ?? TileMeasurer(
        raster, reference: session.suite.prepare(raster), registry: session.registry, setup: session.setup,
        peak: session.peak)
    session.tiles = tiles
    return Reply(try tiles.measure(self))
  }

  package func checked(
    _ figures: TilingMeasurement, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> TilingMeasurement {
    try check.requireNone(attachment)
    if let problem = figures.impossibility(of: key.cut) { throw .init(detail: problem) }
    var figures = figures
    figures.remarks = try check.clean(figures.remarks)
    return figures
  }
}
