import Foundation

/// A gain map and the pictures that it makes from its base.
package struct GainMap: Sendable {
  package let metadata: GainMapMetadata
  /// The gains as coded, gray or RGB, with the base's size or smaller; its profile has no meaning.
  package let image: RasterImage
  /// A profile with the other rendition's primaries; nil if not stated.
  package let alternateProfile: ColorProfile?

  package init(_ metadata: GainMapMetadata, image: RasterImage, alternateProfile: ColorProfile? = nil) {
    (self.metadata, self.image, self.alternateProfile) = (metadata, image, alternateProfile)
  }

  /// The base as shown on a display with this headroom in stops, in 16-bit PQ with SDR white at
  /// `HDRLight.referenceWhite`. Alpha is the base's.
  ///
  /// ISO 21496-1: (base + base offset) · 2^(gain · weight) − alternate offset. Apple: base · (1 + (2^headroom − 1) ·
  /// gain), with the map coded with BT.709's curve, and with the display's headroom if the map's is larger. Coded
  /// samples of the map are interpolated bilinearly.
  package func applied(to base: RasterImage, headroom: Double) throws(PixelError) -> RasterImage {
    let light = try LinearLight(base)
    let toGains = try Self.primaries(of: usedProfile(base), isGray: base.format.layout.isGray)
    let fromGains = toGains.inverse
    guard fromGains.isFinite else { throw PixelError("the base's colour profile has no colours") }
    let maximum = 65535.0
    let encoder = HDRTransform(.pq, maximum: Int(maximum))
    let rows = GainRows(image, width: base.width, height: base.height)
    let gain = Gain(metadata, headroom: headroom)
    let hasAlpha = base.format.layout.hasAlpha
    let channels = hasAlpha ? 4 : 3
    var samples = [UInt16](repeating: 0, count: base.pixelCount * channels)
    for y in 0..<base.height {
      let (row, gains) = (light.row(y), rows.row(y))
      for x in 0..<base.width {
        var colour = SIMD3(Double(row.planes[0][x]), Double(row.planes[1][x]), Double(row.planes[2][x]))
        if !gain.isNone { colour = toGains * gain.apply(to: fromGains * colour, by: gains, at: x) }
        let encoded = (encoder.encoded(SIMD3<Float>(colour)) * maximum).rounded(.toNearestOrAwayFromZero)
        let start = (y * base.width + x) * channels
        for channel in 0..<3 { samples[start + channel] = UInt16(encoded[channel]) }
        if hasAlpha { samples[start + 3] = UInt16((Double(row.alpha[x]) * maximum).rounded()) }
      }
    }
    let format = PixelFormat(layout: hasAlpha ? .rgba : .rgb, bitDepth: 16)
    return RasterImage(
      unchecked: base, profile: .light(.pq), width: base.width, height: base.height, format: format,
      samples: .words(samples))
  }

  private func usedProfile(_ base: RasterImage) -> ColorProfile {
    metadata.usesBaseColours ? base.profile : alternateProfile ?? base.profile
  }

  /// The matrix to linear sRGB from the linear light of a profile's own primaries, derived from its full red, green and
  /// blue.
  private static func primaries(of profile: ColorProfile, isGray: Bool) throws(PixelError) -> Matrix3 {
    if case .light(let light) = profile {
      return HDRTransform.toSRGB(from: light)
    }
    let full: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255]
    guard !isGray, profile != .sRGB,
      let colours = RasterImage(width: 3, height: 1, layout: .rgb, profile: profile, bytes: full)
    else { return .identity }
    let planes = try LinearLight(colours).row(0).planes
    func column(_ x: Int) -> SIMD3<Double> {
      SIMD3(Double(planes[0][x]), Double(planes[1][x]), Double(planes[2][x]))
    }
    return Matrix3(columns: (column(0), column(1), column(2)))
  }
}

/// The gains of samples, 0 to 1, at a headroom.
private struct Gain {
  private let metadata: GainMapMetadata
  private let weight: Double
  /// Apple's largest factor minus 1.
  private let boost: Double

  init(_ metadata: GainMapMetadata, headroom: Double) {
    self.metadata = metadata
    weight = metadata.weight(at: headroom)
    boost = exp2(min(max(headroom, 0), metadata.alternateHeadroom)) - 1
  }

  /// True if the base is shown unchanged, which the formula's offsets would prevent.
  var isNone: Bool { weight == 0 }

  func apply(to light: SIMD3<Double>, by gains: GainRows.Row, at x: Int) -> SIMD3<Double> {
    var light = light
    for index in 0..<3 {
      let sample = Double(gains[index, x])
      if metadata.kind == .apple {
        light[index] *= 1 + boost * TransferFunction.bt709.linearLight(sample)
      } else {
        let channel = metadata.channels[index]
        let share = channel.gamma == 1 ? sample : pow(sample, 1 / channel.gamma)
        let stops = channel.minimum + (channel.maximum - channel.minimum) * share
        light[index] = (light[index] + channel.baseOffset) * exp2(stops * weight) - channel.alternateOffset
      }
    }
    return light
  }
}

/// Rows of a map, from 0 to 1, at the size of its base.
private struct GainRows {
  struct Row {
    fileprivate var planes: [[Float]]
    subscript(channel: Int, x: Int) -> Float { planes[min(channel, planes.count - 1)][x] }
  }

  private let image: RasterImage
  private let height: Int
  /// Both neighbours of each column, and the share of the second.
  private let columns: [(Int, Int, Float)]

  init(_ image: RasterImage, width: Int, height: Int) {
    (self.image, self.height) = (image, height)
    columns = (0..<width).map { Self.neighbours($0, of: image.width, in: width) }
  }

  func row(_ y: Int) -> Row {
    let (upper, lower, share) = Self.neighbours(y, of: image.height, in: height)
    return switch image.samples {
    case .bytes(let samples): row(samples, upper, lower, share)
    case .words(let samples): row(samples, upper, lower, share)
    }
  }

  /// Samples are in the middle of their areas; those at the edges are repeated.
  private static func neighbours(_ place: Int, of count: Int, in size: Int) -> (Int, Int, Float) {
    let position = max((Double(place) + 0.5) * Double(count) / Double(size) - 0.5, 0)
    let first = min(Int(position), count - 1)
    return (first, min(first + 1, count - 1), Float(position - Double(first)))
  }

  private func row(
    _ samples: [some FixedWidthInteger], _ upper: Int, _ lower: Int, _ share: Float
  ) -> Row {
    let (step, full) = (image.format.layout.channels, Float(image.format.maximum))
    return Row(
      planes: (0..<(image.format.layout.isGray ? 1 : 3)).map { channel in
        columns.map { left, right, across in
          func mean(_ row: Int) -> Float {
            let start = row * image.width
            let (a, b) = (samples[(start + left) * step + channel], samples[(start + right) * step + channel])
            return Float(a) + (Float(b) - Float(a)) * across
          }
          let (a, b) = (mean(upper), mean(lower))
          return min((a + (b - a) * share) / full, 1)
        }
      })
  }
}
