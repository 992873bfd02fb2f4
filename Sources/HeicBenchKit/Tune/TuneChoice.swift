import Analysis
import Foundation
import Model

/// The variants that answer what people ask, by the figures of some images.
struct TuneChoice {
  enum Wish: Hashable {
    case anyCPU
    /// At most the CPU time of the settings begun from, or of a limit in milliseconds per megapixel.
    case limited(Double?)
    /// The least CPU time with no more bytes than the settings begun from.
    case cheapest
  }

  /// Nil where nothing answers it better than the settings begun from.
  private(set) var answers: [(wish: Wish, variant: CodecVariant?)] = []

  /// The variants that answer anything, each once.
  var variants: [CodecVariant] {
    answers.compactMap(\.variant).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// A ratio of mean CPU times that counts as equal.
  private static let noise = 1.03

  private struct Candidate {
    let variant: CodecVariant
    let bytes, time: LogRatios
    let milliseconds: Double
  }

  /// Chooses among variants that have the score in most of the images.
  /// - Parameter slack: A factor on limits of time, for times that were not taken side by side.
  init(
    among variants: [CodecVariant], against base: CodecVariant, _ meter: any TuneMeter, images: [Int],
    cpu: Double?,
    slack: Double = 1
  ) {
    let candidates = variants.filter { $0 != base }.compactMap { variant -> Candidate? in
      guard let bytes = LogRatios(variant, base, images, meter), bytes.values.count * 4 >= images.count * 3,
        let time = LogRatios(variant, base, images, meter, of: \.encode),
        let milliseconds = Self.milliseconds(variant, images, meter)
      else { return nil }
      return Candidate(variant: variant, bytes: bytes, time: time, milliseconds: milliseconds)
    }
    let smaller = candidates.filter { $0.bytes.interval(0.95).upper < 0 }
    func smallest(_ candidates: [Candidate]) -> CodecVariant? {
      candidates.min { ($0.bytes.mean, $0.variant.name) < ($1.bytes.mean, $1.variant.name) }?.variant
    }
    answers.append((.anyCPU, smallest(smaller)))
    if let cpu {
      // Under a limit that the settings begun from do not keep, more bytes than theirs may be the best there is.
      let isBaseFast = Self.milliseconds(base, images, meter).map { $0 <= cpu } ?? false
      answers.append(
        (
          .limited(cpu),
          smallest((isBaseFast ? smaller : candidates).filter { $0.milliseconds <= cpu * slack })
        ))
    } else {
      // Pairs do not show that it takes longer, nor does the mean by more than a machine's noise.
      answers.append(
        (
          .limited(nil),
          smallest(
            smaller.filter {
              $0.time.interval(0.95).lower <= log(slack) && $0.time.mean <= log(Self.noise * slack)
            })
        ))
    }
    let cheaper = smaller.filter { $0.time.interval(0.95).upper < 0 }
    answers.append((.cheapest, cheaper.min { $0.time.mean < $1.time.mean }?.variant))
  }

  /// Mean CPU time of an encode over images, milliseconds per megapixel.
  private static func milliseconds(_ variant: CodecVariant, _ images: [Int], _ meter: any TuneMeter)
    -> Double?
  {
    images.compactMap { meter.figure(variant, $0)?.encode }.mean
  }
}
