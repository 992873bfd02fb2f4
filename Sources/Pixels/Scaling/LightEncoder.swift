/// Encodes rows of linear sRGB as interleaved samples in an image's own profile, layout and depth.
struct LightEncoder {
  private enum Conversion {
    case sRGB
    case profile(ColorTransform)
    /// A table of steps of light, for opaque 8-bit RGB in sRGB or a matrix profile.
    case channels(ChannelSteps)
    case hdr(HDRTransform)
  }

  private let conversion: Conversion
  private let format: PixelFormat

  private static let steps = ProfileCache<ChannelSteps?>()

  init(like image: RasterImage) throws(PixelError) { try self.init(image.format, image.profile) }

  init(_ format: PixelFormat, _ profile: ColorProfile) throws(PixelError) {
    self.format = format
    if case .light(let light) = profile {
      conversion = .hdr(HDRTransform(light, maximum: format.maximum))
      return
    }
    let hasSteps = format == PixelFormat(layout: .rgb, bitDepth: 8)
    guard case .icc(let bytes) = profile else {
      conversion = hasSteps ? .channels(.sRGB) : .sRGB
      return
    }
    if hasSteps {
      let steps = try Self.steps.value(bytes, key: 255) { () throws(PixelError) in
        ChannelSteps(try ColorTransform.toLinearSRGB(bytes))
      }
      if let steps {
        conversion = .channels(steps)
        return
      }
    }
    conversion = .profile(try ColorTransform.fromLinearSRGB(bytes))
  }

  func encode(_ row: LinearLight.Row) -> [UInt16] {
    switch conversion {
    case .channels(let steps): steps.encode(row.planes)
    case .profile(let transform): samples(values(row.planes, transform), alpha: row.alpha)
    case .hdr(let transform):
      samples(hdrValues(row.planes, transform), alpha: row.alpha)
    case .sRGB:
      samples(
        row.planes.prefix(format.layout.isGray ? 1 : 3).map { $0.map(sRGBValue) }, alpha: row.alpha)
    }
  }

  private func sRGBValue(_ light: Float) -> Float {
    format.bitDepth == 8
      ? Float(LightSteps.sRGB.value(light)) / 255 : Float(SRGBCurve.encoded(Double(light)))
  }

  private func hdrValues(_ light: [[Float]], _ transform: HDRTransform) -> [[Float]] {
    let encoded = light[0].indices.map { transform.encoded(SIMD3(light[0][$0], light[1][$0], light[2][$0])) }
    return (0..<(format.layout.isGray ? 1 : 3)).map { channel in encoded.map { Float($0[channel]) } }
  }

  /// Returns encoded values from 0 to 1: three planes, or one for gray.
  private func values(_ light: [[Float]], _ transform: ColorTransform) -> [[Float]] {
    let encoded = transform.convert(light, to: transform.profileChannels)
    // Colour samples under a gray profile repeat the gray value three times.
    return (0..<(format.layout.isGray ? 1 : 3)).map { encoded[min($0, encoded.count - 1)] }
  }

  private func samples(_ encoded: [[Float]], alpha: [Float]) -> [UInt16] {
    let channels = encoded + (format.layout.hasAlpha ? [alpha] : [])
    let full = Float(format.maximum)
    var samples: [UInt16] = []
    samples.reserveCapacity(alpha.count * channels.count)
    for pixel in alpha.indices {
      for channel in channels {
        let value = (channel[pixel] * full).rounded()
        samples.append(value.isNaN ? 0 : UInt16(min(max(value, 0), full)))
      }
    }
    return samples
  }
}

/// The inverse of `ChannelLight` for 8 bits: a matrix, then for each channel the value whose range contains the light.
struct ChannelSteps: Sendable {
  /// The columns of the matrix from linear sRGB to the channels' own light, 0 to 1, and the light of black.
  private let columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  private let black: SIMD4<Float>
  private let channels: [LightSteps]

