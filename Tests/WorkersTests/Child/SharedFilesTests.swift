import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Workers

/// Pixels and files passed between workers with different libraries.
@Suite("Files between workers") struct SharedFilesTests {
  private let folder: TemporaryFolder
  private var files: SharedFiles { SharedFiles(folder: folder.path) }

  init() throws { folder = try TemporaryFolder() }

  @Test("pixels come out unchanged", arguments: [8, 10, 16], ChannelLayout.allCases)
  func roundTrip(depth: Int, layout: ChannelLayout) throws {
    let count = 5 * 3 * layout.channels
    let format = PixelFormat(layout: layout, bitDepth: depth)
    let samples: RasterImage.Samples =
      depth == 8
      ? .bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) })
      : .words((0..<count).map { UInt16(truncatingIfNeeded: $0 * 3001 % (format.maximum + 1)) })
    for profile in [ColorProfile.sRGB, .icc([0, 0x0a, 255, 7])] {
      let image = try #require(
        RasterImage(width: 5, height: 3, format: format, profile: profile, samples: samples))
      try files.write(image)
      #expect(try files.pixels() == image)
    }
  }

  @Test("incomplete files are refused", arguments: [0, 1, 40, 90])
  func cutShort(length: Int) throws {
    let image = try #require(SyntheticImage.waves(width: 8, height: 8, seed: 1))
    try files.write(image)
    let path = folder.url.appending(path: "pixels")
    try Data(try Data(contentsOf: path).prefix(length)).write(to: path)
    #expect(throws: Failure.self) { try files.pixels() }
  }

  @Test("a size that is not a number does not trap")
  func hostileSize() throws {
    let head =
      "{\"width\":4611686018427387904,\"height\":4,\"format\":{\"layout\":\"rgb\",\"bitDepth\":8},\"profileBytes\":-1}\n"
    try Data(head.utf8).write(to: folder.url.appending(path: "pixels"))
    #expect(throws: Failure.self) { try files.pixels() }
  }
}
