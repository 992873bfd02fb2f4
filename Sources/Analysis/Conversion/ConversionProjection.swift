internal import Foundation
package import Model

/// A file of the sample after a conversion that was tried.
package struct TriedConversion: Sendable, Hashable {
  /// What came of it.
  package enum Outcome: Sendable, Hashable {
    /// The file would have so many bytes, metadata that stay included, after so much CPU time of one encode, seconds.
    case converted(bytes: Int, seconds: Double)
    /// No quality of the codec reaches the score.
    case outOfReach
    /// The codec cannot take the file, and says why.
    case impossible(String)
    /// It should have worked.
    case failed(String)
  }

  /// The image's name.
  package var image: String
  /// Bytes of the file as it is.
  package var fileBytes: Int
  /// Pixels of its picture.
  package var pixels: Int
  /// What came of it.
  package var outcome: Outcome
  /// The quality that was found, and the score there; nil where there is none, as without loss.
  package var quality: Quality?
  package var score: Double?

  /// States a try.
  package init(
    image: String, fileBytes: Int, pixels: Int, outcome: Outcome, quality: Quality? = nil,
    score: Double? = nil
  ) {
    (self.image, self.fileBytes, self.pixels) = (image, fileBytes, pixels)
    (self.outcome, self.quality, self.score) = (outcome, quality, score)
  }

  /// Bytes after the conversion; nil where there is none.
  package var bytes: Int? { if case .converted(let bytes, _) = outcome { bytes } else { nil } }
  /// Seconds of CPU time of the encode; nil where there is none.
  package var seconds: Double? { if case .converted(_, let seconds) = outcome { seconds } else { nil } }
  /// Whether the file would get smaller.
  package var isSmaller: Bool { bytes.map { $0 < fileBytes } ?? false }
}

/// What a conversion of all files of a folder would save and take, projected from a sample.
package struct ConversionProjection: Sendable {
  /// The codec and its settings.
  package let variant: CodecVariant
  /// The score that every file keeps, against itself as it is; nil for a conversion without loss.
  package let score: Double?
  /// The files of the sample.
  package let files: [TriedConversion]
  /// Bytes of the folder with every file converted that can be; the others stay as they are.
  package let bytes: RatioEstimate?
  /// Bytes of the folder with those files converted alone that get smaller.
  package let bytesWhereSmaller: RatioEstimate?
  /// CPU time of one encode of every file that can be converted, seconds, by the ratio to pixels.
  package let seconds: RatioEstimate?

  /// Projects a sample to a folder of `count` files with `bytes` bytes and `pixels` pixels.
  package init(
    _ variant: CodecVariant, score: Double?, files: [TriedConversion], count: Int, bytes: Int, pixels: Double
  ) {
    (self.variant, self.score, self.files) = (variant, score, files)
    func project(most: Double = .infinity, _ measured: (TriedConversion) -> Int) -> RatioEstimate? {
      RatioEstimate(
        files.map { .init(known: Double($0.fileBytes), measured: Double(measured($0))) }, count: count,
        known: Double(bytes), most: most)
    }
    self.bytes = project { $0.bytes ?? $0.fileBytes }
    bytesWhereSmaller = project(most: Double(bytes)) { min($0.bytes ?? $0.fileBytes, $0.fileBytes) }
    mostSmaller = files.count < count && !files.isEmpty ? 1 - pow(0.05, 1 / Double(files.count)) : 0
    seconds = RatioEstimate(
      files.map { .init(known: Double($0.pixels), measured: $0.seconds ?? 0) }, count: count, known: pixels)
  }

  /// The largest share of the folder's files that get smaller which goes with a sample in which none does, with 95 %
  /// confidence: 1 − 0.05^(1/n) of n files (Hanley and Lippman-Hand, If nothing goes wrong, is everything all right?,
  /// JAMA 249, 1983); 0 where the sample is the whole folder.
  package let mostSmaller: Double

  /// How many of the sample can be converted.
  package var converted: Int { files.count { $0.bytes != nil } }
  /// How many of the sample get smaller.
  package var smaller: Int { files.count(where: \.isSmaller) }
  /// How many of the sample no quality brings to the score.
  package var outOfReach: Int { files.count { $0.outcome == .outOfReach } }
  /// How many of the sample should have worked and did not.
  package var failed: Int { files.count { if case .failed = $0.outcome { true } else { false } } }
}
