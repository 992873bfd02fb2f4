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
  /// Which of the folder's kinds of files it is of.
  package var kind = 0
  /// What came of it.
  package var outcome: Outcome
  /// The quality that was found, and the score there; nil where there is none, as without loss.
  package var quality: Quality?
  package var score: Double?

  /// States a try.
  package init(
    image: String, fileBytes: Int, pixels: Int, outcome: Outcome, quality: Quality? = nil,
    score: Double? = nil, kind: Int = 0
  ) {
    (self.image, self.fileBytes, self.pixels, self.kind) = (image, fileBytes, pixels, kind)
    (self.outcome, self.quality, self.score) = (outcome, quality, score)
  }

  /// Bytes after the conversion; nil where there is none.
  package var bytes: Int? { if case .converted(let bytes, _) = outcome { bytes } else { nil } }
  /// Seconds of CPU time of the encode; nil where there is none.
  package var seconds: Double? { if case .converted(_, let seconds) = outcome { seconds } else { nil } }
  /// Whether the file would get smaller.
  package var isSmaller: Bool { bytes.map { $0 < fileBytes } ?? false }
}

/// Files of a folder that are sampled by themselves: those of one format, or of several rare ones.
package struct FileKind: Sendable, Hashable {
  /// How many there are.
  package var count: Int
  /// Their bytes.
  package var bytes: Int
  /// Pixels of their pictures.
  package var pixels: Double

  /// States a kind.
  package init(count: Int, bytes: Int, pixels: Double) {
    (self.count, self.bytes, self.pixels) = (count, bytes, pixels)
  }
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

  /// The largest share of all files that goes with samples in which none of them is, with 95 % confidence. Of n files of
  /// one kind 1 − 0.05^(1/n). Of several kinds the shares p of their N files that make Σ N·p largest while
  /// Π (1 − p)^n is 0.05: 1 − p = min(1, λ·n/N), with λ by halving.
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

  /// The largest share of the folder's files that get smaller which goes with a sample in which none does, with 95 %
  /// confidence (Hanley and Lippman-Hand, If nothing goes wrong, is everything all right?,
  /// JAMA 249, 1983); 0 where the sample is the whole folder.
  package let mostSmaller: Double

  /// The qualities that keep the score, of the files that can be converted, the lowest first; empty without loss.
  package var qualities: [Double] {
    files.compactMap { $0.bytes == nil ? nil : $0.quality?.value }.sorted()
  }

  /// The median of them.
  package var medianQuality: Double? { Bootstrap.median(qualities) }

  /// The conversion as far as it was tried when the work was stopped: the files that were done, and no others.
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

  /// How many of the sample can be converted.
  package var converted: Int { files.count { $0.bytes != nil } }
  /// How many of the sample get smaller.
  package var smaller: Int { files.count(where: \.isSmaller) }
  /// How many of the sample no quality brings to the score.
  package var outOfReach: Int { files.count { $0.outcome == .outOfReach } }
  /// How many of the sample should have worked and did not.
  package var failed: Int { files.count { if case .failed = $0.outcome { true } else { false } } }
}
