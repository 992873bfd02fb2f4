import CodecKit
import Model
import Pixels

/// Holds what a worker answers against what it was asked. A worker reads hostile files, so its word counts for as
/// much as can be checked: everything of a reply passes here, once, before anyone else sees it.
struct ReplyCheck {
  /// An answer that cannot be true.
  struct Lie: Error, CustomStringConvertible {
    /// What is wrong with it; nil where it answers another question.
    var detail: String?
    var description: String {
      "answered something else than was asked" + (detail.map { ": \($0)" } ?? "")
    }
  }

  /// Bounds that nothing true comes near, and within which sums of a million values stay numbers.
  enum Bound {
    /// A hundred days, nanoseconds.
    static let time: ClosedRange<Int64> = 0...10_000_000_000_000_000
    /// A pebibyte.
    static let bytes = 1...(1 << 50)
    static let side = 1...Int(Int32.max)
    static let depth = 1...32
    static let texts = 256
    static let characters = 2000
  }

  let setup: WorkerSetup

  /// Checks the replies of a worker with this setup.
  init(_ setup: WorkerSetup) { self.setup = setup }

  /// The reply with clean texts.
  func checked(_ reply: WorkerReply, to request: WorkerRequest) throws(Lie) -> WorkerReply {
    switch (request, reply) {
    case (.begin, .ready(let version, let sandbox)):
      try require((0...1000).contains(sandbox.landlock), "its sandbox")
      return .ready(version: version, sandbox: sandbox)
    case (.open(let request), .image(let record)), (.openRows(let request), .image(let record)):
      return .image(try checked(record, request))
    case (.measure(let request), .outcome(let outcome, let peak)):
      return .outcome(
        try checked(outcome) { (figures) throws(Lie) in try checked(figures, request) },
        peakBytes: try checked(peak: peak))
    case (.time(let request), .timing(let series)):
      try require(series.conditions == .exclusive, "the conditions of its times")
      let counts = request.minimumRepeats...max(request.minimumRepeats, request.maximumRepeats)
      try check(series, repeats: counts)
      return reply
    case (.time, .untimed(let failure)): return .untimed(clean(failure))
    case (.read(let request), .read(let outcome)):
      return .read(try checked(outcome) { (figures) throws(Lie) in try checked(figures, request) })
    case (.view(let request, _), .view(let answer, let count)):
      return .view(try checked(answer, bytes: count, request), payload: count)
    case (.handOver, .done), (.take, .done): return reply
    case (.handOver, .failed(let failure)), (.take, .failed(let failure)), (.score, .failed(let failure)):
      return .failed(clean(failure))
    case (.score, .scored(let file)): return .scored(try checked(file))
    case (.inspect(let request), .inspected(let inspection)):
      return .inspected(try checked(inspection, request))
    case (.export(let request), .exported(let outcome)):
      return .exported(try checked(outcome) { (figures) throws(Lie) in try checked(figures, request) })
    case (.cut(let request), .cut(let outcome)):
      return .cut(try checked(outcome) { (figures) throws(Lie) in try checked(figures, request) })
    case (.generations(let request), .generations(let outcome)):
      return .generations(try checked(outcome) { (chain) throws(Lie) in try checked(chain, request) })
    case (.shrink(let request), .thumbnail(let outcome)):
      return .thumbnail(try checked(outcome) { (figures) throws(Lie) in try checked(figures, request) })
    case (.show, .shown(let width, let height, let count)):
      try require([width, height].allSatisfy(Bound.side.contains), "the picture's size")
      try require(width * height <= setup.limits.maximumPixels, "the picture's size")
      try require(
        (1...RenderRequest.mostBytes(pixels: width * height)).contains(count), "the picture's bytes")
      return reply
    case (.show, .failed(let failure)): return .failed(clean(failure))
    case (.render(let request), .rendered(let rendering)): return .rendered(try checked(rendering, request))
    case (.pair(let request), .image(let record)):
      try require(record.problem != nil, "an image that nobody asked for")
      return .image(try checked(record, request.reference))
    case (.compare, .scores(let scores)), (.pair, .scores(let scores)):
      try check(scores, asked: setup.metrics)
      return reply
    case (.judge, .judged(let file)): return .judged(try checked(file))
    case (.render, .failed(let failure)), (.compare, .failed(let failure)), (.pair, .failed(let failure)),
      (.judge, .failed(let failure)):
      return .failed(clean(failure))
    case (_, .refused(let reason)): return .refused(clean(reason))
    default: throw Lie()
    }
  }

