import Analysis
import Foundation
import Model

/// The variants that answer the user's wishes, chosen from the figures of some images.
struct TuneChoice {
  enum Wish: Hashable {
    case anyCPU
    /// At most the CPU time of the starting settings, or a limit in milliseconds per megapixel.
    case limited(Double?)
    /// The least CPU time with the bytes of the starting settings, or fewer.
    case cheapest
  }

  /// Nil if nothing answers a wish better than the starting settings.
  private(set) var answers: [(wish: Wish, variant: CodecVariant?)] = []

  /// The variants that answer a wish, each once.
  var variants: [CodecVariant] {
    answers.compactMap(\.variant).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The two best variants for each wish. A search measures them at different moments, so their order may change when
  /// they are measured together.
  private(set) var finalists: [CodecVariant] = []

  /// Mean CPU times up to this ratio count as equal.
  private static let noise = 1.03
  /// Bytes count as no more than those of the starting settings if their ratio certainly lies below this.
  private static let sameBytes = 1.01
  /// CPU times up to this factor above a limit are checked again.
  private static let slack = 1.25

  private struct Candidate {
    let variant: CodecVariant
    let bytes, time: LogRatios
    let milliseconds: Double
  }

  /// Chooses among variants that reach the score in most of the images.
  /// - Parameter loosely: Also what other images may show to answer a wish: times up to a quarter above a limit, since
  ///   they were not measured together, and bytes by their mean alone.
  init(
    among variants: [CodecVariant], against base: CodecVariant, _ meter: any TuneMeter, images: [Int],
    cpu: Double?,
    loosely: Bool = false
  ) {
    let slack = loosely ? Self.slack : 1
    let candidates = variants.filter { $0 != base }.compactMap { variant -> Candidate? in
      guard let bytes = LogRatios(variant, base, images, meter), bytes.values.count * 4 >= images.count * 3,
        let time = LogRatios(variant, base, images, meter, of: \.encode),
        let milliseconds = Self.milliseconds(variant, images, meter)
      else { return nil }
      return Candidate(variant: variant, bytes: bytes, time: time, milliseconds: milliseconds)
    }
    let smaller = candidates.filter { $0.bytes.interval(0.95).upper < 0 }
    func bySize(_ candidates: [Candidate]) -> [Candidate] {
      candidates.sorted { ($0.bytes.mean, $0.variant.name) < ($1.bytes.mean, $1.variant.name) }
    }
    answer(.anyCPU, bySize(smaller))
    if let cpu {
      // If the starting settings exceed the limit, the best answer may take more bytes than they do.
      let isBaseFast = Self.milliseconds(base, images, meter).map { $0 <= cpu } ?? false
      answer(
        .limited(cpu), bySize((isBaseFast ? smaller : candidates).filter { $0.milliseconds <= cpu * slack }))
    } else {
      // Neither the pairs nor the mean, within a machine's noise, show that it takes longer.
      answer(
        .limited(nil),
        bySize(
          smaller.filter {
            $0.time.interval(0.95).lower <= log(slack) && $0.time.mean <= log(Self.noise * slack)
          }))
    }
    let cheaper = candidates.filter {
      (loosely ? $0.bytes.mean : $0.bytes.interval(0.95).upper) < log(Self.sameBytes)
        && $0.time.interval(0.95).upper < 0
    }
    answer(.cheapest, cheaper.sorted { $0.time.mean < $1.time.mean })
  }

  private mutating func answer(_ wish: Wish, _ best: [Candidate]) {
    answers.append((wish, best.first?.variant))
    for candidate in best.prefix(2) where !finalists.contains(candidate.variant) {
      finalists.append(candidate.variant)
    }
  }

  /// Mean CPU time of an encode over images, milliseconds per megapixel.
  private static func milliseconds(_ variant: CodecVariant, _ images: [Int], _ meter: any TuneMeter)
    -> Double?
  {
    images.compactMap { meter.figure(variant, $0)?.encode }.mean
  }
}
