import Analysis
import Foundation
import Model
import Pixels

struct TriedConversion: Sendable, Hashable {
  enum Outcome: Sendable, Hashable {
    /// Bytes of the converted file with its preserved metadata, and CPU seconds of one encode.
    case converted(bytes: Int, seconds: Double)
    /// No quality of the codec reaches the score.
    case outOfReach
    case impossible(String)
    case failed(String)
  }

  let image: String
  let fileBytes: Int
  let pixels: Int
  var outcome: Outcome
  /// The quality of the file that was made, and its score; both nil without loss, and for an estimate.
  var quality: Quality?
  var score: Double?
  /// Index of the file's kind in the folder.
  var kind = 0
  /// True if the bytes are estimated along the curve of the first pass, and the file is still to be made.
  var isQuick = false
  /// That estimate, also where the file has been made since.
  var quickBytes: Int?

  var bytes: Int? { if case .converted(let bytes, _) = outcome { bytes } else { nil } }
  var seconds: Double? { if case .converted(_, let seconds) = outcome { seconds } else { nil } }
  /// The file with the outcome of the fast settings in place of that of those asked for.
  var asQuick: TriedConversion {
    guard !isQuick, let quickBytes else { return self }
    var file = self
    (file.outcome, file.isQuick) = (.converted(bytes: quickBytes, seconds: seconds ?? 0), true)
    return file
  }

  var isSmaller: Bool { bytes.map { $0 < fileBytes } ?? false }
}

/// The answer to “what do I set?” for a row.
enum ConversionSetting: Sendable, Hashable {
  /// The lowest quality at which nine in ten files have the score.
  case quality(Quality)
  /// No quality of the codec brings so many files to the score.
  case outOfReach
}

/// Files of a folder that are sampled separately: those of one format, or of several rare ones.
struct FileKind: Sendable, Hashable {
  var count: Int
  var bytes: Int
  var pixels: Double
}

extension FileKind {
  /// Files that stand for themselves.
  init(of files: [TriedConversion]) {
    self.init(
      count: files.count, bytes: files.reduce(0) { $0 +| $1.fileBytes },
      pixels: files.reduce(0) { $0 + Double($1.pixels) })
  }
}

struct ConversionProjection: Sendable {
  let variant: CodecVariant
  /// Score that nine in ten files keep against their originals; nil for lossless conversion.
  let score: Double?
  /// Nil without loss, and while it is unknown.
  let setting: ConversionSetting?
  /// True once all files have been made at the setting.
  let isTold: Bool
  /// The files that were tried. While only some have been made at the setting, the others' bytes are estimated and
  /// corrected by what those have told, or all are estimates if those are too few.
  let files: [TriedConversion]
  /// The variant with the codec's fast settings; nil if it has none.
  let quick: CodecVariant?
  /// True if the other chroma was tried as well.
  var hasRival = false
  /// True if all figures are estimates of the first pass, for want of files that were made at the setting.
  let isQuick: Bool
  /// False if the files done are no sample of the folder, and stand for themselves.
  let isProjected: Bool
  /// Bytes of the folder with every possible conversion; other files stay unchanged.
  let bytes: RatioEstimate?
  /// Bytes of the folder if only files that shrink are converted.
  let bytesWhereSmaller: RatioEstimate?
  /// CPU seconds of one encode of every convertible file, by the ratio to pixels.
  let seconds: RatioEstimate?

