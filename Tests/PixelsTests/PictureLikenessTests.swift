import Model
import Testing

@testable import Pixels

@Suite("Whether two pictures show the same")
struct PictureLikenessTests {
  /// Random patches of 8 pixels with noise on them, starting at an offset.
  private static func patches(
    width: Int = 256, height: Int = 192, seed: UInt64, noise: Double = 0, offset: (x: Int, y: Int) = (0, 0)
  ) -> RasterImage? {
    let columns = (width + 64) / 8
    var generator = SeededGenerator(seed: seed)
    let cells = (0..<columns * ((height + 64) / 8)).map { _ in generator.unit() }
    var noisy = SeededGenerator(seed: seed + 1000)
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let cell = cells[(y + offset.y) / 8 * columns + (x + offset.x) / 8]
        let value = 40 + 170 * cell + (noisy.unit() - 0.5) * noise
        bytes += [UInt8](repeating: UInt8(min(max(value, 0), 255)), count: 3)
      }
    }
    return RasterImage(width: width, height: height, layout: .rgb, bytes: bytes)
  }

  private static func flat(_ level: UInt8) -> RasterImage? {
    RasterImage(width: 128, height: 128, layout: .gray, bytes: [UInt8](repeating: level, count: 128 * 128))
  }

  private func verdict(_ a: RasterImage?, _ b: RasterImage?) throws -> PictureLikeness.Verdict {
    try PictureLikeness(of: #require(a), and: #require(b)).verdict
  }

  @Test("noise, another depth and another layout do not make another picture")
  func same() throws {
    let original = try #require(Self.patches(seed: 1))
    #expect(try verdict(original, original) == .same)
    #expect(try verdict(original, Self.patches(seed: 1, noise: 60)) == .same)
    #expect(try verdict(original, original.scaledDepth(to: 12)) == .same)
  }

  @Test("another picture is recognized even if it is as bright")
  func other() throws {
    guard case .other(let correlation) = try verdict(Self.patches(seed: 1), Self.patches(seed: 2)) else {
      Issue.record("taken for the same picture")
      return
    }
    #expect(abs(correlation) < 0.3)
  }

  @Test("a picture that is shifted by a few pixels is reported as moved", arguments: [3, 5])
  func moved(by pixels: Int) throws {
    let shifted = Self.patches(seed: 1, offset: (pixels, 0))
    guard case .moved(let found) = try verdict(Self.patches(seed: 1), shifted) else {
      // With a larger shift, the cells show another picture.
      guard pixels > 3, case .other = try verdict(Self.patches(seed: 1), shifted) else {
        Issue.record("\(pixels) pixels were not noticed")
        return
      }
      return
    }
    #expect(found > 0.5)
  }

  @Test("flat pictures are compared by brightness, tiny ones not at all")
  func flatAndTiny() throws {
    #expect(try verdict(Self.flat(100), Self.flat(104)) == .same)
    #expect(try verdict(Self.flat(20), Self.flat(200)) == .other(correlation: 0))
    let tiny = RasterImage(width: 8, height: 8, layout: .gray, bytes: [UInt8](repeating: 1, count: 64))
    #expect(try verdict(tiny, tiny) == .tooSmall)
  }

  @Test("a rotated or mirrored picture is recognized, and how", arguments: Orientation.allCases, [192, 256])
  func turned(_ orientation: Orientation, height: Int) throws {
    let original = try #require(Self.patches(height: height, seed: 1))
    let noisy = try #require(Self.patches(height: height, seed: 1, noise: 60))
    let turned = noisy.oriented(orientation.inverse)
    let found = try PictureLikeness.turn(of: turned, toFit: original)
    #expect(found == (orientation == .up ? nil : orientation))
  }

  @Test("other pictures, other shapes and tiny ones do not fit any orientation") func unturned() throws {
    let original = try #require(Self.patches(seed: 1))
    let others = [
      Self.patches(seed: 2), Self.patches(width: 192, height: 192, seed: 1), Self.flat(20),
    ]
    for other in others { #expect(try PictureLikeness.turn(of: #require(other), toFit: original) == nil) }
    let tiny = try #require(RasterImage(width: 8, height: 8, layout: .gray, bytes: Array(0..<64)))
    #expect(try PictureLikeness.turn(of: tiny.oriented(.down), toFit: tiny) == nil)
  }
}
