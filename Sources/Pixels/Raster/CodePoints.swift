/// Colours of samples by code points of ITU-T H.273. Matrix and range no longer apply once decoded to RGB.
public struct CodePoints: Sendable, Hashable, Codable {
  /// ColourPrimaries.
  public var primaries: Int
  /// TransferCharacteristics.
  public var transfer: Int

  /// BT.709 primaries with sRGB's curve.
  public static let sRGB = CodePoints(primaries: 1, transfer: 13)

  /// Takes the numbers as they are.
  public init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }
}

/// The absolute light that samples mean on a display, for pictures with light beyond a white of their own.
public struct HDRLight: Sendable, Hashable, Codable {
  /// The luminance of SDR white beside HDR, cd/m² (ITU-R BT.2408).
  public static let referenceWhite = 203.0
  /// The peak of HLG's usual display, cd/m² (ITU-R BT.2100).
  public static let nominalPeak = 1000.0
  /// The luminance of a full PQ sample, cd/m² (SMPTE ST 2084).
  public static let pqPeak = 10_000.0

  /// BT.2100 PQ, the light of pictures that are computed.
  public static let pq = HDRLight(points: CodePoints(primaries: 9, transfer: 16), peak: pqPeak)

  /// Primaries and transfer function of the samples: PQ, HLG, or a curve of SDR.
  public var points: CodePoints
  /// The luminance of full samples, cd/m²: 10,000 for PQ, the display's peak for HLG, white for a curve of SDR.
  public var peak: Double

  /// Light of samples by their code points, with the luminance of full ones.
  public init(points: CodePoints, peak: Double) {
    (self.points, self.peak) = (points, peak)
  }
}
