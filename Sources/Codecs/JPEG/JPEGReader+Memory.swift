package import CodecKit
import Pixels

extension JPEGReader {
  /// The decoded samples, once more if turned, and for progressive files two bytes for each coefficient of the whole
  /// picture at any size.
  package func predictedMemory(of bytes: [UInt8], for request: DecodeRequest) throws(CodecError) -> Int? {
    let markers = try Self.markers(bytes)
    let held = markers.isProgressive ? 2 * markers.coefficientCount : 0
    let (width, height) = (markers.width, markers.height)
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    let hasLargePlanes = overflow || pixels >= Self.fewestPixels
    func image(_ width: Int, _ height: Int, rows: Int) -> Int {
      let samples = width * height * markers.components
      // CMYK is converted before it is turned.
      let kept = markers.components == 4 ? width * height * 3 : samples
      let beside = markers.components == 4 || markers.orientation != .up ? kept : 0
      // Coefficients are freed before the samples are needed twice.
      return samples + max(beside, held) + rows + (markers.icc == nil ? 0 : Self.profileBytes)
    }
    switch request {
    case .full: return image(width, height, rows: Self.rowBytes * width)
    case .ycbcr:
      guard hasLargePlanes else { return nil }
      // A single plane is returned directly; several are gathered in a second buffer.
      let gathered = markers.components == 1 ? 0 : markers.coefficientCount
      return markers.coefficientCount + max(gathered, held) + 2 * Self.rowBytes * width
    case .scaled(let side):
      guard let divisor = [8, 4, 2].first(where: { (max(width, height) + $0 - 1) / $0 >= side }) else {
        return nil
      }
      let (columns, rows) = ((width + divisor - 1) / divisor, (height + divisor - 1) / divisor)
      return image(columns, rows, rows: Self.rowBytes * columns)
    case .region(let region):
      guard hasLargePlanes || held == 0 else { return nil }
      // Buffers span all columns, even if only some are used.
      let rows = markers.components == 1 ? 2 * width + (16 << 10) : 6 * width + (64 << 10)
      return image(region.width, region.height, rows: rows)
    case .thumbnail, .firstTile: return nil
    }
  }

  /// Bytes per column in the decoder's buffers: some rows of samples of every component.
  private static let rowBytes = 24
  /// Memory of Little CMS while it inspects a colour profile.
  private static let profileBytes = 112 << 10
  /// Fewest pixels for planes that glibc returns to the system at once; smaller ones leave traces in the heap.
  private static let fewestPixels = 4 * (512 << 10)
}
