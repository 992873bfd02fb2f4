import CLCMS

/// An open Little CMS profile and its only owner.
struct ICCProfile: ~Copyable {
  private let handle: cmsHPROFILE

  /// Takes over a handle that Little CMS has just made; nil when it could not make one.
  init?(adopting handle: cmsHPROFILE?) {
    guard let handle else { return nil }
    self.handle = handle
  }

  /// Opens the bytes of a profile; nil when Little CMS cannot read its header or its tag table.
  init?(_ bytes: [UInt8]) {
    guard let size = cmsUInt32Number(exactly: bytes.count) else { return nil }
    self.init(adopting: bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, size) })
  }

  deinit { _ = cmsCloseProfile(handle) }

  /// The sRGB profile that Little CMS builds itself.
  static func sRGB() -> ICCProfile? { ICCProfile(adopting: cmsCreate_sRGBProfile()) }

  /// Lends the handle for one call.
  func withHandle<Result>(_ body: (cmsHPROFILE) -> Result) -> Result { body(handle) }

  /// Adds a tag of bytes whose type has the tag's own name; false where Little CMS has no memory for it.
  func addTag(_ name: String, _ bytes: [Int]) -> Bool {
    let signature = name.utf8.reduce(0) { $0 << 8 | cmsUInt32Number($1) }
    let data = Array(name.utf8) + [0, 0, 0, 0] + bytes.map { UInt8(truncatingIfNeeded: $0) }
    return cmsWriteRawTag(handle, cmsTagSignature(signature), data, cmsUInt32Number(data.count)) != 0
  }

  /// What the profile's samples are.
  var colorSpace: cmsColorSpaceSignature { cmsGetColorSpace(handle) }

  /// Whether its samples are amounts of cyan, magenta, yellow and black ink.
  var isCMYK: Bool { describesSamples && colorSpace == cmsSigCmykData }

  /// Whether the profile describes samples, unlike a device link, an abstract or a named-colour profile.
  var describesSamples: Bool {
    [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
      .contains { $0 == cmsGetDeviceClass(handle) }
  }

  /// Whether it is an RGB profile by curves and a matrix, and has no tables of colours that would go before them.
  var isMatrix: Bool {
    let tables = [
      cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag, cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag,
      cmsSigDToB3Tag,
    ]
    return cmsIsMatrixShaper(handle) != 0 && colorSpace == cmsSigRgbData
      && tables.allSatisfy { cmsIsTag(handle, $0) == 0 }
  }

  /// Whether Little CMS can turn 8-bit samples of this profile into sRGB: proof that its tags are whole.
  func canBeRead(as format: LCMSFormat) -> Bool {
    guard let sRGB = ICCProfile.sRGB() else { return false }
    return ColorTransform(from: self, format, to: sRGB, .rgb8) != nil
  }

  /// Whether the profile says what sRGB says: a matrix profile with its primaries and its curve, or for gray
  /// data its curve alone.
  var isSRGB: Bool {
    guard cmsIsTag(handle, cmsSigAToB0Tag) == 0 else { return false }
    switch colorSpace {
    case cmsSigGrayData: return hasSRGBCurve(cmsSigGrayTRCTag)
    case cmsSigRgbData:
      return Self.sRGBColorants.allSatisfy { isNear($0.value, tag: $0.tag) }
        && [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].allSatisfy { hasSRGBCurve($0) }
    default: return false
    }
  }

  /// The primaries of sRGB adapted to the profile connection space's D50, as its ICC profiles carry them.
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

  /// PQ or HLG, where that is the curve of the profile's gray or green.
  var hdrTransfer: TransferFunction? {
    let tag = colorSpace == cmsSigGrayData ? cmsSigGrayTRCTag : cmsSigGreenTRCTag
    return [.pq, .hlg].first { hasCurve($0, tag) }
  }

  private func hasSRGBCurve(_ tag: cmsTagSignature) -> Bool { hasCurve(.sRGB, tag) }

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