  static let sRGB = ChannelSteps()

  /// Linear sRGB's own channels.
  private init() {
    columns = (SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0))
    black = .zero
    channels = [LightSteps](repeating: .sRGB, count: 3)
  }

  /// Nil unless the transform to linear sRGB belongs to a matrix profile with rising curves.
  init?(_ transform: ColorTransform) {
    // Every second value is the rounding boundary between two 8-bit values.
    guard let light = ChannelLight(transform, maximum: 510) else { return nil }
    let black = light.light(0, 0, 0)
    let axes = [light.light(510, 0, 0), light.light(0, 510, 0), light.light(0, 0, 510)].map { $0 - black }
    guard let inverse = Self.inverse(of: axes) else { return nil }
    (columns, self.black) = (inverse, black)
    var channels: [LightSteps] = []
    for channel in 0..<3 {
      let axis = axes[channel]
      let halves = stride(from: 1, to: 510, by: 2).map { half in
        let colour = light.light(
          channel == 0 ? half : 0, channel == 1 ? half : 0, channel == 2 ? half : 0)
        return ((colour - black) * axis).sum() / (axis * axis).sum()
      }
      guard zip(halves, halves.dropFirst()).allSatisfy(<) else { return nil }
      channels.append(LightSteps(limits: [0] + halves))
    }
    self.channels = channels
  }

  func encode(_ planes: [[Float]]) -> [UInt16] {
    let count = planes[0].count
    return [UInt16](unsafeUninitializedCapacity: count * 3) { target, written in
      for pixel in 0..<count {
        let light = SIMD4(planes[0][pixel], planes[1][pixel], planes[2][pixel], 0) - black
        let own = columns.0 * light.x + columns.1 * light.y + columns.2 * light.z
        for channel in 0..<3 { target[pixel * 3 + channel] = UInt16(channels[channel].value(own[channel])) }
      }
      written = count * 3
    }
  }

  /// The columns of the inverse of the matrix with these columns, by cross products; nil if it is singular.
  private static func inverse(
    of axes: [SIMD4<Float>]
  ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)? {
    func cross(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
      SIMD4(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0)
    }
    let m = axes.map { SIMD4<Double>($0) }
    let rows = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])]
    let determinant = (m[0] * rows[0]).sum()
    guard abs(determinant) > 1e-6 else { return nil }
    func column(_ index: Int) -> SIMD4<Float> {
      SIMD4<Float>(SIMD4(rows[0][index], rows[1][index], rows[2][index], 0) / determinant)
    }
    return (column(0), column(1), column(2))
  }
}

/// Finds the 8-bit value nearest to a light, with a table over steps of light and the lowest light of each value.
struct LightSteps: Sendable {
  /// The number of steps of light. sRGB's darkest value spans twenty, so a step contains at most one boundary; with a
  /// pure power, a step may contain several.
  static let scale: Float = 65_536

  private var nearest: [UInt8] = []
  private let limits: [Float]

  /// - Parameter limits: The lowest light of each of 256 values, ascending from 0.
  init(limits: [Float]) {
    self.limits = limits + [.infinity]
    var value = 0
    nearest.reserveCapacity(Int(Self.scale) + 1)
    for step in 0...Int(Self.scale) {
      while self.limits[value + 1] <= Float(step) / Self.scale { value += 1 }
      nearest.append(UInt8(value))
    }
  }

  /// The value for any light: the first for NaN and below 0, the last from 1 up.
  func value(_ light: Float) -> UInt8 {
    let clipped = light > 0 ? min(light, 1) : 0
    var value = nearest[Int(clipped * Self.scale)]
    while clipped >= limits[Int(value) + 1] { value += 1 }
    return value
  }

  func withTables(_ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<Float>) -> Void) {
    nearest.withUnsafeBufferPointer { nearest in
      limits.withUnsafeBufferPointer { limits in body(nearest, limits) }
    }
  }
}
