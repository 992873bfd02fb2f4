import Analysis
import Foundation
package import Model

/// A file of the sample with its trial conversion.
package struct TriedConversion: Sendable, Hashable {
  package enum Outcome: Sendable, Hashable {
    /// Bytes of the converted file with its preserved metadata, and CPU seconds of one encode.
    case converted(bytes: Int, seconds: Double)
    /// No quality of the codec reaches the score.
    case outOfReach
    /// The codec cannot take the file, for this reason.
    case impossible(String)
    /// Unexpected failure.
    case failed(String)
  }

  package var image: String
  /// Bytes of the original file.
  package var fileBytes: Int
  package var pixels: Int
  /// Index of the file's kind in the folder.
  package var kind = 0
  package var outcome: Outcome
  /// Quality found, with its score; both nil without one, as for lossless conversion.
  package var quality: Quality?
  package var score: Double?

  package init(
    image: String, fileBytes: Int, pixels: Int, outcome: Outcome, quality: Quality? = nil,
    score: Double? = nil, kind: Int = 0
  ) {
    (self.image, self.fileBytes, self.pixels, self.kind) = (image, fileBytes, pixels, kind)
    (self.outcome, self.quality, self.score) = (outcome, quality, score)
  }

  package var bytes: Int? { if case .converted(let bytes, _) = outcome { bytes } else { nil } }
  package var seconds: Double? { if case .converted(_, let seconds) = outcome { seconds } else { nil } }
  package var isSmaller: Bool { bytes.map { $0 < fileBytes } ?? false }
}

/// Files of a folder that are sampled separately: those of one format, or of several rare ones.
package struct FileKind: Sendable, Hashable {
  /// Number of files.
  package var count: Int
  package var bytes: Int
  package var pixels: Double
}

/// Projection from a sample to the conversion of all files of a folder.
package struct ConversionProjection: Sendable {
  package let variant: CodecVariant
  /// Score that every file keeps against its original; nil for lossless conversion.
  package let score: Double?
  package let files: [TriedConversion]
  /// Bytes of the folder with every possible conversion; other files stay unchanged.
  package let bytes: RatioEstimate?
  /// Bytes of the folder if only files that shrink are converted.
  package let bytesWhereSmaller: RatioEstimate?
  /// CPU seconds of one encode of every convertible file, by the ratio to pixels.
  package let seconds: RatioEstimate?

  /// Projects a sample of each kind of files to a folder of such `kinds`.
  package init(_ variant: CodecVariant, score: Double?, files: [TriedConversion], kinds: [FileKind]) {
    (self.variant, self.score, self.files) = (variant, score, files)
    let samples = kinds.indices.map { kind in files.filter { $0.kind == kind } }
    func project(
      _ known: (FileKind) -> Double, most: Double = .infinity, _ file: (TriedConversion) -> RatioEstimate.File
    ) -> RatioEstimate? {
      RatioEstimate(
        zip(kinds, samples).map { .init($1.map(file), count: $0.count, known: known($0)) }, most: most)
    }
    let bytes = { (kind: FileKind) in Double(kind.bytes) }
    self.bytes = project(bytes) {
      .init(known: Double($0.fileBytes), measured: Double($0.bytes ?? $0.fileBytes))
    }
    bytesWhereSmaller = project(bytes, most: kinds.reduce(0) { $0 + bytes($1) }) {
      .init(known: Double($0.fileBytes), measured: Double(min($0.bytes ?? $0.fileBytes, $0.fileBytes)))
    }
    seconds = project(\.pixels) { .init(known: Double($0.pixels), measured: $0.seconds ?? 0) }
    mostSmaller = Self.mostUnseen(zip(kinds, samples).map { ($0.count, $1.count) })
  }

  /// Returns the largest share of all files compatible, with 95 % confidence, with samples that contain none of them.
  /// Of n files of one kind it is 1 − 0.05^(1/n). Of several kinds it is the shares p of their N files that maximise Σ
  /// N·p while Π (1 − p)^n is 0.05: 1 − p = min(1, λ·n/N), with λ found by halving.
  private static func mostUnseen(_ kinds: [(all: Int, seen: Int)]) -> Double {
    let open = kinds.filter { $0.seen < $0.all }
    let all = kinds.reduce(0.0) { $0 + Double($1.all) }
    guard !open.isEmpty, all > 0 else { return 0 }
    if open.contains(where: { $0.seen == 0 }) { return 1 }
    func rest(_ kind: (all: Int, seen: Int), _ lambda: Double) -> Double {
      min(1, lambda * Double(kind.seen) / Double(kind.all))
    }
    var (low, high) = (0.0, open.map { Double($0.all) / Double($0.seen) }.max() ?? 1)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      let chance = open.reduce(0.0) { $0 + Double($1.seen) * log(rest($1, middle)) }
      if chance < log(0.05) { low = middle } else { high = middle }
    }
    let unseen = open.reduce(0.0) { $0 + Double($1.all - $1.seen) }
    return min(open.reduce(0.0) { $0 + Double($1.all) * (1 - rest($1, high)) }, unseen) / all
  }

  /// Largest share of shrinking files in the folder that is compatible, with 95 % confidence, with a sample that has
  /// none (Hanley and Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 249, 1983); 0 if the sample
  /// is the whole folder.
  package let mostSmaller: Double

  /// Ascending qualities that keep the score, of the convertible files; empty without loss.
  package var qualities: [Double] {
    files.compactMap { $0.bytes == nil ? nil : $0.quality?.value }.sorted()
  }

  package var medianQuality: Double? { qualities.median }

  /// Returns the projection of a stopped conversion, over the finished files alone.
  package static func soFar(
    _ variant: CodecVariant, score: Double?, files: [TriedConversion]
  ) -> ConversionProjection? {
    guard !files.isEmpty else { return nil }
    var files = files
    for index in files.indices { files[index].kind = 0 }
    let kind = FileKind(
      count: files.count, bytes: files.reduce(0) { $0.addingReportingOverflow($1.fileBytes).partialValue },
      pixels: files.reduce(0) { $0 + Double($1.pixels) })
    return ConversionProjection(variant, score: score, files: files, kinds: [kind])
  }

  package var converted: Int { files.count { $0.bytes != nil } }
  package var smaller: Int { files.count(where: \.isSmaller) }
  /// Number of sample files that no quality brings to the score.
  package var outOfReach: Int { files.count { $0.outcome == .outOfReach } }
  /// Number of unexpected failures in the sample.
  package var failed: Int { files.count { if case .failed = $0.outcome { true } else { false } } }
}
