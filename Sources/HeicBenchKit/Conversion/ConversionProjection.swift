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
  /// The quality and score of the converted file; both nil for lossless conversion and for an estimate.
  var quality: Quality?
  var score: Double?
  /// True if the bytes are estimated from the first pass's curve and the file is not made yet.
  var isQuick = false
  /// The estimate of the first pass, kept even after the file is made.
  var quickBytes: Int?

  var bytes: Int? { if case .converted(let bytes, _) = outcome { bytes } else { nil } }
  var seconds: Double? { if case .converted(_, let seconds) = outcome { seconds } else { nil } }
  /// The file with the outcome of the fast settings instead of the requested ones.
  var asQuick: TriedConversion {
    guard !isQuick, let quickBytes else { return self }
    var file = self
    (file.outcome, file.isQuick) = (.converted(bytes: quickBytes, seconds: seconds ?? 0), true)
    return file
  }

  var isSmaller: Bool { bytes.map { $0 < fileBytes } ?? false }
  var hasFailed: Bool { if case .failed = outcome { true } else { false } }
}

/// The answer to “what do I set?” for a row.
enum ConversionSetting: Sendable, Hashable {
  /// The lowest quality at which nine in ten files reach the score.
  case quality(Quality)
  /// At no quality do that many files reach the score.
  case outOfReach
}

struct ConversionProjection: Sendable {
  let variant: CodecVariant
  /// The score that nine in ten files reach against their originals; nil for lossless conversion.
  let score: Double?
  /// Nil for lossless conversion, and while it is unknown.
  let setting: ConversionSetting?
  /// True once all files have been made at the setting.
  let isTold: Bool
  /// The files that were tried. While only some have been made at the setting, the bytes of the others are estimated
  /// and corrected by those results; with too few results, all bytes are estimates.
  let files: [TriedConversion]
  /// The variant with the codec's fast settings; nil if it has none.
  let quick: CodecVariant?
  /// True if the other chroma was tried as well.
  var hasRival = false
  /// True if all figures are estimates of the first pass, because no files were made at the setting.
  let isQuick: Bool
  /// False if the finished files are not a sample of the folder and represent only themselves.
  let isProjected: Bool
  /// Bytes of the folder with every possible conversion; other files stay unchanged.
  let bytes: FolderEstimate?
  /// Bytes of the folder if only files that shrink are converted.
  let bytesWhereSmaller: FolderEstimate?
  /// CPU seconds for one encode of every convertible file, projected by pixels.
  let seconds: FolderEstimate?

  /// - Parameter sample: How the files represent the folder; nil if they represent only themselves.
  init(
    _ variant: CodecVariant, score: Double?, setting: ConversionSetting? = nil, isTold: Bool = true,
    files tried: [TriedConversion], sample: ConversionSample?, quick: CodecVariant? = nil
  ) {
    (self.variant, self.score, self.setting, self.isTold, self.quick) = (
      variant, score, setting, isTold, quick
    )
    isProjected = sample != nil
    let isPartly = setting != .outOfReach && tried.contains(where: \.isQuick)
    let correction = isPartly ? QuickCorrection(tried) : nil
    isQuick = isPartly && correction == nil
    let files = isPartly ? tried.map { correction?.corrected($0) ?? $0.asQuick } : tried
    self.files = files
    let sample = sample ?? ConversionSample(itself: tried)
    let folder = FolderEstimate.Folder(draws: sample.draws, count: sample.count, known: Double(sample.bytes))
    func project(
      most: Double = .infinity, _ measured: (_ bytes: Double, _ now: Double) -> Double
    ) -> FolderEstimate? {
      guard setting != .outOfReach else { return nil }
      return FolderEstimate(
        zip(sample.files, sample.chances).map { place, chance in
          let (file, now) = (files[place], Double(files[place].fileBytes))
          return .init(
            known: now, measured: file.bytes.map { measured(Double($0), now) } ?? now, chance: chance,
            guessError: correction?.error(of: file, measured))
        }, of: folder, most: most, isGuessed: correction != nil)
    }
    bytes = project { bytes, _ in bytes }
    bytesWhereSmaller = project(most: Double(sample.bytes), min)
    let timed = zip(sample.files, sample.chances).filter { !files[$0.0].isQuick }
    seconds =
      setting == .outOfReach || timed.count < sample.files.count && timed.count < Bootstrap.minimumImages
      ? nil
      : FolderEstimate(
        timed.map { place, chance in
          .init(known: Double(files[place].pixels), measured: files[place].seconds ?? 0, chance: chance)
        }, of: .init(draws: sample.draws, count: sample.count, known: sample.pixels), isShare: false)
    isRough = sample.isRough
    let known = sample.files.count { !files[$0].hasFailed }
    mostSmaller = sample.isWhole ? 0 : 1 - pow(0.05, 1 / Double(max(known, 1)))
    smallerShare = sample.share { files[$0].isSmaller }
  }

  /// True if kinds with a large share of the bytes are missing from the sample, so no interval can be promised.
  let isRough: Bool

  /// The largest chance of drawing a file that shrinks, with 95 % confidence, given a sample in which none does (Hanley
  /// and Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 249, 1983). It is roughly the share of the
  /// bytes in such files, and 0 if the sample is the whole folder.
  let mostSmaller: Double

  /// The share of the folder's files that get smaller, estimated from the sample.
  let smallerShare: Double

  /// The quality to set; nil for lossless conversion, if no quality is enough, and until the search for it has ended: it
  /// also tries a quality that it expects to be too low.
  var quality: Double? {
    if isTold, case .quality(let quality) = setting { quality.value } else { nil }
  }

  /// The files that were made and scored.
  var scored: [TriedConversion] { files.filter { $0.score != nil } }
  /// The number of files that reach the score.
  var reached: Int { scored.count { ($0.score ?? 0) >= score ?? 0 } }

  var converted: Int { files.count { $0.bytes != nil } }
  var smaller: Int { files.count(where: \.isSmaller) }
  var outOfReach: [TriedConversion] { files.filter { $0.outcome == .outOfReach } }
  var failed: Int { files.count(where: \.hasFailed) }
  /// The number of files known to get smaller or not; one that the codec refuses does not get smaller.
  var measured: Int { files.count - failed }
}

/// Corrects files tried only with the fast settings, using those tried with both.
private struct QuickCorrection {
  private let ratio: Double

  /// Nil if fewer files have both than an interval needs.
  init?(_ files: [TriedConversion]) {
    let pairs = files.compactMap { file -> (quick: Double, asked: Double)? in
      guard !file.isQuick, let asked = file.bytes, let quick = file.quickBytes, quick > 0 else { return nil }
      return (Double(quick), Double(asked))
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

  /// The estimate's error for a file that has also been made; nil for others.
  func error(of file: TriedConversion, _ measured: (_ bytes: Double, _ now: Double) -> Double) -> Double? {
    guard !file.isQuick, let asked = file.bytes, let quick = file.quickBytes else { return nil }
    let now = Double(file.fileBytes)
    return measured(Double(asked), now) - measured(Double(quick) * ratio, now)
  }
}
