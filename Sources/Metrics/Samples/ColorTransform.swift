import BenchModel
import CLCMS
import CMetricKernels

/// Little CMS between an ICC profile and linear sRGB, in floats and without clipping: colours outside
/// sRGB's gamut become negative or exceed 1. The one place of this module that knows Little CMS.
///
/// The intent is relative colorimetric. Owns its transform and frees it.
final class ColorTransform {
  /// Which way to go.
  enum Direction {
    case toLinearSRGB
    case fromLinearSRGB
  }

  /// Channels on the profile's side: 1 for a gray profile, else 3.
  let profileChannels: Int
  private let handle: cmsHTRANSFORM

  /// Reads a profile for gray or RGB data. Throws `profile` when it is damaged or for something else.
  init(_ icc: [UInt8], direction: Direction) throws(MetricError) {
    guard let length = UInt32(exactly: icc.count), let profile = cmsOpenProfileFromMem(icc, length) else {
      throw .profile("the embedded colour profile cannot be read")
    }
    defer { cmsCloseProfile(profile) }
    switch cmsGetColorSpace(profile) {
    case cmsSigGrayData: profileChannels = 1
    case cmsSigRgbData: profileChannels = 3
    default: throw .profile("the embedded colour profile is for neither gray nor RGB data")
    }
    guard let linear = Self.linearSRGB() else { throw .profile("Little CMS cannot make linear sRGB") }
    defer { cmsCloseProfile(linear) }
    let own = Self.planarFloats(profileChannels == 1 ? PT_GRAY : PT_RGB, channels: profileChannels)
    let light = Self.planarFloats(PT_RGB, channels: 3)
    let intent = cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC)
    let made =
      switch direction {
      case .toLinearSRGB: cmsCreateTransform(profile, own, linear, light, intent, 0)
      case .fromLinearSRGB: cmsCreateTransform(linear, light, profile, own, intent, 0)
      }
    guard let made else { throw .profile("the embedded colour profile cannot be applied") }
    handle = made
  }

  deinit { cmsDeleteTransform(handle) }

  /// Converts a run of pixels from planes to planes. `stride` is the number of floats between planes.
  func convert(
    _ from: UnsafePointer<Float>, stride fromStride: Int, to: UnsafeMutablePointer<Float>,
    stride toStride: Int, count: Int
  ) {
    let size = MemoryLayout<Float>.size
    guard let pixels = UInt32(exactly: count), let fromBytes = UInt32(exactly: fromStride * size),
      let toBytes = UInt32(exactly: toStride * size)
    else { return }
    cmsDoTransformLineStride(handle, from, to, pixels, 1, 0, 0, fromBytes, toBytes)
  }

  /// Converts whole planes of linear sRGB into planes of the profile.
  func convert(_ light: [[Float]]) -> [[Float]] {
    let count = light.first?.count ?? 0
    var encoded = [Float](repeating: 0, count: count * profileChannels)
    light.flatMap(\.self).withUnsafeBufferPointer { from in
      encoded.withUnsafeMutableBufferPointer { to in
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        convert(from, stride: count, to: to, stride: count, count: count)
      }
    }
    return (0..<profileChannels).map { Array(encoded[$0 * count..<($0 + 1) * count]) }
  }

  /// The pixel format word of Little CMS: FLOAT_SH, COLORSPACE_SH, CHANNELS_SH, PLANAR_SH and BYTES_SH are
  /// macros that Swift does not see.
  private static func planarFloats(_ space: Int32, channels: Int) -> cmsUInt32Number {
    let planar: UInt32 = channels > 1 ? 1 : 0
    return 1 << 22 | UInt32(space) << 16 | planar << 12 | UInt32(channels) << 3 | 4
  }

  private static func linearSRGB() -> cmsHPROFILE? {
    guard let curve = cmsBuildGamma(nil, 1) else { return nil }
    defer { cmsFreeToneCurve(curve) }
    // IEC 61966-2-1 and ITU-R BT.709.
    var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
    var primaries = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.30, y: 0.60, Y: 1),
      Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
    var curves: [OpaquePointer?] = [curve, curve, curve]
    return cmsCreateRGBProfile(&white, &primaries, &curves)
  }
}
