package import Analysis
import Model
import Store

/// A sweep in which a second metric gives the second codec more points than the first metric does, so that it sees
/// other savings.
package struct SampleAgreement {
  /// Bytes grow by 1.0003 to the power of a hundred, 3 %, with each point of the score. This many points are a third
  /// fewer bytes.
  package static let third = 13.5

  private let images: Int
  /// The ratio of the second codec's bytes to the first's at equal score, by image.
  private let share: (Int) -> Double
  /// Points on SSIMULACRA2's scale, by image.
  private let lead: (Int) -> Double

  package init(
    images: Int = 8, share: @escaping (Int) -> Double = { 0.7 + 0.01 * Double($0) },
    lead: @escaping (Int) -> Double
  ) {
    (self.images, self.share, self.lead) = (images, share, lead)
  }

  package func analysis() throws -> Analysis {
    let sweep = SampleRows(images: images, qualities: 16, share: share)
    let other = MetricTraits(id: "other", column: "other", title: "Other", decimals: 2)
    var builder = AnalysisBuilder(variants: sweep.variants, metrics: [.sampleHeadline, other])
    for var row in sweep.rows() {
      let image = Int(row.image.filter(\.isNumber)) ?? 0
      let isSecond = row.variant?.codec == "heic"
      // Beyond the band at both ends, so that a shifted metric still covers it.
      let score = 10 + 7 * Double((row.quality?.thousandths ?? 0) * 16 / 1000)
      var bytes = 20_000.0
      for _ in 0..<Int(score * 100) { bytes *= 1.0003 }
      row.encodedBytes = Int(bytes * (isSecond ? share(image) : 1))
      row.scores = ["ssimulacra2": score, "other": score + (isSecond ? lead(image) : 0)]
      try builder.add(row)
    }
    return builder.finish()
  }
}
