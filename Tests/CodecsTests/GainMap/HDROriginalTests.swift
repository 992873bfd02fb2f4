import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

struct HDROriginalTests {
  /// Exif with only the orientation 6: upright after a rotation by 90 degrees clockwise.
  private static let exif: [UInt8] = Array(
    "MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\u{6}\0\0".utf8)

  @Test func anOriginalIsUprightAsItsFileStates() throws {
    let folder = try TemporaryFolder()
    func read(_ file: [UInt8]) throws -> RasterImage {
      let path = folder.path + "/original.png"
      try ScratchFile.write(file, to: path)
      return try HDROriginal.read(Array(path.utf8), limits: ReadLimits())
    }
    let file = PNGFile.pq(width: 2, height: 3, rgb: (0..<18).map { UInt8($0 * 14) })
    let stored = try read(file)
    #expect((stored.width, stored.height) == (2, 3))
    // The header takes 33 bytes.
    let turned = file.prefix(33) + PNGFile.chunk("eXIf", Self.exif) + file.dropFirst(33)
    #expect(try read(Array(turned)) == stored.oriented(.right))
  }
}
