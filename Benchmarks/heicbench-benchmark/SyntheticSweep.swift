import Analysis
import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Metrics
import Model
import Pixels
import Synchronization
import Workers

/// A sweep whose points are made up: JPEG, HEIC, and HEIC by a build, each at ten qualities and those that the
/// refinement requests, with five metrics and two reads of each image.
struct SyntheticSweep {
  let plan: SweepPlan
  let manifest: RunManifest

  private static let metrics = MetricTraits.usual
  private static let header = ImageHeader(
    format: "pnm", width: 4_000, height: 3_000, bitDepth: 8, layout: .rgb, isLossy: false)

  /// Makes the images of a sweep of about `points` points.
  init(points: Int) throws {
    let registry = CodecRegistry.standard
    let builder = PlanBuilder(registry: registry)
    var variants = try builder.describe(["jpeg", "heic"].map { CodecVariant(codec: $0) })
    if var older = variants.last {
      older.decoder = older.libraries
      older.libraries = [LibraryVersion(name: "libheif", version: "1.10.0 (build 0123456789ab)")]
      older.variant = CodecVariant(codec: "heic", build: "older")
      variants.append(older)
    }
    let goal = Refinement(metric: MetricTraits.ssimulacra2.id, targets: [50, 70, 80, 90], band: 50...90)
    let qualities = QualityList((1...10).compactMap { Quality(thousandths: $0 * 100) })
    var plan = builder.plan(
      entries: [], variants: variants, qualities: qualities, refinement: (goal, .ssimulacra2),
      headline: (.ssimulacra2, [70]), metrics: Self.metrics.map(\.id))
    let first = Self.entry(0)
    let ofOne = variants.reduce(0) { $0 + Self.points(of: first, $1, plan).count }
    plan.entries = (0..<max(points / ofOne, 2)).map(Self.entry)
    self.plan = plan
    manifest = RunManifest(
      version: "0", started: "2026-01-01T00:00:00Z", command: [], roots: ["corpus"],
      machine: MachineDescription(host: "bench", system: "", processor: "", cores: 2, memoryBytes: 0),
      variants: variants, qualities: plan.qualities, refinement: goal, preparation: plan.preparation,
      metrics: Self.metrics, jobs: 2, repeats: 1)
  }

  /// The images' names and contents.
  var images: [ImageIdentity] { plan.entries.map(\.identity) }

