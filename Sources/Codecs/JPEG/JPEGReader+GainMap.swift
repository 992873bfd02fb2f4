import Foundation
import Pixels

extension JPEGReader {
  /// Files up to this size are searched completely.
  private static let smallFile = 1 << 20

  /// Gain maps are pictures after the first one. Cameras announce them before its scans, by the index of pictures (CIPA
  /// DC-007), by XMP, or as in ISO 21496-1.
  package func mayHaveGainMap(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > Self.smallFile else { return true }
    var walk = JPEGWalk(ByteReader(bytes))
    while let segment = walk.next(), !segment.isScan {
      guard segment.marker == 0xE1 || segment.marker == 0xE2 else { continue }
      let text = Data(segment.body.bytes)
      for name in ["MPF", "hdrgm", "GainMap", "21496"] where text.range(of: Data(name.utf8)) != nil {
        return true
      }
    }
    return false
  }
}
