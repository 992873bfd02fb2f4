import Foundation
package import Model
package import Store

/// Any number of rows of a made-up sweep in plan order, with curves that can be compared.
package enum SyntheticSweep {
  package static let jpeg = CodecVariant(codec: "jpeg")
  package static let heic = CodecVariant(codec: "heic")
  package static let variants = [jpeg, heic]
  package static let metrics = Array(SampleRows.metrics.prefix(3))

  /// The rows of one image.
  package static func rows(of image: Int) -> [ResultRow] {
    variants.enumerated().flatMap { index, variant in
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