  /// A tiny file for each image, with the content that its identity states.
  func writeImages(into folder: String) throws {
    for (number, entry) in plan.entries.enumerated() {
      let file = URL(filePath: folder).appending(path: entry.identity.name)
      if number % 1000 == 0 {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      try Data(Self.content(number)).write(to: file)
    }
  }

  private static func entry(_ number: Int) -> CorpusEntry {
    let name = "camera/\(1000 + number / 1000)/IMG_\(10_000_000 + number).ppm"
    let content = content(number)
    let identity = ImageIdentity(name: name, contentHash: SHA256.hexDigest(of: content))
    return CorpusEntry(
      identity: identity, path: Array(name.utf8), fileBytes: content.count, header: header)
  }

  /// A PPM file of eight by eight pixels.
  private static func content(_ number: Int) -> [UInt8] {
    Array("P6 8 8 255\n".utf8) + (0..<192).map { UInt8(truncatingIfNeeded: number >> ($0 % 24)) }
  }

  // MARK: - What is measured

  /// Everything that a sweep stores about an image: its record, its grid, and the points of the refinement.
  func records(of entry: CorpusEntry) -> [SweepRecord] {
    let image = ImageRecord(
      identity: entry.identity, preparation: plan.preparation.canonicalSpelling, fileBytes: entry.fileBytes,
      header: Self.header, preparedWidth: 4_000, preparedHeight: 3_000,
      preparedFormat: PixelFormat(layout: .rgb), profile: "sRGB")
    return [.image(image)]
      + plan.variants.flatMap { Self.points(of: entry, $0, plan).map(SweepRecord.point) }
  }

  private static func points(
    of entry: CorpusEntry, _ description: VariantDescription, _ plan: SweepPlan
  ) -> [CaseRecord] {
    var known: [Quality: FinishedPoint] = [:]
    var records: [CaseRecord] = []
    var wanted = plan.qualities
    while !wanted.isEmpty {
      for quality in wanted {
        let key = plan.point(of: entry, description, quality: quality)
        let outcome = PointOutcome.measured(measurement(of: key))
        known[quality] = FinishedPoint(outcome, metric: MetricTraits.ssimulacra2.id)
        let isInGrid = plan.qualities.contains(quality)
        records.append(CaseRecord(key: key, outcome: outcome, origin: isInGrid ? .grid : .refined))
      }
      wanted = plan.refinement?.next(description.variant, known: known) ?? []
    }
    return records
  }

  /// A point's measurement: values that depend only on its key and rise with quality.
  private static func measurement(of key: Case) -> Model.Figures {
    var generator = SeededGenerator(
      seed: UInt64(key.image.name.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xffff_ffff))
    let (detail, ease) = (0.5 + generator.unit(), generator.unit())
    let sample = { (scale: Double) in
      TimingSample(
        wallNanoseconds: Int64(scale * (1 + generator.unit())),
        cpuNanoseconds: Int64(scale * (1 + generator.unit())))
    }
    let quality = Double(key.quality.thousandths) / 1000
    let isJPEG = key.variant.codec == "jpeg"
    let gain = isJPEG ? 1 : key.variant.build == nil ? 0.65 : 0.7
    let bytes = Int(200_000 * gain * detail * exp(3 * quality))
    let fidelity = isJPEG ? pow(quality, 0.7) : quality
    let scores: [MetricTraits: Double] = [
      .psnrLuma: 28 + 20 * fidelity + ease, .psnrColour: 27 + 19 * fidelity + ease,
      .ssim: 1 - 0.15 * exp(-4 * fidelity), .multiScaleSSIM: 1 - 0.1 * exp(-4 * fidelity),
      .ssimulacra2: 20 + 70 * fidelity + 8 * ease,
    ]
    var measurement = Model.Figures(
      nativeQuality: key.quality.nativeValue(in: 0...100), encodedBytes: bytes,
      encodedHash: SHA256.hexDigest(of: Array("\(key.image.name) \(key.variant.name) \(quality)".utf8)),
      timing: TimingSeries(
        conditions: .contended, encode: [sample(isJPEG ? 4e7 : 4e9)], decode: [sample(1e8)]),
      scores: Dictionary(uniqueKeysWithValues: scores.map { ($0.id, $1) }),
      scoringCPUNanoseconds: 900_000_000)
    for figure in [Quantity.peakMemory, .encodePeak, .decodePeak] {
      measurement.figures[figure] = 200_000_000 + bytes
    }
    return measurement
  }

  /// Two reads of an image's file: the whole picture, and a small one.
  func reads(of entry: CorpusEntry) -> [CaseRecord] {
    [WantedPixels.all, .side(320)].map { wanted in
      var measurement = Figures(
        format: "pnm", fileBytes: entry.fileBytes, width: 4_000, height: 3_000,
        touchedBytes: entry.fileBytes)
      (measurement[.decodedWidth], measurement[.decodedHeight]) = (4_000, 3_000)
      (measurement[.deliveredWidth], measurement[.deliveredHeight]) =
        wanted == .all ? (4_000, 3_000) : (320, 240)
      measurement.timing.decode = [TimingSample(wallNanoseconds: 40_000_000, cpuNanoseconds: 39_000_000)]
      measurement[.plain] = 100
      return CaseRecord(
        key: Case(image: entry.identity, encoding: nil, format: "pnm", route: .full, wanted: wanted),
        outcome: .measured(measurement))
    }
  }
}

/// The first error of several threads.
final class Failures: Sendable {
  private let errors = Mutex<[any Error]>([])

  func add(_ error: any Error) { errors.withLock { $0.append(error) } }
  var first: (any Error)? { errors.withLock { $0.first } }
}
