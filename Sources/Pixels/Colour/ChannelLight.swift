import CPixelKernels
import Synchronization

/// Tables of the light that each channel of an RGB image adds, for matrix profiles. If f(r, g, b) is the linear sRGB of
/// a colour, then f(r, 0, 0) + f(0, g, 0) + f(0, 0, b) − 2 f(0, 0, 0) is f(r, g, b), since the curves are applied
/// first, per channel, and the rest is linear. Little CMS, forty times slower per pixel, fills the tables and verifies
/// the sum at hundreds of colours.
package struct ChannelLight: Sendable {
  /// Linear sRGB of red, green and blue for each possible sample value; red's entries include black's light.
  private let shares: [SIMD4<Float>]
  private let entries: Int

  /// The largest accepted difference from Little CMS, with 1 for full light: a twentieth of the darkest step of 8-bit
  /// sRGB. Matrix profiles differ only by float rounding, some 1e-6.
  private static let tolerance: Float = 1.5e-5

  /// Tabulates a transform to linear sRGB for samples up to `maximum`. Nil unless the profile has only a matrix and
  /// curves and Little CMS's result is the sum of the channels.
  init?(_ transform: ColorTransform, maximum: Int) {
    guard transform.isOfMatrixProfile, transform.profileChannels == 3 else { return nil }
    let full = Float(maximum)
    let ramp = (0...maximum).map { Float($0) / full }
    let none = [Float](repeating: 0, count: ramp.count)
    let black = transform.light([[0], [0], [0]])[0]
    let parts = [
      transform.light([ramp, none, none]), transform.light([none, ramp, none]).map { $0 - black },
      transform.light([none, none, ramp]).map { $0 - black },
    ]
    // Every value of the sample's type has an entry; values above the maximum are full light.
    let entries = maximum > 255 ? 65536 : 256
    shares = parts.flatMap { $0 + [SIMD4<Float>](repeating: $0[maximum], count: entries - $0.count) }
    self.entries = entries
    guard isSum(transform, maximum: maximum) else { return nil }
  }

  /// Linear sRGB of a pixel; the fourth element is undefined.
  func light(_ red: Int, _ green: Int, _ blue: Int) -> SIMD4<Float> {
    shares[red] + (shares[entries + green] + shares[2 * entries + blue])
  }

  /// Three planes of linear sRGB for `count` pixels, the first at `start`, `step` samples apart.
  func planes<Sample: FixedWidthInteger>(
    _ samples: [Sample], from start: Int, count: Int, step: Int, isGray: Bool
  ) -> [[Float]] {
    var (red, green, blue) = ([Float](repeating: 0, count: count), [Float](), [Float]())
    (green, blue) = (red, red)
    let (second, third) = isGray ? (0, 0) : (1, 2)
    precondition(start + count * step <= samples.count && (Sample.bitWidth == 8 || entries == 65536))
    samples.withUnsafeBytes { samples in
      shares.withUnsafeBytes { shares in
        guard let table = shares.baseAddress, let base = samples.baseAddress else { return }
        let light = hb_channel_light(shares: table.assumingMemoryBound(to: Float.self), entries: entries)
        let pixels = base + start * MemoryLayout<Sample>.stride
        if Sample.bitWidth == 8 {
          hb_channel_planes8(
            light, pixels.assumingMemoryBound(to: UInt8.self), count, step, second, third, &red, &green, &blue
          )
        } else {
          hb_channel_planes16(
            light, pixels.assumingMemoryBound(to: UInt16.self), count, step, second, third, &red, &green,
            &blue)
        }
      }
    }
    return [red, green, blue]
  }

  /// True if Little CMS agrees at all colours with five values per channel and at 400 quasi-random ones.
  private func isSum(_ transform: ColorTransform, maximum: Int) -> Bool {
    let steps = (0...4).map { $0 * maximum / 4 }
    var colours = steps.flatMap { red in steps.flatMap { green in steps.map { (red, green, $0) } } }
    // Multiples of irrational numbers fill the cube evenly.
    for index in 1...400 {
      func value(_ ratio: Double) -> Int {
        Int((Double(index) * ratio).truncatingRemainder(dividingBy: 1) * Double(maximum) + 0.5)
      }
      colours.append((value(0.8191725134), value(0.6710436067), value(0.5497004779)))
    }
    let full = Float(maximum)
    let expected = transform.light([
      colours.map { Float($0.0) / full }, colours.map { Float($0.1) / full },
      colours.map { Float($0.2) / full },
    ])
    return zip(colours, expected).allSatisfy { colour, expected in
      let difference = light(colour.0, colour.1, colour.2) - expected
      return (0..<3).allSatisfy { abs(difference[$0]) <= Self.tolerance }
    }
  }
}

extension ColorTransform {
  func light(_ planes: [[Float]]) -> [SIMD4<Float>] {
    let rows = convert(planes, to: 3)
    return rows[0].indices.map { SIMD4(rows[0][$0], rows[1][$0], rows[2][$0], 0) }
  }
}

/// Results for the most recent profiles. The pictures of a camera or phone share one profile, and tabulating it takes
/// longer than processing a small picture.
final class ProfileCache<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var profile: [UInt8]
    var key: Int
    var value: Value
  }

  private static var most: Int { 4 }
  private let entries = Mutex<[Entry]>([])

  /// The cached result for a profile, else the result of `make`. The key distinguishes different results for the same
  /// profile, such as by depth.
  func value<Failure>(
    _ profile: [UInt8], key: Int, make: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let known = entries.withLock { $0.first { $0.key == key && $0.profile == profile } }
    if let known { return known.value }
    let value = try make()
    entries.withLock {
      if $0.count >= Self.most { $0.removeFirst() }
      $0.append(Entry(profile: profile, key: key, value: value))
    }
    return value
  }
}