  private func checked(_ record: ImageRecord, _ request: ImageFile) throws(Lie) -> ImageRecord {
    var record = record
    guard record.identity == request.identity, record.preparation == setup.preparation.canonicalSpelling
    else {
      throw Lie()
    }
    try require(record.fileBytes >= 0 && record.fileBytes < Bound.bytes.upperBound, "the file's size")
    if let header = record.header {
      try require(Bound.side.contains(header.width) && Bound.side.contains(header.height), "the image's size")
      try require(Bound.depth.contains(header.bitDepth), "the image's depth")
    }
    if record.problem == nil || record.preparedWidth != nil || record.preparedHeight != nil {
      let sides = [record.preparedWidth ?? 0, record.preparedHeight ?? 0]
      try require(sides.allSatisfy(Bound.side.contains), "the prepared size")
      // A downscaled source may have been larger than what is left of it, never smaller.
      try require(record.preparedPixels ?? .max <= setup.limits.maximumPixels, "the prepared size")
      try require((record.preparedFormat?.bitDepth).map(Bound.depth.contains) == true, "the prepared depth")
    }
    if let format = record.header?.format { record.header?.format = clean(format) }
    record.profile = record.profile.map(clean)
    record.steps = try clean(record.steps)
    record.problem = record.problem.map(clean)
    return record
  }

  /// An outcome whose reasons are plain texts, and whose value has passed a check of its own.
  func checked<Value>(
    _ outcome: Outcome<Value>, _ check: (Value) throws(Lie) -> Value
  ) throws(Lie) -> Outcome<Value> {
    switch outcome {
    case .measured(let value): .measured(try check(value))
    case .unsupported(let reason): .unsupported(clean(reason))
    case .failed(let failure): .failed(clean(failure))
    }
  }

  private func checked(_ measurement: Measurement, _ request: MeasureRequest) throws(Lie) -> Measurement {
    var measurement = measurement
    try require(Bound.bytes.contains(measurement.encodedBytes), "the encoded size")
    try require((-1_000_000...1_000_000).contains(measurement.nativeQuality), "the native quality")
    try check(hash: measurement.encodedHash)
    try require(measurement.timing.conditions == request.conditions, "the conditions of its times")
    try check(measurement.timing, repeats: request.repeats...request.repeats)
    try require(Bound.time.contains(measurement.scoringCPUNanoseconds), "the time of its scores")
    for count in measurement.figures.values { _ = try checked(peak: count) }
    try check(measurement.scores)
    measurement.failedScores = try checked(failedScores: measurement.failedScores)
    measurement.remarks = try clean(measurement.remarks)
    return measurement
  }

  private func checked(_ file: ScoredFile) throws(Lie) -> ScoredFile {
    var file = file
    try check(hash: file.hash)
    try check(file.scores)
    try require(Bound.time.contains(file.scoringCPUNanoseconds), "the time of its scores")
    file.failedScores = try checked(failedScores: file.failedScores)
    file.remarks = try clean(file.remarks)
    return file
  }

  /// The codecs of a build say what they like of themselves; what becomes a key or a text has to be one.
  private func checked(
    _ inspection: LibraryInspection, _ request: InspectRequest
  ) throws(Lie) -> LibraryInspection {
    var inspection = inspection
    let asked = Set(request.spellings)
    try require(inspection.files.count <= 4096 && inspection.codecs.count <= 64, "its libraries")
    try require(
      asked.isSuperset(of: inspection.variants.keys) && asked.isSuperset(of: inspection.refusals.keys),
      "a variant that nobody asked for")
    inspection.files = inspection.files.map { MappedFile(path: clean($0.path), build: $0.build.map(clean)) }
    inspection.refusals = inspection.refusals.mapValues(clean)
    inspection.codecs = inspection.codecs.map { $0.mapTexts(clean) }
    return inspection
  }

  func checked(failedScores: [String: String]) throws(Lie) -> [String: String] {
    let external = setup.externalMetrics.map(\.id)
    try require(failedScores.keys.allSatisfy(external.contains), "a score that nobody asked for")
    return failedScores.mapValues(clean)
  }

  func check(hash: String) throws(Lie) {
    let digits = hash.utf8
    try require(digits.count == 64 && digits.allSatisfy(Self.isHexadecimal), "the hash")
  }

  private func checked(_ figures: ReadMeasurement, _ request: ReadRequest) throws(Lie) -> ReadMeasurement {
    if let what = figures.impossibility(repeats: request.expectedSamples) { throw Lie(detail: what) }
    var figures = figures
    figures.format = clean(figures.format)
    figures.remarks = try clean(figures.remarks)
    return figures
  }

