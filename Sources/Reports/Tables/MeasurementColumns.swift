import Analysis
package import Model
package import Store

/// The columns of measurements.csv, which JSON, HTML and the terminal share. Names never change meaning;
/// new columns come before `error`, and a column is there whether or not this run measured it.
package enum MeasurementColumns {
  private typealias Name = CSVColumnNames

  /// All columns in their order, with a score column for each of `metrics` besides the standard ones.
  package static func all(metrics: [MetricTraits]) -> [Column<ResultRow>] {
    subject + point + cost + scores(metrics: metrics) + provenance
      + [
        Column(Name.error, title: "Error", alignment: .leading) { Cell(text: $0.error) }
      ]
  }

  /// A column for each metric: the standard ones first, then what else this run measured.
  package static func scores(metrics: [MetricTraits]) -> [Column<ResultRow>] {
    scoreTraits(metrics: metrics).map { metric in
      Column(metric.column, title: metric.title, unit: metric.unit) {
        Cell(number: $0.scores[metric.id], decimals: metric.decimals)
      }
    }
  }

  /// The metrics behind the score columns, in the columns' order. What a run says of a metric holds.
  static func scoreTraits(metrics: [MetricTraits]) -> [MetricTraits] {
    let measured = Dictionary(metrics.map { ($0.id, $0) }) { first, _ in first }
    let standardIDs = Set(standardMetrics.map(\.id))
    return standardMetrics.map { measured[$0.id] ?? $0 } + metrics.filter { !standardIDs.contains($0.id) }
  }

  /// The score columns that every measurements.csv has.
  private static let standardMetrics = [
    MetricTraits(id: "psnr-y", column: "psnr_y_db", title: "PSNR-Y", unit: "dB", decimals: 3),
    MetricTraits(id: "psnr-rgb", column: "psnr_rgb_db", title: "PSNR-RGB", unit: "dB", decimals: 3),
    MetricTraits(id: "ssim", column: "ssim", title: "SSIM", curveScale: .decibelsBelowOne, decimals: 5),
    MetricTraits(
      id: "ms-ssim", column: "ms_ssim", title: "MS-SSIM", curveScale: .decibelsBelowOne, decimals: 5),
    MetricTraits(id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2),
  ]

  /// What was encoded.
  private static let subject: [Column<ResultRow>] = [
    Column(Name.image, title: "Image", alignment: .leading) { .code($0.image) },
    Column(Name.width, title: "Width", unit: "px") { Cell(integer: $0.width) },
    Column(Name.height, title: "Height", unit: "px") { Cell(integer: $0.height) },
    Column(Name.bitDepth, title: "Bit depth") { Cell(integer: $0.bitDepth) },
    Column(Name.alpha, title: "Alpha", alignment: .leading) { Cell(flag: $0.alpha) },
    Column(Name.sourceFormat, title: "Source", alignment: .leading) { Cell(code: $0.sourceFormat) },
  ]

  /// How, and what came out.
  private static let point: [Column<ResultRow>] = [
    Column(Name.codec, title: "Codec", alignment: .leading) { Cell(code: $0.variant?.codec) },
    Column(Name.settings, title: "Settings", alignment: .leading) { row in
      guard let variant = row.variant, !variant.settings.isEmpty else { return .empty }
      return .code(variant.canonicalSettings)
    },
    Column(Name.quality, title: "Quality") { row in
      row.quality.map { .numeral($0.description) } ?? .empty
    },
    Column(Name.nativeQuality, title: "Native quality") { Cell(integer: $0.nativeQuality) },
    Column(Name.status, title: "Status", alignment: .leading) { .code($0.status.rawValue) },
    Column(Name.encodedBytes, title: "Size", unit: "bytes") { Cell(integer: $0.encodedBytes) },
    Column(Name.bitsPerPixel, title: "Bits per pixel") { Cell(number: $0.bitsPerPixel, decimals: 3) },
    Column(Name.compressionRatio, title: "Compression ratio") {
      Cell(number: $0.compressionRatio, decimals: 2)
    },
  ]

  /// What it cost.
  private static let cost: [Column<ResultRow>] = [
    milliseconds(Name.encodeWall, "Encode wall time") { $0.encodeWall?.median },
    milliseconds(Name.encodeCPU, "Encode CPU time") { $0.encodeCPU?.median },
    milliseconds(Name.decodeWall, "Decode wall time") { $0.decodeWall?.median },
    milliseconds(Name.decodeCPU, "Decode CPU time") { $0.decodeCPU?.median },
    Column(Name.repeats, title: "Repeats") { Cell(integer: $0.repeats) },
    Column(Name.peakMemory, title: "Peak memory", unit: "MiB") {
      Cell(number: $0.peakMemoryMiB, decimals: 1)
    },
  ]

  /// What the gate and the analysis need beyond the headline columns.
  private static let provenance: [Column<ResultRow>] = [
    milliseconds(Name.encodeWallMinimum, "Fastest encode, wall time") { $0.encodeWall?.minimum },
    milliseconds(Name.encodeWallDeviation, "Encode wall time, MAD") { $0.encodeWall?.deviation },
    milliseconds(Name.encodeCPUMinimum, "Fastest encode, CPU time") { $0.encodeCPU?.minimum },
    milliseconds(Name.encodeCPUDeviation, "Encode CPU time, MAD") { $0.encodeCPU?.deviation },
    milliseconds(Name.decodeWallMinimum, "Fastest decode, wall time") { $0.decodeWall?.minimum },
    milliseconds(Name.decodeWallDeviation, "Decode wall time, MAD") { $0.decodeWall?.deviation },
    milliseconds(Name.decodeCPUMinimum, "Fastest decode, CPU time") { $0.decodeCPU?.minimum },
    milliseconds(Name.decodeCPUDeviation, "Decode CPU time, MAD") { $0.decodeCPU?.deviation },
    Column(Name.timing, title: "Times taken", alignment: .leading) { Cell(code: $0.conditions?.rawValue) },
    Column(Name.repeatsAgree, title: "Repeats agree", alignment: .leading) { Cell(flag: $0.repeatsAgree) },
    Column(Name.rawBytes, title: "Raw size", unit: "bytes") { Cell(integer: $0.rawBytes) },
    Column(Name.sourceLossy, title: "Lossy source", alignment: .leading) { Cell(flag: $0.sourceIsLossy) },
    Column(Name.libraries, title: "Libraries", alignment: .leading) { Cell(code: $0.libraries) },
    Column(Name.imageHash, title: "Source SHA-256", alignment: .leading) { Cell(code: $0.imageHash) },
    Column(Name.origin, title: "Origin", alignment: .leading) { Cell(code: $0.origin?.rawValue) },
    Column(Name.sourceBytes, title: "Source file", unit: "bytes") { Cell(integer: $0.sourceBytes) },
    Column(Name.encodePeak, title: "Encode memory", unit: "MiB") {
      Cell(number: $0.encodePeakMiB, decimals: 1)
    },
    Column(Name.decodePeak, title: "Decode memory", unit: "MiB") {
      Cell(number: $0.decodePeakMiB, decimals: 1)
    },
    Column(Name.build, title: "Build", alignment: .leading) { Cell(code: $0.variant?.build) },
    Column(Name.variant, title: "Variant", alignment: .leading) { Cell(code: $0.variant?.name) },
    Column(Name.importedFile, title: "Imported file", alignment: .leading) { Cell(code: $0.importedFile) },
    Column(Name.importedFormat, title: "Its format", alignment: .leading) { Cell(code: $0.importedFormat) },
    Column(Name.importedMaking, title: "How it was made", alignment: .leading) {
      Cell(text: $0.importedMaking)
    },
  ]

  private static func milliseconds(
    _ name: String, _ title: String, value: @escaping @Sendable (ResultRow) -> Double?
  ) -> Column<ResultRow> {
    Column(name, title: title, unit: "ms") { Cell(number: value($0), decimals: 2) }
  }
}
