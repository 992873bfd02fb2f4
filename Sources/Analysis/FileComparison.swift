internal import Foundation
package import Model
import Store

/// What lossy source files take as they are, against what a variant takes for the same pixels at one score: the
/// answer to “should I convert my JPEGs?”. The score is against the file as it is, so a conversion adds its loss to
/// the file's own.
package struct FileComparison: Sendable, Hashable, Codable {
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

  /// `JXL (recompress=true) gives the 12 files back byte for byte from 15.9 % fewer bytes.`
  package var sentence: String? {
    guard fileBytes > 0 else { return nil }
    let change = (Double(bytes) / Double(fileBytes) - 1) * 100
    return "\(variant.title) gives \(images == 1 ? "the file" : "\(images) files") back byte for byte from "
      + "\(percent(change)) % \(change < 0 ? "fewer" : "more") bytes."
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

extension Analysis {
  /// The comparison with the files in a sentence: what each variant would make of them at the highest three scores
  /// that it brings at least half of them to. Nil where there are no lossy sources to compare with.
  package var fileSentence: String? {
    if sourcesAreShrunk, counts.lossyImages > 0 {
      return
        "Nothing is said against the files themselves: the images were shrunk first, so the files hold more."
    }
    let packed = fileRecompressions.compactMap(\.sentence)
    guard let headline else { return packed.isEmpty ? nil : packed.joined(separator: " ") }
    let parts = variants.compactMap { variant -> String? in
      let own = fileComparisons.filter { $0.variant == variant && $0.images * 2 >= $0.outOf }.suffix(3)
      let sizes = own.enumerated().compactMap { index, comparison -> String? in
        guard let change = comparison.changePercent else { return nil }
        let few = comparison.images < comparison.outOf ? " (\(comparison.images) of them)" : ""
        let size = "\(percent(change)) % \(change < 0 ? "fewer" : "more")"
        let place = index == 0 ? headline.phrase(comparison.target) : brief(comparison.target)
        return "\(size)\(index == 0 ? " bytes" : "") at \(place)\(few)"
      }
      return sizes.isEmpty ? nil : "\(variant.title) takes \(sizes.joined(separator: ", "))"
    }
    guard let first = fileComparisons.first, !parts.isEmpty else {
      return packed.isEmpty ? nil : packed.joined(separator: " ")
    }
    let converted =
      "Against the \(counted(first.outOf, "lossy file")) as \(first.outOf == 1 ? "it is" : "they are"): "
      + parts.joined(separator: "; ") + "."
    return ([converted] + packed).joined(separator: " ")
  }
}
