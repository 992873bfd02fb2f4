import Model

@testable import Analysis

/// Reads of made-up files.
enum SampleReads {
  static let encoding = Quality(thousandths: 800).map {
    ReadEncoding(variant: CodecVariant(codec: "jpeg"), quality: $0)
  }

  static func record(
    _ image: String, _ route: ReadRoute, _ wanted: WantedPixels, cpu: Double, score: Double,
    encoding: ReadEncoding? = nil, peak: Int = 3 << 20
  ) -> CaseRecord {
    var figures = Figures(
      format: encoding?.variant.codec ?? "heic", fileBytes: 1_000_000, width: 4000, height: 3000,
      touchedBytes: 10_000)
    let side = if case .side(let side) = wanted { side } else { 4000 }
    (figures[.decodedWidth], figures[.decodedHeight]) = (side, side * 3 / 4)
    (figures[.deliveredWidth], figures[.deliveredHeight]) = (side, side * 3 / 4)
    figures.figures[.decodedBytes] = side * side * 3 / 4 * 3
    figures.timing.conditions = .single
    figures.timing.decode = [
      TimingSample(wallNanoseconds: Int64(cpu * 2e6), cpuNanoseconds: Int64(cpu * 1e6))
    ]
    (figures[.plain], figures[.ceiling]) = (score, 92)
    (figures.figures[.decodePeak], figures.figures[.predictedPeak]) = (peak, peak + 4096)
    figures.scores["psnr-y"] = .infinity
    return CaseRecord(
      key: Case(
        image: ImageIdentity(name: image, contentHash: image), encoding: encoding, route: route,
        wanted: wanted), outcome: .measured(figures))
  }

  /// Two files by three routes at two sizes, one file that failed, and reads that are not possible.
  static func records(names: [String] = ["a.heic", "b.heic"]) -> [CaseRecord] {
    names.flatMap { name in
      [320, 1024].flatMap { side in
        [
          record(name, .full, .side(side), cpu: 500, score: 100, peak: 70 << 20),
          record(name, .thumbnail, .side(side), cpu: 5, score: side == 320 ? 85 : 40),
          record(name, .scaled, .side(side), cpu: 20, score: 90, encoding: encoding),
          record(name, .full, .side(side), cpu: 40, score: 100, encoding: encoding, peak: 40 << 20),
        ]
      } + [
        CaseRecord(
          key: Case(
            image: ImageIdentity(name: name, contentHash: name), encoding: nil, route: .ycbcr, wanted: .all),
          outcome: .unsupported("too old")),
        CaseRecord(
          key: Case(
            image: ImageIdentity(name: name, contentHash: name), encoding: nil, route: .region,
            wanted: .part(width: 5, height: 6)),
          outcome: .failed(Failure(kind: .crash, message: "gone <b>"))),
      ]
    }
  }
}
