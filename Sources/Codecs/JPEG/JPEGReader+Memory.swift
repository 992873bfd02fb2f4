package import CodecKit
import Pixels

extension JPEGReader {
  /// The samples that come out, once more where they are turned, and for progressive files two bytes for each
  /// coefficient of the whole picture at any size.
  package func predictedMemory(of bytes: [UInt8], for request: DecodeRequest) throws(CodecError) -> Int? {
    let markers = try Self.markers(bytes)
    let held = markers.isProgressive ? 2 * markers.coefficientCount : 0
    // A few rows of samples and coefficients of every component.
    let rows = 48 * markers.width
    let (width, height) = (markers.width, markers.height)
    func image(_ width: Int, _ height: Int) -> Int {
      let samples = width * height * markers.components
      // CMYK is converted into other samples before it is turned.
      let kept = markers.components == 4 ? width * height * 3 : samples
      let beside = markers.components == 4 || markers.orientation != .up ? kept : 0
      // Coefficients are given back before the samples are used a second time.
      return samples + max(beside, held) + rows
    }
    switch request {
    case .full: return image(width, height)
    case .ycbcr: return markers.coefficientCount + max(markers.coefficientCount, held) + rows
    case .scaled(let side):
      guard let divisor = [8, 4, 2].first(where: { (max(width, height) + $0 - 1) / $0 >= side }) else {
        return nil
      }
      return image((width + divisor - 1) / divisor, (height + divisor - 1) / divisor)
    case .region(let region): return image(region.width, region.height)
    case .thumbnail, .firstTile: return nil
    }
  }
}
