import CProcessShim
import CodecKit
import Foundation
import Metrics
import Model
import Pixels

/// A worker's state between questions: its setup, the image that it has open, and what was made of that.
package final class WorkerSession {
  let registry: CodecRegistry
  let setup: WorkerSetup
  let suite: MetricSuite
  let peak: PeakMemory
  var external: ExternalScorer?
  /// The open image.
  var image: OpenImage?
  /// The open image for exports alone, row by row.
  var rows: PictureRows?
  var tiles: TileMeasurer?
  var exporter: TileExporter?
  /// The file that was read last.
  var file: ReadMeasurer?
  var readTimer: ReadTimer?
  /// A view's last encode.
  var viewed: ViewedEncode?
  /// Variants whose libraries have been in use.
  var warm: Set<CodecVariant> = []

  /// Begins with a setup. `external` scores with its programs.
  init(
    setup: WorkerSetup, registry: CodecRegistry, peak: PeakMemory, external: ExternalScorer?
  ) throws(MetricError) {
    self.registry = registry
    self.setup = setup
    self.peak = peak
    self.suite = try MetricSuite(setup.metrics)
    self.external = external
  }

  /// Answers questions until there are no more, which is an error of the channel.
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

  /// Lets go of the open image and of all that was made of it.
  func close() {
    (image, tiles, rows, exporter) = (nil, nil, nil, nil)
    // What the last image left in the heap would count as the next one's peak.
    hb_trim_memory()
  }

  /// Takes an image through a codec. `file` is the image's own where a codec may recompress it.
  func measurer(
    _ variant: CodecVariant, _ quality: Quality, of image: RasterImage, file: [UInt8]? = nil
  ) throws(PointProblem) -> PointMeasurer {
    try PointMeasurer(
      variant: variant, quality: quality, image: image, file: file, registry: registry,
      memoryLimit: setup.memoryLimit)
  }

  /// Scores what was decoded, and returns a picture of where the errors are if that is wanted.
  @discardableResult
  func score(
    _ decoded: RasterImage, into measurement: inout Model.Measurement, maps: Bool = false
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

  /// The metrics' side of the open image, made when it is first asked for.
  func reference() throws(MetricError) -> PreparedSuite? {
    if image?.reference == nil, let raster = image?.raster { image?.reference = try suite.prepare(raster) }
    return image?.reference
  }
}