  /// - Parameter kinds: What the files are a sample of; nil if they are none, and stand for themselves.
  init(
    _ variant: CodecVariant, score: Double?, setting: ConversionSetting? = nil, isTold: Bool = true,
    files tried: [TriedConversion], kinds: [FileKind]?, quick: CodecVariant? = nil
  ) {
    (self.variant, self.score, self.setting, self.isTold, self.quick) = (
      variant, score, setting, isTold, quick
    )
    isProjected = kinds != nil
    let isPartly = tried.contains(where: \.isQuick)
    let correction = isPartly ? QuickCorrection(tried) : nil
    isQuick = isPartly && correction == nil
    files = isPartly ? tried.map { correction?.corrected($0) ?? $0.asQuick } : tried
    let kinds = kinds ?? [FileKind(of: tried)]
    let own = Self.samples(files, kinds, isOneKind: !isProjected)
    func project(
      most: Double = .infinity, _ measured: (_ bytes: Double, _ now: Double) -> Double
    ) -> RatioEstimate? {
      guard setting != .outOfReach else { return nil }
      let strata = zip(kinds, own).map { kind, sample in
        RatioEstimate.Stratum(
          sample: sample.map { file in
            let now = Double(file.fileBytes)
            return .init(known: now, measured: file.bytes.map { measured(Double($0), now) } ?? now)
          }, count: kind.count, known: Double(kind.bytes))
      }
      return RatioEstimate(strata, most: most, guessErrors: correction?.errors(measured))
    }
    bytes = project { bytes, _ in bytes }
    bytesWhereSmaller = project(most: kinds.reduce(0) { $0 + Double($1.bytes) }, min)
    let asked = Self.samples(files.filter { !$0.isQuick }, kinds, isOneKind: !isProjected)
    seconds =
      setting == .outOfReach
      ? nil
      : RatioEstimate(
        zip(kinds, asked).map { kind, sample in
          .init(
            sample: sample.map { .init(known: Double($0.pixels), measured: $0.seconds ?? 0) },
            count: kind.count, known: kind.pixels)
        })
    mostSmaller = Self.mostUnseen(zip(kinds, own).map { ($0.count, $1.count) })
    let all = kinds.reduce(0.0) { $0 + Double($1.count) }
    smallerShare =
      zip(kinds, own).reduce(0.0) { sum, part in
        let (kind, sample) = part
        return sum + Double(kind.count) * Double(sample.count(where: \.isSmaller))
          / Double(max(sample.count, 1))
      } / max(all, 1)
  }

  private static func samples(
    _ files: [TriedConversion], _ kinds: [FileKind], isOneKind: Bool
  ) -> [[TriedConversion]] {
    isOneKind ? [files] : kinds.indices.map { kind in files.filter { $0.kind == kind } }
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
  let mostSmaller: Double

  /// The share of the folder's files that get smaller, as far as the sample tells.
  let smallerShare: Double

  /// The quality to set; nil without loss, and where none will do.
  var quality: Double? { if case .quality(let quality) = setting { quality.value } else { nil } }

  /// The files that were made and scored.
  var scored: [TriedConversion] { files.filter { $0.score != nil } }
  /// Those that have the score.
  var reached: Int { scored.count { ($0.score ?? 0) >= score ?? 0 } }

  var converted: Int { files.count { $0.bytes != nil } }
  var smaller: Int { files.count(where: \.isSmaller) }
  var outOfReach: Int { files.count { $0.outcome == .outOfReach } }
  var failed: Int { files.count { if case .failed = $0.outcome { true } else { false } } }
}

/// Correction of files tried with the fast settings alone, by those tried with both.
private struct QuickCorrection {
  private let pairs: [(now: Double, quick: Double, asked: Double)]
  private let ratio: Double

  /// Nil for fewer files with both than an interval takes.
  init?(_ files: [TriedConversion]) {
    pairs = files.compactMap { file in
      guard !file.isQuick, let asked = file.bytes, let quick = file.quickBytes, quick > 0 else { return nil }
      return (Double(file.fileBytes), Double(quick), Double(asked))
    }
    guard pairs.count >= Bootstrap.minimumImages else { return nil }
    ratio = pairs.reduce(0) { $0 + $1.asked } / pairs.reduce(0) { $0 + $1.quick }
  }

  func corrected(_ file: TriedConversion) -> TriedConversion {
    guard file.isQuick, case .converted(let bytes, let seconds) = file.outcome else { return file }
    var file = file
    file.outcome = .converted(bytes: Int(Double(bytes) * ratio), seconds: seconds)
    return file
  }

  func errors(_ measured: (_ bytes: Double, _ now: Double) -> Double) -> [Double] {
    pairs.map { measured($0.asked, $0.now) - measured($0.quick * ratio, $0.now) }
  }
}
