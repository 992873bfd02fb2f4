import CLCMS

/// Converts colour descriptions of all kinds to the profiles of rasters.
package enum ColorProfiles {
  /// Checks a file's ICC profile against the samples it is to describe.
  ///
  /// A profile equal to sRGB becomes `.sRGB`, so that nothing needs embedding. A profile that is unusable, or not for
  /// samples of `layout`, is dropped, and the image is treated as sRGB.
  /// - Returns: The profile to use, and a note for the image's record if it is not the file's own.
  package static func profile(icc bytes: [UInt8], for layout: ChannelLayout) -> (
    profile: ColorProfile, note: String?
  ) {
    // Cached, because every decode of a file needs it, and most files of a folder have the same profile.
    checked.value(bytes, key: layout.isGray ? 1 : 3) { check(bytes, for: layout) }
  }

  private static let checked = ProfileCache<(profile: ColorProfile, note: String?)>()

  private static func check(_ bytes: [UInt8], for layout: ChannelLayout) -> (ColorProfile, String?) {
    guard let profile = ICCProfile(bytes), profile.describesSamples else {
      return (.sRGB, "broken ICC profile dropped")
    }
    let expected = layout.isGray ? cmsSigGrayData : cmsSigRgbData
    guard profile.colorSpace == expected else {
      return (.sRGB, "ICC profile for a colour space other than \(layout.isGray ? "gray" : "RGB") dropped")
    }
    guard profile.canBeRead(as: layout.isGray ? .gray8 : .rgb8) else {
      return (.sRGB, "broken ICC profile dropped")
    }
    return profile.isSRGB ? (.sRGB, "ICC profile is sRGB") : (.icc(bytes), nil)
  }

  /// The profile for code points of ITU-T H.273, from any container. Unspecified code points (2) mean sRGB's. Nil for
  /// reserved or unknown numbers.
  package static func profile(primaries: Int, transfer: Int, for layout: ChannelLayout) -> ColorProfile? {
    guard
      let chromaticities = primaries == 2 ? .bt709 : Chromaticities(codePoint: primaries),
      let function = transfer == 2 ? .sRGB : TransferFunction(codePoint: transfer)
    else { return nil }
    return profile(primaries: chromaticities, transfer: function, for: layout)
  }

  /// The profile for primaries and a transfer function: `.sRGB` if equal to sRGB's, else ICC bytes, which are the same
  /// for equal light. RGB profiles state their code points, if any, in a `cicp` tag. Nil if the primaries do not span a
  /// colour space.
  package static func profile(
    primaries: Chromaticities, transfer: TransferFunction, for layout: ChannelLayout
  ) -> ColorProfile? {
    let (known, curve) = (primaries.codePoint, transfer.codePoint)
    if transfer == .sRGB, layout.isGray || known == 1 { return .sRGB }
    // Equal light must give equal bytes, however the digits of its primaries differ.
    let primaries = known.flatMap(Chromaticities.init(codePoint:)) ?? primaries
    guard !layout.isGray else { return grayICC(transfer: transfer).map { .icc($0) } }
    let points = known.flatMap { known in curve.map { CodePoints(primaries: known, transfer: $0) } }
    return icc(primaries: primaries, transfer: transfer, codePoints: points).map { .icc($0) }
  }

  /// An RGB profile with this matrix and curve, or nil if Little CMS cannot build it. Equal arguments give equal bytes.
  package static func icc(
    primaries: Chromaticities, transfer: TransferFunction, codePoints: CodePoints? = nil
  ) -> [UInt8]? {
    guard let profile = rgbProfile(primaries: primaries, transfer: transfer) else { return nil }
    // Matrix 0 and full range mean RGB.
    if let codePoints, !profile.addTag("cicp", [codePoints.primaries, codePoints.transfer, 0, 1]) {
      return nil
    }
    return bytes(of: profile, description: "RGB \(primaries.summary), \(transfer.name)")
  }

  /// Code points equivalent to a profile: the ones it names, if it equals the profile built here for them byte for
  /// byte; else nil.
  package static func codePoints(of icc: [UInt8]) -> CodePoints? {
    guard let points = ICCDescription.codePoints(of: icc) else { return nil }
    return made.value(icc, key: 0) {
      let own = profile(primaries: points.primaries, transfer: points.transfer, for: .rgb)
      return own == .icc(icc) ? points : nil
    }
  }

  private static let made = ProfileCache<CodePoints?>()

  /// The code points that a profile names. Pure Swift, for headers that must not reach C code.
  package static func namedCodePoints(in icc: [UInt8]) -> CodePoints? { ICCDescription.codePoints(of: icc) }

  /// PQ or HLG, if a profile has such a curve.
  package static func hdrTransfer(of icc: [UInt8]) -> TransferFunction? { ICCProfile(icc)?.hdrTransfer }

  static func rgbProfile(primaries: Chromaticities, transfer: TransferFunction) -> ICCProfile? {
    ICCProfile(adopting: withCurve(transfer) { rgbHandle(primaries: primaries, curve: $0) })
  }

  private static func rgbHandle(primaries: Chromaticities, curve: OpaquePointer) -> cmsHPROFILE? {
    var triple = cmsCIExyYTRIPLE(
      Red: primaries.red.xyY, Green: primaries.green.xyY, Blue: primaries.blue.xyY)
    var white = primaries.white.xyY
    var curves: [OpaquePointer?] = [curve, curve, curve]
    return cmsCreateRGBProfile(&white, &triple, &curves)
  }

  /// An RGB profile in which equal samples have the light of a gray profile, for formats that store gray as RGB. Nil
  /// unless the gray profile is a curve without tables.
  package static func rgbICC(ofGray icc: [UInt8]) -> [UInt8]? {
    ofGray.value(icc, key: 0) {
      guard let gray = ICCProfile(icc), gray.colorSpace == cmsSigGrayData, !gray.hasTables else { return nil }
      // The curve belongs to the gray profile.
      let handle = gray.withHandle { gray -> cmsHPROFILE? in
        guard cmsGetPCS(gray) == cmsSigXYZData, let curve = cmsReadTag(gray, cmsSigGrayTRCTag) else {
          return nil
        }
        return rgbHandle(primaries: .bt709, curve: OpaquePointer(curve))
      }
      guard let rgb = ICCProfile(adopting: handle) else { return nil }
      return bytes(of: rgb, description: "RGB with the curve of a gray profile")
    }
  }

  private static let ofGray = ProfileCache<[UInt8]?>()

  package static func grayICC(transfer: TransferFunction) -> [UInt8]? {
    var white = Chromaticities.d65.xyY
    guard
      let profile = ICCProfile(adopting: withCurve(transfer) { cmsCreateGrayProfile(&white, $0) })
    else { return nil }
    return bytes(of: profile, description: "Gray \(transfer.name)")
  }

  /// Builds a curve, passes it to `body`, and frees it. Little CMS copies curves into profiles.
  private static func withCurve(
    _ transfer: TransferFunction, _ body: (OpaquePointer) -> cmsHPROFILE?
  ) -> cmsHPROFILE? {
    let curve: OpaquePointer?
    if let coefficients = transfer.parametricCoefficients {
      // Type 4 of Little CMS is the standard's function type 3.
      curve = cmsBuildParametricToneCurve(nil, 4, coefficients)
    } else if case .gamma(let exponent) = transfer {
      curve = cmsBuildGamma(nil, exponent)
    } else {
      let table = (0..<4096).map { step in
        UInt16((min(max(transfer.linearLight(Double(step) / 4095), 0), 1) * 65535).rounded())
      }
      curve = cmsBuildTabulatedToneCurve16(nil, cmsUInt32Number(table.count), table)
    }
    guard let curve else { return nil }
    defer { cmsFreeToneCurve(curve) }
    return body(curve)
  }

  /// Saves a profile without its creation date, so that equal profiles have equal bytes.
  private static func bytes(of profile: borrowing ICCProfile, description: String) -> [UInt8]? {
    profile.withHandle { handle -> [UInt8]? in
      cmsSetProfileVersion(handle, 4.3)
      guard let text = cmsMLUalloc(nil, 1) else { return nil }
      defer { cmsMLUfree(text) }
      guard cmsMLUsetASCII(text, "en", "US", description) != 0,
        cmsWriteTag(handle, cmsSigProfileDescriptionTag, UnsafeRawPointer(text)) != 0
      else { return nil }
      var size: cmsUInt32Number = 0
      guard cmsSaveProfileToMem(handle, nil, &size) != 0, size > 128 else { return nil }
      var bytes = [UInt8](repeating: 0, count: Int(size))
      guard bytes.withUnsafeMutableBytes({ cmsSaveProfileToMem(handle, $0.baseAddress, &size) }) != 0 else {
        return nil
      }
      let (creationDate, end) = (24, 36)
      bytes.replaceSubrange(creationDate..<end, with: repeatElement(0, count: end - creationDate))
      return bytes
    }
  }
}

extension ColorProfile {
  /// Code points of H.273 with the same meaning; nil for an ICC profile that was not built from any.
  package var codePoints: CodePoints? {
    switch self {
    case .sRGB: .sRGB
    case .icc(let bytes): ColorProfiles.codePoints(of: bytes)
    case .light(let light): light.points
    }
  }
}

extension Chromaticity {
  fileprivate var xyY: cmsCIExyY { cmsCIExyY(x: x, y: y, Y: 1) }
}

extension Chromaticities {
  fileprivate var summary: String {
    switch self {
    case .bt709: "BT.709"
    case .displayP3: "Display P3"
    case .bt2020: "BT.2020"
    default: "r \(red.x) \(red.y) g \(green.x) \(green.y) b \(blue.x) \(blue.y)"
    }
  }
}
