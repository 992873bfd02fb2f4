import CProcessShim
import CodecKit
import Foundation
import Metrics
import Model
import Pixels

/// A worker's state between questions: its setup, the open image, and everything made of it.
package final class WorkerSession {
  let registry: CodecRegistry
  let setup: WorkerSetup
  let suite: MetricSuite
  let peak: PeakMemory
  var external: ExternalScorer?
  var image: OpenImage?
  /// The open image for exports alone, row by row.
  var rows: PictureRows?
  var tiles: TileMeasurer?
  var exporter: TileExporter?
  var file: ReadMeasurer?
  var readTimer: ReadTimer?
  var viewed: ViewedEncode?
  /// Variants whose libraries have been in use.
  var warm: Set<CodecVariant> = []

  init(
    setup: WorkerSetup, registry: CodecRegistry, peak: PeakMemory, external: ExternalScorer?
  ) throws(MetricError) {
    self.registry = registry
    self.setup = setup
    self.peak = peak
    self.suite = try MetricSuite(setup.metrics)
    self.external = external
  }

  /// Answers questions until the channel throws at their end.
  func serve(_ channel: inout LineChannel) throws {
    while true {
      let message = try WorkerProtocol.message(QuestionMessage.self, from: channel.readLine())
      let attachment = try channel.readBytes(message.attachment)
      try answer(message.question, attachment, on: channel)
    }
  }

  private func answer(
    _ question: some Question, _ attachment: [UInt8], on channel: LineChannel
  ) throws {
    hb_clear_errno()
    let (message, bytes) = question.message(in: self, attachment)
    try channel.writeLine(WorkerProtocol.line(message))
    try channel.write(bytes)
  }

  /// Releases the open image and everything made of it.
  func close() {
    (image, tiles, rows, exporter) = (nil, nil, nil, nil)
    // Heap left over from the last image would count towards the next one's peak.
    hb_trim_memory()
  }

  /// Prepares to measure an image with a codec. `file` is its source, for codecs that may recompress it.
  func measurer(
    _ variant: CodecVariant, _ quality: Quality, of image: RasterImage, file: [UInt8]? = nil
  ) throws(PointProblem) -> PointMeasurer {
    try PointMeasurer(
      variant: variant, quality: quality, image: image, file: file, registry: registry,
      memoryLimit: setup.memoryLimit)
  }

  /// Scores a decoded picture, and returns its error map if `maps` is set.
  @discardableResult
  func score(
    _ decoded: RasterImage, into measurement: inout Model.Figures, maps: Bool = false
  ) throws(PointProblem) -> IndexedPicture? {
    guard !suite.traits.isEmpty else { return nil }
    let start = MonotonicClock.processCPU()
    defer { measurement.scoringCPUNanoseconds = MonotonicClock.processCPU() - start }
    do {
      let reference = try reference()
      guard maps else {
        measurement.scores = try reference?.score(decoded) ?? [:]
        return nil
      }
      let both = try reference?.scoreAndErrors(decoded, ErrorMapPicture.picture)
      measurement.scores = both?.scores ?? [:]
      return both?.errors ?? nil
    } catch {
      throw .failed(Failure(kind: .metric, message: "\(error)"))
    }
  }

  /// The metrics' side of the open image, made on first use.
  func reference() throws(MetricError) -> PreparedSuite? {
    if image?.reference == nil, let raster = image?.raster { image?.reference = try suite.prepare(raster) }
    return image?.reference
  }
}