  private func checked(_ tiles: ExportedTiles, _ request: TileExportRequest) throws(Lie) -> ExportedTiles {
    try require(tiles.tiles.count == max(1, request.places.count), "\(tiles.tiles.count) tiles")
    for tile in tiles.tiles {
      try require(Bound.bytes.contains(tile.bytes), "a tile's size")
      try check(hash: tile.hash)
    }
    try require(Bound.time.contains(tiles.encodeNanoseconds), "its times")
    try require(Bound.time.contains(tiles.pyramidNanoseconds), "its times")
    _ = try checked(peak: tiles.peakBytes)
    return tiles
  }

  private func checked(
    _ figures: TilingMeasurement, _ request: TilingRequest
  ) throws(Lie) -> TilingMeasurement {
    if let what = figures.impossibility(of: request.key) { throw Lie(detail: what) }
    var figures = figures
    figures.remarks = try clean(figures.remarks)
    return figures
  }

  private func checked(_ thumbnail: MadeThumbnail, _ request: ThumbnailRequest) throws(Lie) -> MadeThumbnail {
    var thumbnail = thumbnail
    try require((1...MadeThumbnail.largest).contains(thumbnail.bytes.count), "the thumbnail's bytes")
    let sides = 1...max(1, request.style.side)
    try require(
      sides.contains(thumbnail.width) && sides.contains(thumbnail.height), "the thumbnail's size")
    try require([.full, .scaled, .thumbnail].contains(thumbnail.route), "the thumbnail's route")
    try require(thumbnail.judgement?.score.isFinite ?? true, "a score that is no number")
    if let kind = thumbnail.judgement?.kind { thumbnail.judgement?.kind = clean(kind) }
    return thumbnail
  }

  private func checked(_ rendering: Rendering, _ request: RenderRequest) throws(Lie) -> Rendering {
    let (width, height) = (rendering.width, rendering.height)
    try require([width, height].allSatisfy(Bound.side.contains), "the picture's size")
    try require(width * height <= setup.limits.maximumPixels, "the picture's size")
    try require(rendering.encodedBytes.map(Bound.bytes.contains) ?? true, "the encoded size")
    for sample in [rendering.encode, rendering.decode].compactMap({ $0 }) {
      try check([sample], repeats: 1...1)
    }
    try check(rendering.scores, asked: request.isScored ? setup.metrics : [])
    try require(rendering.sizes.count == request.products.count, "\(rendering.sizes.count) pictures")
    let most = RenderRequest.mostBytes(pixels: width * height)
    try require(rendering.sizes.allSatisfy { (0...most).contains($0 ?? 0) }, "the size of a picture")
    return rendering
  }

  /// Each name becomes a column of the store, so a worker must not make names up. A score may be infinite, where
  /// nothing was lost.
  func check(_ scores: [String: Double], asked: [String]? = nil) throws(Lie) {
    let asked = asked ?? setup.metrics + setup.externalMetrics.map(\.id)
    for (name, score) in scores {
      try require(asked.contains(name), "a score that nobody asked for")
      try require(score.isFinite || score == .infinity, "a score that is no number")
    }
  }

  private func check(_ series: TimingSeries, repeats: ClosedRange<Int>) throws(Lie) {
    for operation in TimedOperation.allCases {
      try check(series[operation], repeats: repeats)
    }
  }

  func check(_ samples: [TimingSample], repeats: ClosedRange<Int>) throws(Lie) {
    try require(repeats.contains(samples.count), "\(samples.count) times")
    for sample in samples {
      try require(
        Bound.time.contains(sample.wallNanoseconds) && Bound.time.contains(sample.cpuNanoseconds), "its times"
      )
    }
  }

  private func checked(peak: Int?) throws(Lie) -> Int? {
    guard let peak else { return nil }
    try require(peak == 0 || Bound.bytes.contains(peak), "its memory")
    return peak
  }

  func require(_ isTrue: Bool, _ what: String) throws(Lie) {
    if !isTrue { throw Lie(detail: what) }
  }

  func clean(_ texts: [String]) throws(Lie) -> [String] {
    try require(texts.count <= Bound.texts, "\(texts.count) texts")
    return texts.map(clean)
  }

  func clean(_ failure: Failure) -> Failure {
    Failure(kind: failure.kind, message: clean(failure.message))
  }

  func clean(_ text: String) -> String { PlainText.line(text, limit: Bound.characters) }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}
