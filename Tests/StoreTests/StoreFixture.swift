import GRDB
import Model
import Pixels
import TestSupport

@testable import Store

/// A small run, and records with every field filled, for tests of the store.
enum StoreFixture {
  static let jpeg = CodecVariant(codec: "jpeg")
  static let heic = CodecVariant(codec: "heic", settings: ["preset": "medium", "chroma": "444"])

  static func quality(_ thousandths: Int) -> Quality {
    guard let quality = Quality(thousandths: thousandths) else { fatalError("no quality: \(thousandths)") }
    return quality
  }

  static func image(_ name: String, _ content: String? = nil) -> ImageIdentity {
    ImageIdentity(name: name, contentHash: SHA256.hexDigest(of: Array((content ?? name).utf8)))
  }

  static func metric(_ id: String) -> MetricTraits {
    MetricTraits(
      id: id, column: id.split(separator: "-").joined(separator: "_"), title: id.uppercased(), decimals: 2)
  }

  static func manifest(
    variants: [CodecVariant] = [jpeg, heic], qualities: [Int] = [300, 900], libraries: String = "1.0",
    metrics: [String] = ["psnr-y"], repeats: Int = 1, host: String = "host-a", target: String? = nil,
    shard: String? = nil, started: String = "2026-01-02T03:04:05Z"
  ) -> RunManifest {
    RunManifest(
      version: "1.0.0", started: started, command: ["heicbench", "corpus"], roots: ["corpus"],
      machine: MachineDescription(
        host: host, system: "Linux 6", processor: "P", cores: 2, memoryBytes: 1 << 33, governor: nil,
        quotaCores: 1.5, loadAverage: 0.25),
      variants: variants.map {
        VariantDescription(
          variant: $0, libraries: [LibraryVersion(name: "lib" + $0.codec, version: libraries)], threads: 1)
      },
      qualities: target == nil ? qualities.map(quality) : [], target: target, preparation: Preparation(),
      metrics: metrics.map(metric), jobs: 2, repeats: repeats, passedOver: ["hidden": 3], shard: shard)
  }

  static func key(
    _ image: ImageIdentity, _ variant: CodecVariant = jpeg, _ thousandths: Int = 300,
    libraries: String = "1.0"
  ) -> Case {
    Case(
      image: image, preparation: Preparation().canonicalSpelling, variant: variant,
      quality: quality(thousandths), libraries: "lib\(variant.codec) \(libraries)")
  }

  static func record(of image: ImageIdentity, problem: Failure? = nil) -> ImageRecord {
    ImageRecord(
      identity: image, preparation: Preparation().canonicalSpelling, fileBytes: 12_345,
      header: ImageHeader(
        format: "png", width: 40, height: 30, bitDepth: 16, layout: .rgba, isLossy: false),
      preparedWidth: 30, preparedHeight: 40, preparedFormat: PixelFormat(layout: .rgb), profile: "Display P3",
      steps: ["orientation 6 applied", "alpha flattened on #ffffff"], problem: problem)
  }

  static func timing(
    _ conditions: TimingSeries.Conditions, _ milliseconds: [Int64]
  ) -> TimingSeries {
    TimingSeries(
      conditions: conditions,
      encode: milliseconds.map {
        TimingSample(wallNanoseconds: $0 * 1_000_000, cpuNanoseconds: $0 * 900_000)
      },
      decode: milliseconds.map {
        TimingSample(wallNanoseconds: $0 * 100_000, cpuNanoseconds: $0 * 90_000)
      })
  }

  static func measurement(
    bytes: Int = 4_000, scores: [String: Double] = ["psnr-y": 41.25], repeats: [Int64] = [8],
    conditions: TimingSeries.Conditions = .contended
  ) -> Figures {
    Figures(
      nativeQuality: 30, encodedBytes: bytes, encodedHash: SHA256.hexDigest(of: Array("\(bytes)".utf8)),
      repeatsAgree: true, timing: timing(conditions, repeats), figures: [.peakMemory: 3 << 20],
      scores: scores,
      scoringCPUNanoseconds: 77, remarks: [])
  }

  static func point(_ key: Case, _ measurement: Figures = measurement()) -> SweepRecord {
    .point(CaseRecord(key: key, outcome: .measured(measurement)))
  }
}

extension ResultStore {
  /// All rows of the latest run.
  func latestRows() throws -> [ResultRow] {
    guard let run = try latestRun() else { return [] }
    var rows: [ResultRow] = []
    try forEachRow(of: run.id) { rows.append($0) }
    return rows
  }

  /// A point as a row with the scores of the latest run's metrics, whether or not the run includes it; nil if it was
  /// not measured.
  func row(of key: Case) throws -> ResultRow? {
    let manifest = try latestRun()?.manifest
    return try read { db in
      let reader = PointReader(StoredMetric.of(manifest, among: try StoreDictionary.metrics(db)))
      let sql = """
        SELECT \(reader.columns) FROM image i JOIN result p ON p.image = i.id JOIN setup s ON s.id = p.setup
        WHERE i.name = ? AND s.codec = ? AND s.settings = ? AND p.quality = ? AND p.status = 0
        """
      let settings = try StoredJSON.text(key.variant.settings)
      return try db.map(sql, [key.image.name, key.variant.codec, settings, key.quality.thousandths]) {
        var row = ResultRow(image: key.image.name, status: .failed)
        try reader.read($0, into: &row)
        return row
      }.first
    }
  }
}
