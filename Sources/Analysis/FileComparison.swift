internal import Foundation
package import Model
import Store

/// What lossy source files take as they are, against what a variant takes for the same pixels at one score: the
/// answer to “should I convert my JPEGs?”. The score is against the file as it is, so a conversion adds its loss to
/// the file's own.
package struct FileComparison: Sendable, Hashable {
  /// The variant.
  package var variant: CodecVariant
  /// The score of the headline metric.
  package var target: Double
  /// The images that it stands on: those with a lossy source that the variant brings to the score.
  package var images: Int
  /// All images with a lossy source.
  package var outOf: Int
  /// Bytes of those images' files as they are.
  package var fileBytes: Int
  /// Bytes of the variant at the score, interpolated.
  package var bytes: Double
  /// Images whose file would get larger.
  package var larger: Int

  /// The change of the total in percent; nil without bytes.
  package var changePercent: Double? { fileBytes > 0 ? (bytes / Double(fileBytes) - 1) * 100 : nil }
}

/// What lossy source files take when they are packed without loss: the other answer to the same question.
package struct FileRecompression: Sendable, Hashable, Codable {
  /// The variant.
  package let variant: CodecVariant
  /// The images that it packed.
  package private(set) var images = 0
  /// Bytes of those images' files as they are.
  package private(set) var fileBytes = 0
  /// Bytes of the packed files.
  package private(set) var bytes = 0

  init(_ variant: CodecVariant) { self.variant = variant }

  /// Adds an image.
  mutating func add(fileBytes: Int, bytes: Int) {
    images += 1
    self.fileBytes = saturatingSum(self.fileBytes, fileBytes)
    self.bytes = saturatingSum(self.bytes, bytes)
  }

  /// How much fewer bytes the packed files take than the files as they are, percent; nil without files.
  package var changePercent: Double? {
    fileBytes > 0 ? (Double(bytes) / Double(fileBytes) - 1) * 100 : nil
  }
}

/// Adds up images with a lossy source, variant by variant and target by target.
struct FileAccumulator: Sendable {
  private struct Sum: Sendable {
    var images = 0
    var fileBytes = 0
    var bytes = 0.0
    var larger = 0
  }

  private let targets: [Double]
  private var images = 0
  /// By variant, then by target.
  private var sums: [[Sum]] = []

  init(targets: [Double]) { self.targets = targets }

  /// Adds an image whose file has so many bytes. `bytes` tells what a variant takes at a target, by their numbers;
  /// nil where it does not get there.
  mutating func add(fileBytes: Int, variants: Int, bytes: (_ variant: Int, _ target: Int) -> Double?) {
    images += 1
    while sums.count < variants { sums.append(targets.map { _ in Sum() }) }
    for variant in 0..<variants {
      for target in targets.indices {
        guard let taken = bytes(variant, target) else { continue }
        sums[variant][target].images += 1
        sums[variant][target].fileBytes = saturatingSum(sums[variant][target].fileBytes, fileBytes)
        sums[variant][target].bytes += taken
        if taken > Double(fileBytes) { sums[variant][target].larger += 1 }
      }
    }
  }

  /// The comparisons that stand on at least one image.
  func comparisons(_ variants: [CodecVariant]) -> [FileComparison] {
    zip(variants, sums).flatMap { variant, sums in
      zip(targets, sums).compactMap { target, sum in
        guard sum.images > 0 else { return nil }
        return FileComparison(
          variant: variant, target: target, images: sum.images, outOf: images, fileBytes: sum.fileBytes,
          bytes: sum.bytes, larger: sum.larger)
      }
    }
  }
}
