import Foundation
package import Model
import Store

/// Bytes of lossy source files against a variant's bytes for the same pixels at one score: the answer to “should I
/// convert my JPEGs?”. Scores are against the original file, so a conversion adds its loss to the file's own.
package struct FileComparison: Sendable, Hashable {
  package var variant: CodecVariant
  /// Score of the headline metric.
  package var target: Double
  /// Images with a lossy source that the variant brings to the score.
  package var images: Int
  /// All images with a lossy source.
  package var outOf: Int
  /// Bytes of the original files of these images.
  package var fileBytes: Int
  /// Bytes of the variant at the score, interpolated.
  package var bytes: Double
  /// Images whose file would grow.
  package var larger: Int

  /// Change of the total in percent; nil without bytes.
  package var changePercent: Double? { fileBytes > 0 ? (bytes / Double(fileBytes) - 1) * 100 : nil }
}

/// Bytes of lossy source files after lossless packing: the other answer to the same question.
package struct FileRecompression: Sendable, Hashable, Codable {
  package let variant: CodecVariant
  package private(set) var images = 0
  /// Bytes of the original files.
  package private(set) var fileBytes = 0
  package private(set) var bytes = 0

  init(_ variant: CodecVariant) { self.variant = variant }

  mutating func add(fileBytes: Int, bytes: Int) {
    images += 1
    self.fileBytes = saturatingSum(self.fileBytes, fileBytes)
    self.bytes = saturatingSum(self.bytes, bytes)
  }

  /// Change of the total in percent, negative if smaller; nil without files.
  package var changePercent: Double? {
    fileBytes > 0 ? (Double(bytes) / Double(fileBytes) - 1) * 100 : nil
  }
}

/// Sums over images with a lossy source, by variant and target.
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

  /// Adds an image. `bytes` returns a variant's bytes at a target, by index; nil if it does not reach it.
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

  /// Returns the comparisons with at least one image.
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
