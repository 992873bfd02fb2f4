import CProcessShim
package import CodecKit
package import Metrics
package import Model
package import Pixels

/// A worker's state between questions: its setup, the open image, and everything made of it.
package final class WorkerSession {
  package let registry: CodecRegistry
  package let setup: WorkerSetup
  package let suite: MetricSuite
  package let peak: PeakMemory
  package var external: ExternalScorer?
  package var image: OpenImage?
  var warm: Set<CodecVariant> = []
  private var state: [ObjectIdentifier: Any] = [:]

  init(
    setup: WorkerSetup, registry: CodecRegistry, peak: PeakMemory, external: ExternalScorer?
  ) throws(MetricError) {
    self.registry = registry
    self.setup = setup
    self.peak = peak
    self.suite = try MetricSuite(setup.metrics)
    self.external = external
  }

  /// State that a question keeps for later ones, one value per type, until an image is opened.
  package subscript<State>(type: State.Type) -> State? {
    get { state[ObjectIdentifier(type)] as? State }
    set { state[ObjectIdentifier(type)] = newValue }
  }

  func serve(_ channel: inout LineChannel, _ questions: [any Question.Type]) throws {
    let types = Dictionary(uniqueKeysWithValues: questions.map { (Questions.name($0), $0) })
    while true {
      let head = try WorkerProtocol.message(QuestionHead.self, from: channel.readLine())
      guard let type = types[head.question] else { throw Refusal("an unknown question") }
      let question = try WorkerProtocol.message(type, from: channel.readLine())
      let attachment = try channel.readBytes(head.attachment)
      hb_clear_errno()
      let (lines, bytes) = try question.answered(in: self, attachment)
      try channel.write(lines)
      try channel.write(bytes)
    }
  }

  package func close() {
    (image, state) = (nil, [:])
    // Heap left over from the previous image would count towards the next one's peak.
    hb_trim_memory()
  }

  /// Prepares to measure an image with a codec. `file` is its source, for codecs that may recompress it or encode it
  /// the way their usual program does.
  package func measurer(
    _ variant: CodecVariant, _ quality: Quality, of image: RasterImage, file: [UInt8]? = nil,
    isByProgram: Bool = false, memory: PeakMemory? = nil
  ) throws(Failure) -> PointMeasurer {
    let codec = try registry.usableCodec(variant.codec)
    let recompresses = codec.recompresses(variant)
    if recompresses, file == nil { throw .unsupported("only unchanged JPEG files can be recompressed") }
    return PointMeasurer(
      codec: codec, settings: EncodeSettings(variant: variant, quality: quality, traits: codec.traits),
      image: image, file: recompresses ? file : nil, programFile: isByProgram ? file : nil,
      stopwatch: Stopwatch(memoryLimit: setup.memoryLimit),
      memory: memory)
  }

  /// Scores a decoded picture, made with `settings`, and returns its error map if `maps` is set.
  @discardableResult
  package func score(
    _ decoded: RasterImage, of settings: EncodeSettings? = nil, into measurement: inout Model.Figures,
    maps: Bool = false
  ) throws(Failure) -> IndexedPicture? {
    guard !suite.traits.isEmpty else { return nil }
    let start = MonotonicClock.processCPU()
    defer { measurement.scoringCPUNanoseconds = MonotonicClock.processCPU() - start }
    do {
      let reference = try reference()
      if settings?.halvesChroma == true { measurement.figures[.chromaBound] = try chromaBound(reference) }
      measurement.remarks += remarks(on: decoded)
      guard maps else {
        measurement.scores = try reference?.score(decoded) ?? [:]
        return nil
      }
      let both = try reference?.scoreAndErrors(decoded, ErrorMapPicture.picture)
      measurement.scores = both?.scores ?? [:]
      return both?.errors ?? nil
    } catch {
      throw Failure(kind: .metric, message: "\(error)")
    }
  }

  /// Remarks on a picture's scores against the open image.
  package func remarks(on decoded: RasterImage) -> [String] {
    image.flatMap { suite.remark(on: decoded, against: $0.raster) }.map { [$0] } ?? []
  }

  private struct ChromaBound { var figure: Int? }

  /// SSIMULACRA2 of the open image with halved chroma, if it is a metric of the run; nil for gray and HDR.
  private func chromaBound(_ reference: PreparedSuite?) throws(MetricError) -> Int? {
    if let known = self[ChromaBound.self] { return known.figure }
    let metric = MetricTraits.ssimulacra2.id
    var bound = ChromaBound()
    if let raster = image?.raster, !raster.format.layout.isGray,
      suite.traits.contains(where: { $0.id == metric })
    {
      let score = try reference?.score(raster.withHalvedChroma, only: metric)[metric]
      bound.figure = score.map { Int(($0 * Quantity.chromaBound.traits.scale).rounded()) }
    }
    self[ChromaBound.self] = bound
    return bound.figure
  }

  /// Adds the scores of external metrics, each within `seconds`.
  func scoreByPrograms(
    _ decoded: RasterImage, against image: OpenImage, within seconds: Double,
    into figures: inout Model.Figures
  ) {
    let found = external?.scores(of: decoded, against: image.raster, named: image.identity, within: seconds)
    figures.scores.merge(found?.scores ?? [:]) { $1 }
    figures.failedScores.merge(found?.failed ?? [:]) { $1 }
  }

  package func reference() throws(MetricError) -> PreparedSuite? {
    if image?.reference == nil, let raster = image?.raster { image?.reference = try suite.prepare(raster) }
    return image?.reference
  }
}
