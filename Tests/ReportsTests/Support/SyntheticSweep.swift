import Foundation
import Model
import Store

@testable import Analysis
@testable import Reports

/// Rows of a made-up sweep in plan order, as many as asked for, with curves that can be compared.
enum SyntheticSweep {
  /// A source of `images` × 2 codecs × 10 qualities.
  static func source(images: Int, manifest: RunManifest? = SampleRun.manifest) -> RowSource {
    RowSource(
      manifest: manifest, metrics: Array(SampleRows.metrics.prefix(3)),
      variants: [SampleAnalysis.jpeg, SampleAnalysis.heic]
    ) { body in
      for image in 0..<images { try rows(of: image).forEach(body) }
    }
  }

  /// The rows of one image.
  static func rows(of image: Int) -> [ResultRow] {
    [SampleAnalysis.jpeg, SampleAnalysis.heic].enumerated().flatMap { index, variant in
      stride(from: 100, through: 1000, by: 100).map { thousandths in
        let quality = Double(thousandths) / 1000
        let score = 95 - 80 * pow(1 - quality * 0.95, 1.5) + Double(image % 7) / 3
        let factor = (0.7 + 0.03 * Double((image * 7) % 24)) * (1 - 0.25 * Double(index))
        return SampleRows.measured(
          "folder/image-\(image).png", variant: variant, quality: thousandths,
          bytes: Int(49_152 * 0.08 * exp(score / 27) * factor), score: score,
          cpu: index == 0 ? 2.5 : 400)
      }
    }
  }
}
