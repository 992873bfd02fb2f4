import BenchModel
import Metrics

/// An error map as people see it: black where there is nothing, through red and yellow to white.
enum ErrorMapPicture {
  /// The value that is shown in white. Errors of that size are plain to see; a fixed scale keeps the maps of
  /// two codecs comparable.
  static let white: Float = 1

  /// The map in false colours.
  static func raster(of map: ErrorMap) -> RasterImage? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(map.values.count * 3)
    for value in map.values {
      // Three ramps one after another: red up to a third, green up to two thirds, blue to the end.
      let level = min(max(value / white, 0), 1) * 3
      for step in 0..<3 {
        bytes.append(UInt8((min(max(level - Float(step), 0), 1) * 255).rounded()))
      }
    }
    return RasterImage(width: map.width, height: map.height, layout: .rgb, bytes: bytes)
  }
}
