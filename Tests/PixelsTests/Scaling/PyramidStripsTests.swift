import Model
import Pixels
import TestSupport
import Testing

/// A pyramid built while rows arrive equals the one built from the whole picture, byte by byte.
struct PyramidStripsTests {
  /// Compares every strip with the rows of its level, and checks that every tile is in one strip. Rows arrive a few at
  /// a time.
  private func check(_ image: RasterImage, _ pyramid: TilePyramid, levels count: Int? = nil) throws {
    var whole = [image]
    for _ in pyramid.levels.dropFirst() { whole.append(try whole[whole.count - 1].halved()) }
    let wanted = count ?? pyramid.levels.count
    var strips = try PyramidStrips(pyramid, levels: wanted, format: image.format, profile: image.profile)
    var (read, most) = (0, 0)
    var seen = Set<[Int]>()
    while let strip = strips.upcoming {
      #expect(strips.missing <= pyramid.tileSize + 2 * pyramid.overlap)
      while strips.missing > 0 {
        let part = min(strips.missing, 7)
        strips.append(image.rows(read..<read + part))
        read += part
      }
      most = max(most, strip.pixels.count)
      let rows = try #require(try strips.take())
      #expect(rows == whole[strip.level.index].rows(strip.pixels))
      #expect(seen.insert([strip.level.index, strip.row]).inserted)
    }
    #expect(try strips.take() == nil && read == image.height)
    #expect(most <= pyramid.tileSize + 2 * pyramid.overlap)
    #expect(seen.count == pyramid.levels.prefix(wanted).reduce(0) { $0 + $1.rows })
  }

  @Test(
    arguments: [(64, 48), (61, 203), (33, 17), (1, 90), (150, 1), (97, 131)],
    [(16, 0), (17, 0), (16, 1), (31, 3), (32, 16)])
  func stripsAreThoseOfWholeLevels(size: (Int, Int), tile: (size: Int, overlap: Int)) throws {
    for layout in ChannelLayout.allCases {
      let image = try #require(SyntheticImage.waves(width: size.0, height: size.1, layout: layout))
      for end in [TilePyramid.End.oneTile, .onePixel] {
        try check(
          image,
          try #require(
            TilePyramid(width: size.0, height: size.1, tileSize: tile.size, overlap: tile.overlap, end: end)))
      }
    }
  }

  @Test func otherDepthsAndProfilesAreTheSame() throws {
    let icc = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    for (layout, depth) in [(ChannelLayout.rgb, 12), (.gray, 16), (.rgb, 8)] {
      let waves = try #require(
        SyntheticImage.waves(width: 41, height: 57, layout: layout, bitDepth: depth))
      let profile = layout == .rgb ? ColorProfile.icc(icc) : .sRGB
      let image = waves.tagged(profile)
      // Down to levels with so few pixels that no table is made for the profile.
      try check(image, try #require(TilePyramid(width: 41, height: 57, tileSize: 16, end: .onePixel)))
    }
  }

  @Test func levelsThatNobodyWantsAreNotMade() throws {
    let image = try #require(SyntheticImage.waves(width: 70, height: 90))
    let pyramid = try #require(TilePyramid(width: 70, height: 90, tileSize: 16, overlap: 1))
    for count in 1...pyramid.levels.count { try check(image, pyramid, levels: count) }
  }
}
