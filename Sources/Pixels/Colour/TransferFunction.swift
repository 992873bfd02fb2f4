import Foundation

/// The function from sample values, 0 to 1, to linear light, 0 to 1.
package enum TransferFunction: Sendable, Hashable {
  /// IEC 61966-2-1.
  case sRGB
  /// The inverse of the camera curve of ITU-R BT.709 (and of BT.601 and BT.2020, which share it).
  case bt709
  /// The inverse of the camera curve of SMPTE ST 240.
  case smpte240
  case gamma(Double)
  /// SMPTE ST 2084, relative to its peak of 10,000 cd/m².
  case pq
  /// The inverse of the camera curve of Hybrid Log-Gamma, ITU-R BT.2100: relative scene light.
  case hlg

  /// Samples that are already linear light.
  package static let linear = TransferFunction.gamma(1)

  /// The display curve for this number in ITU-T H.273, table 3; nil for reserved, unspecified and rare numbers.
  ///
  /// The curve of BT.709, BT.601 and BT.2020 is a camera's; its pictures are made for a display, and viewers show them
  /// with sRGB's curve. Tools convert a PNG's gAMA of 45455, which means sRGB, to 4, a display with gamma 2.2.
  package init?(codePoint: Int) {
    switch codePoint {
    case 1, 4, 6, 11, 12, 13, 14, 15: self = .sRGB
    case 5: self = .gamma(2.8)
    case 7: self = .smpte240
    case 8: self = .linear
    case 16: self = .pq
    // SMPTE ST 428-1, relative to its full sample.
    case 17: self = .gamma(2.6)
    case 18: self = .hlg
    default: return nil
    }
  }

  /// The function for samples that are light to the power of `gamma`, as stated in PNG's gAMA and JPEG XL; nil for
  /// powers that no display has.
  ///
  /// 0.45455 and its neighbours with five digits mean sRGB's curve, following the PNG standard's advice to writers of
  /// sRGB. Values with more digits come from ICC profiles with an exact power, which libjxl restates.
  package init?(gamma: Double) {
    guard (0.1...10).contains(gamma) else { return nil }
    let steps = gamma * 100_000
    let isGAMA = abs(steps - steps.rounded()) < 0.005
    if isGAMA, (45_000...46_000).contains(steps.rounded()) {
      self = .sRGB
    } else {
      // A file's rounding leaves four correct digits of 2.8 or 1.8.
      self = .gamma((10_000 / gamma).rounded() / 10_000)
    }
  }

  /// The number in H.273 for which `init(codePoint:)` gives this function; nil without one.
  package var codePoint: Int? {
    switch self {
    case .sRGB: 13
    case .gamma(2.8): 5
    case .smpte240: 7
    case .linear: 8
    case .pq: 16
    case .gamma(2.6): 17
    case .hlg: 18
    case .bt709, .gamma: nil
    }
  }

  /// True for light beyond a picture's white, which SDR metrics do not model.
  package var isHDR: Bool { self == .pq || self == .hlg }

  package var name: String {
    switch self {
    case .sRGB: "sRGB"
    case .bt709: "BT.709"
    case .smpte240: "SMPTE 240M"
    case .gamma(1): "linear"
    case .gamma(let exponent): "gamma \((exponent * 1000).rounded() / 1000)"
    case .pq: "PQ"
    case .hlg: "HLG"
    }
  }

  /// The coefficients g, a, b, c, d of an ICC parametric curve (ICC.1:2010, 10.16, function type 3): (a x + b)^g from d
  /// up, c x below. Nil for functions of another form.
  var parametricCoefficients: [Double]? {
    switch self {
    case .sRGB: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    case .bt709: [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081]
    case .smpte240: [1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 1 / 4, 0.0912]
    case .gamma, .pq, .hlg: nil
    }
  }

  package func linearLight(_ value: Double) -> Double {
    switch self {
    case .sRGB, .bt709, .smpte240:
      guard let p = parametricCoefficients else { return value }
      return value >= p[4] ? pow(p[1] * value + p[2], p[0]) : p[3] * value
    case .gamma(let exponent): return pow(value, exponent)
    case .pq:
      let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
      let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)
      let root = pow(value, 1 / m2)
      return pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    case .hlg:
      let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
      return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
    }
  }

  /// The inverse of `linearLight`.
  package func encoded(_ light: Double) -> Double {
    switch self {
    case .sRGB, .bt709, .smpte240:
      guard let p = parametricCoefficients else { return light }
      return light >= p[3] * p[4] ? (pow(light, 1 / p[0]) - p[2]) / p[1] : light / p[3]
    case .gamma(let exponent): return pow(light, 1 / exponent)
    case .pq:
      let power = pow(light, 2610.0 / 16384)
      return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
    case .hlg:
      let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
      return light <= 1.0 / 12 ? (3 * light).squareRoot() : a * log(12 * light - b) + c
    }
  }
}
