package import Analysis
package import Model
package import Store

extension MetricTraits {
  /// SSIMULACRA2, as the metric module describes it.
  package static let sampleHeadline = MetricTraits(
    id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2)
  /// A second metric, in decibels below one.
  package static let sampleSSIM = MetricTraits(
    id: "ssim", column: "ssim", title: "SSIM", curveScale: .decibelsBelowOne, decimals: 4)
}

/// Rows of a made-up sweep. Smooth curves differ from image to image, and a second codec needs a known share of the
/// first one's bytes at equal score.
package struct SampleRows {
  package var images: Int
  package var variants: [CodecVariant]
  package var qualities: Int
  /// The ratio of the second variant's bytes to the first's at equal score, by image.
  package var share: (Int) -> Double
  /// CPU milliseconds of the second variant's encode, divided by the first's.
  package var slowness: Double
  /// Changes a row.
  package var change: (inout ResultRow) -> Void

  package init(
    images: Int = 8, variants: [CodecVariant] = [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")],
    qualities: Int = 10, share: @escaping (Int) -> Double = { _ in 0.7 }, slowness: Double = 20,
    change: @escaping (inout ResultRow) -> Void = { _ in }
  ) {
    (self.images, self.variants, self.qualities) = (images, variants, qualities)
    (self.share, self.slowness, self.change) = (share, slowness, change)
  }

  /// The rows in plan order.
  package func rows() -> [ResultRow] {
    (0..<images).flatMap { image in
      variants.indices.flatMap { variant in
        (1...qualities).map { step in
          var row = row(image, variant, step)
          change(&row)
          return row
        }
      }
    }
  }

  private func row(_ image: Int, _ variant: Int, _ step: Int) -> ResultRow {
    var row = ResultRow(image: "image\(image).png", status: .measured)
    row.imageHash = "hash\(image)"
    (row.width, row.height, row.rawBytes) = (1000, 500, 1_500_000)
    row.variant = variants[variant]
    row.quality = Quality(thousandths: step * 1000 / qualities)
    row.nativeQuality = step * 100 / qualities
    // Scores are spaced differently for each codec, since equal quality numbers are not equal quality.
    let score = 20 + 75 * Double(step) / Double(qualities) - (variant == 0 ? 0 : 3)
    let complexity = 1 + Double(image % 5) / 4
    // Exponential in the score, up to rounding, so that curves are straight lines in ln(bytes).
    var bytes = 20_000 * complexity
    for _ in 0..<Int(score * 100) { bytes *= 1.0003 }
    row.encodedBytes = Int((bytes * (variant == 0 ? 1 : share(image))).rounded())
    row.scores = ["ssimulacra2": score, "ssim": 1 - 0.5 / (1 + score)]
    let milliseconds = (variant == 0 ? 5 : 5 * slowness) * (1 + score / 100)
    row[.encode, .cpu] = ResultRow.Timing(
      minimum: milliseconds * 0.98, median: milliseconds, deviation: milliseconds * 0.01)
    row[.decode, .cpu] = ResultRow.Timing(minimum: 3, median: 3, deviation: 0.1)
    (row[.encode, .wall], row[.decode, .wall]) = (row[.encode, .cpu], row[.decode, .cpu])
    row.libraries = "lib 1"
    row.repeats = 5
    row.repeatsAgree = true
    row.figures[.peakMemory] = 50
    return row
  }

  /// The analysis of the rows.
  package func analysis(
    metrics: [MetricTraits] = [.sampleHeadline, .sampleSSIM], options: AnalysisOptions = .standard
  ) throws -> Analysis {
    var builder = AnalysisBuilder(variants: variants, metrics: metrics, options: options)
    for row in rows() { try builder.add(row) }
    return builder.finish()
  }
}
