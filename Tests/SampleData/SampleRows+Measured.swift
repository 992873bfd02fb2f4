package import Model
package import Store

/// Rows like those of a small run, with figures that are easy to check by hand.
extension SampleRows {
  /// Names that have broken reports elsewhere.
  package static let hostileNames = [
    "a,b.png", "quote\"d.png", "=cmd|' /C calc'!A0.png", "+1.png", "-dash.png", "@sum.png", "'kept.png",
    "'=kept.png", "tick`s``.png", "pipe|pipe.png", "<script>alert(1)</script>.png", "*bold* _it_.png",
    "[link](http://example.org).png", "back\\\\slash\\x0a.png", " spaces .png", "日本語.png", "#1.png",
    "line\nbreak.png", "",
  ]

  package static let metrics = [
    MetricTraits(id: "psnr-y", column: "psnr_y_db", title: "PSNR-Y", unit: "dB", decimals: 2),
    .sampleSSIM, .sampleHeadline,
    MetricTraits(
      id: "outside", column: "outside", title: "Outside", higherIsBetter: false, decimals: 1),
  ]

  package static let measuredVariants = [
    CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic", settings: ["chroma": "444"]),
  ]

  /// A different hash for each image, with the simplest for the first.
  private static func hash(of image: String) -> String {
    image == "kodim05.png" ? String(repeating: "ab", count: 32) : SHA256.hexDigest(of: Array(image.utf8))
  }

  /// A measured point of a 768 × 512 image.
  package static func measured(
    _ image: String = "kodim05.png", variant: CodecVariant = measuredVariants[0], quality: Int = 500,
    bytes: Int = 49_152, score: Double = 64.55339714, cpu: Double = 2.125
  ) -> ResultRow {
    var row = ResultRow(image: image, status: .measured)
    row.imageHash = hash(of: image)
    row.width = 768
    row.height = 512
    row.bitDepth = 8
    row.alpha = false
    row.sourceFormat = "png"
    row.sourceBytes = 600_123
    row.sourceIsLossy = false
    row.variant = variant
    row.libraries = variant.codec == "jpeg" ? "libjpeg-turbo 2.1.5" : "libheif 1.15.1; x265 3.5"
    row.quality = Quality(thousandths: quality)
    row.nativeQuality = quality / 10
    row.encodedBytes = bytes
    row.rawBytes = 768 * 512 * 3
    row.origin = .grid
    row.conditions = .contended
    row[.encode, .wall] = .init(minimum: cpu * 1.9, median: cpu * 2, deviation: 0.25)
    row[.encode, .cpu] = .init(minimum: cpu * 0.9, median: cpu, deviation: 0.125)
    row[.decode, .wall] = .init(minimum: 1.5, median: 1.75, deviation: 0.0625)
    row[.decode, .cpu] = .init(minimum: 1.25, median: 1.5, deviation: 0.03125)
    row.repeats = 3
    row.repeatsAgree = true
    row.figures[.peakMemory] = 25.5
    row.figures[.encodePeak] = 25.5
    row.figures[.decodePeak] = 12.25
    row.scores = ["psnr-y": 30.7252, "ssim": 0.9208, "ssimulacra2": score, "outside": 1.25]
    return row
  }

  /// A point that failed, with text of unknown origin.
  package static func failed(_ image: String, _ error: String) -> ResultRow {
    var row = ResultRow(image: image, status: .failed)
    row.imageHash = hash(of: image)
    row.variant = measuredVariants[1]
    row.quality = Quality(thousandths: 850)
    row.error = error
    return row
  }

  /// One row of each kind, and every hostile name.
  package static let mixed: [ResultRow] =
    [
      measured(), measured(variant: measuredVariants[1], quality: 850, bytes: 123_456, score: 78.1),
      failed("kodim05.png", "killed by SIGSEGV,\nsaid \"no\""),
    ] + hostileNames.map { measured($0) }
}
