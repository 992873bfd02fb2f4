import Foundation
import Metrics
import Model
import Pixels

/// An error map as people see it: black where there is next to nothing, through red and yellow to white.
///
/// The scale is logarithmic and fixed, so that maps of two codecs can be compared: half of a photograph's
/// pixels are under 0.2 at a SSIMULACRA2 of 90, around 1.5 at 70, and around 8 at 30.
enum ErrorMapPicture {
  /// Up to this value a map is black.
  static let black: Float = 0.1
  /// From this value on it is white.
  static let white: Float = 30

  /// The map in false colours.
  static func raster(of map: ErrorMap) -> RasterImage? {
    let range = log(white / black)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(map.values.count * 3)
    for value in map.values {
      // Three ramps one after another: red up to a third, green up to two thirds, blue to the end.
      let level = value > black ? min(log(value / black) / range, 1) * 3 : 0
      for step in 0..<3 {
        bytes.append(UInt8((min(max(level - Float(step), 0), 1) * 255).rounded()))
      }
    }
    return RasterImage(width: map.width, height: map.height, layout: .rgb, bytes: bytes)
  }
}
