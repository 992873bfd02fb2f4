import CLCMS

/// Owns an open Little CMS profile.
struct ICCProfile: ~Copyable {
  private let handle: cmsHPROFILE

  init?(adopting handle: cmsHPROFILE?) {
    guard let handle else { return nil }
    self.handle = handle
  }

  /// Opens a profile; nil if Little CMS cannot read its header or its tag table.
  init?(_ bytes: [UInt8]) {
    guard let size = cmsUInt32Number(exactly: bytes.count) else { return nil }
    self.init(adopting: bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, size) })
  }

  deinit { _ = cmsCloseProfile(handle) }

  static func sRGB() -> ICCProfile? { ICCProfile(adopting: cmsCreate_sRGBProfile()) }

  func withHandle<Result>(_ body: (cmsHPROFILE) -> Result) -> Result { body(handle) }

  /// Adds a tag with a type of the same name; false if Little CMS runs out of memory.
  func addTag(_ name: String, _ bytes: [Int]) -> Bool {
    let signature = name.utf8.reduce(0) { $0 << 8 | cmsUInt32Number($1) }
    let data = Array(name.utf8) + [0, 0, 0, 0] + bytes.map { UInt8(truncatingIfNeeded: $0) }
    return cmsWriteRawTag(handle, cmsTagSignature(signature), data, cmsUInt32Number(data.count)) != 0
  }

  var colorSpace: cmsColorSpaceSignature { cmsGetColorSpace(handle) }

  /// True if the profile describes samples, unlike a device link, abstract or named-colour profile.
  var describesSamples: Bool {
    [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
      .contains { $0 == cmsGetDeviceClass(handle) }
  }

  /// True for an RGB profile with curves and a matrix, without tables that would take precedence.
  var isMatrix: Bool { cmsIsMatrixShaper(handle) != 0 && colorSpace == cmsSigRgbData && !hasTables }

  var hasTables: Bool {
    let tables = [
      cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag, cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag,
      cmsSigDToB3Tag,
    ]
    return tables.contains { cmsIsTag(handle, $0) != 0 }
  }

  /// True if Little CMS can convert 8-bit samples of this profile to sRGB, which proves that its tags are intact.
  func canBeRead(as format: LCMSFormat) -> Bool {
    guard let sRGB = ICCProfile.sRGB() else { return false }
    return ColorTransform(from: self, format, to: sRGB, .rgb8) != nil
  }

  /// True for a matrix profile with sRGB's primaries and curve, or a gray profile with sRGB's curve.
  var isSRGB: Bool {
    guard !hasTables else { return false }
    switch colorSpace {
    case cmsSigGrayData: return hasCurve(.sRGB, cmsSigGrayTRCTag)
    case cmsSigRgbData:
      return Self.sRGBColorants.allSatisfy { isNear($0.value, tag: $0.tag) }
        && [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].allSatisfy { hasCurve(.sRGB, $0) }
    default: return false
    }
  }

  /// sRGB's primaries adapted to the profile connection space's D50, as in its ICC profiles.
  private static let sRGBColorants: [(tag: cmsTagSignature, value: [Double])] = [
    (cmsSigRedColorantTag, [0.43607, 0.22249, 0.01392]),
    (cmsSigGreenColorantTag, [0.38515, 0.71687, 0.09708]),
    (cmsSigBlueColorantTag, [0.14307, 0.06061, 0.71410]),
  ]

  private func isNear(_ expected: [Double], tag: cmsTagSignature) -> Bool {
    guard let value = cmsReadTag(handle, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee else {
      return false
    }
    return zip([value.X, value.Y, value.Z], expected).allSatisfy { abs($0 - $1) < 0.0015 }
  }

  /// PQ or HLG, if the profile's gray or green has that curve.
  var hdrTransfer: TransferFunction? {
    let tag = colorSpace == cmsSigGrayData ? cmsSigGrayTRCTag : cmsSigGreenTRCTag
    return [.pq, .hlg].first { hasCurve($0, tag) }
  }

  private func hasCurve(_ function: TransferFunction, _ tag: cmsTagSignature) -> Bool {
    guard let curve = cmsReadTag(handle, tag) else { return false }
    return (0...64).allSatisfy { step in
      let value = Double(step) / 64
      let light = Double(cmsEvalToneCurveFloat(OpaquePointer(curve), Float(value)))
      // A pure power of 2.2 is 0.0036 away from sRGB in the middle.
      return abs(light - function.linearLight(value)) < 0.001
    }
  }
}
