import Foundation
import Model

/// The expected cost of encoding and decoding with a codec, used until enough has been measured.
struct CodecCost {
  /// CPU seconds per megapixel of a photograph at the middle quality.
  let seconds: Double
  /// The exponent with which the time grows with quality, relative to `shape`.
  let exponent: Double
  /// Variation between images: the standard deviation of the logarithm.
  let spread: Double
  /// True if the figures hold for these settings; otherwise `seconds` means nothing.
  let isMeasured: Bool

  /// Default settings, measured on seven photographs of 0.4 to 2.8 megapixels with the libraries of Debian 12.
  private static let known: [String: (seconds: Double, exponent: Double, spread: Double)] = [
    "jpeg": (0.0065, 0.5, 0.15), "heic": (1.2, 1, 0.4), "avif": (0.8, 0.6, 0.4), "webp": (0.12, 0.3, 0.3),
    "jxl": (0.35, 0, 0.3),
  ]

  init(of variant: CodecVariant) {
    let known = Self.known[variant.codec]
    (seconds, exponent, spread) = known ?? (1, 0.7, 1)
    isMeasured = known != nil && variant.settings.isEmpty && variant.build == nil
  }

  /// Cost of a quality relative to the middle one.
  func shape(_ quality: Quality) -> Double { pow(Self.shape(quality), exponent) }

  /// At the qualities 0.0, 0.1 … 1.0: means over these photographs and the corpus's.
  private static let shapes = [0.32, 0.4, 0.49, 0.62, 0.79, 1, 1.32, 1.65, 1.84, 2, 2]

  /// The cost of a quality relative to the middle one with libheif and x265, whose times rise the most.
  static func shape(_ quality: Quality) -> Double {
    let place = quality.value * Double(shapes.count - 1)
    let index = min(Int(place), shapes.count - 2)
    return shapes[index] + (shapes[index + 1] - shapes[index]) * (place - Double(index))
  }
}
