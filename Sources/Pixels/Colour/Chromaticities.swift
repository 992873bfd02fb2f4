/// A colour by its CIE 1931 chromaticity coordinates.
package struct Chromaticity: Sendable, Hashable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

package struct Chromaticities: Sendable, Hashable {
  package var red: Chromaticity
  package var green: Chromaticity
  package var blue: Chromaticity
  package var white: Chromaticity

  /// The daylight white of sRGB, Display P3 and BT.2020.
  package static let d65 = Chromaticity(0.3127, 0.3290)

  /// ITU-R BT.709, shared by sRGB.
  package static let bt709 = Chromaticities((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
  /// SMPTE EG 432-1: the P3 primaries with a D65 white, as in Display P3.
  package static let displayP3 = Chromaticities((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
  /// ITU-R BT.2020 and BT.2100.
  package static let bt2020 = Chromaticities((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))

  /// The set with this number in ITU-T H.273, table 2; nil for reserved and unspecified numbers and XYZ.
  package init?(codePoint: Int) {
    let c = Chromaticity(0.310, 0.316)
    switch codePoint {
    case 1: self = .bt709
    case 4: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: c)
    case 5: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06))
    case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
    case 8: self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: c)
    case 9: self = .bt2020
    case 11: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: Chromaticity(0.314, 0.351))
    case 12: self = .displayP3
    case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077))
    default: return nil
    }
  }

  package init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }

  private init(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double),
    white: Chromaticity = d65
  ) {
    self.init(
      red: Chromaticity(red.0, red.1), green: Chromaticity(green.0, green.1),
      blue: Chromaticity(blue.0, blue.1), white: white)
  }

  /// The number of these primaries in H.273, allowing for the rounding in files; nil without one.
  package var codePoint: Int? {
    [1, 4, 5, 6, 8, 9, 11, 12, 22].first { point in
      guard let expected = Chromaticities(codePoint: point)?.all else { return false }
      return zip(all, expected).allSatisfy { abs($0.x - $1.x) <= 0.002 && abs($0.y - $1.y) <= 0.002 }
    }
  }

  private var all: [Chromaticity] { [red, green, blue, white] }
}
