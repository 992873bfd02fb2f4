/// The colours of samples as code points of ITU-T H.273. Matrix and range no longer apply after decoding to RGB.
public struct CodePoints: Sendable, Hashable, Codable {
  /// ColourPrimaries.
  public var primaries: Int
  /// TransferCharacteristics.
  public var transfer: Int

  /// BT.709 primaries with sRGB's curve.
  public static let sRGB = CodePoints(primaries: 1, transfer: 13)

  /// Uses the numbers as given.
  public init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }
}

/// The absolute light that samples mean on a display, for pictures with light beyond their own white.
public struct HDRLight: Sendable, Hashable, Codable {
  /// The luminance of SDR white in HDR, in cd/m² (ITU-R BT.2408).
  public static let referenceWhite = 203.0
  /// The peak luminance of HLG's usual display, in cd/m² (ITU-R BT.2100).
  public static let nominalPeak = 1000.0
  /// The luminance of a full PQ sample, in cd/m² (SMPTE ST 2084).
  public static let pqPeak = 10_000.0

  /// BT.2100 PQ, used for computed pictures.
  public static let pq = HDRLight(points: CodePoints(primaries: 9, transfer: 16), peak: pqPeak)

  /// Primaries and transfer function of the samples: PQ, HLG, or an SDR curve.
  public var points: CodePoints
  /// The luminance of full samples, in cd/m²: 10,000 for PQ, the display's peak for HLG, white for an SDR curve.
  public var peak: Double

  /// Creates the light of samples with these code points and this luminance of full samples.
  public init(points: CodePoints, peak: Double) {
    (self.points, self.peak) = (points, peak)
  }
}
