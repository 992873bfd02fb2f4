import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

@Suite struct ErrorMapPictureTests {
  /// The picture of the errors after the image's samples were changed by `change`.
  private func picture(_ change: Int) throws -> (picture: IndexedPicture, map: [Float]) {
    let image = try #require(SyntheticImage.waves(width: 64, height: 48))
    guard case .bytes(let samples) = image.samples else { throw Failure(kind: .source, message: "16 bits") }
    var moved = samples
    for index in moved.indices where index / 3 % 2 == 0 {
      moved[index] = UInt8(clamping: Int(moved[index]) + change)
    }
    let candidate = try #require(RasterImage(width: 64, height: 48, layout: .rgb, bytes: moved))
    let suite = try MetricSuite(["ssimulacra2"]).prepare(image)
    let picture = try suite.errors(candidate) { rows in
      (ErrorMapPicture.picture(of: rows), (0..<rows.height).flatMap { rows[$0] })
    }
    let (errors, map) = try #require(picture)
    return (try #require(errors), map)
  }

  @Test("No error is black, and more error is brighter") func scale() throws {
    let ladder = try [0, 4, 16, 64].map { change in
      let raster = try #require(try picture(change).picture.raster)
      #expect((raster.width, raster.height) == (64, 48))
      guard case .bytes(let colours) = raster.samples else { return Double.nan }
      return colours.reduce(0) { $0 + Double($1) } / Double(colours.count)
    }
    #expect(ladder[0] == 0)
    for (less, more) in zip(ladder, ladder.dropFirst()) { #expect(less < more) }
    #expect(ladder[3] <= 255)
  }

  @Test("The table of levels errs by no more than the bits that it leaves out", arguments: [4, 16, 64])
  func table(_ change: Int) throws {
    let (picture, map) = try picture(change)
    var seen: Set<UInt8> = []
    for (value, level) in zip(map, picture.indices) {
      // Eight leading bits cover the values from 1 − 1/256 of this one up to it.
      let range = ErrorMapPicture.level(of: value * (1 - 1 / 256))...ErrorMapPicture.level(of: value)
      #expect(range.contains(level), "\(value)")
      seen.insert(level)
    }
    #expect(seen.count > 20)
  }

  @Test("The scale is logarithmic, with the colours that the page names") func colours() {
    let ends: [(Float, UInt8)] = [
      (0, 0), (-1, 0), (.nan, 0), (.leastNonzeroMagnitude, 0), (0.1, 0), (30, 255), (31, 255),
      (.infinity, 255), (0.1 * sqrt(300), 128),
    ]
    for (value, level) in ends { #expect(ErrorMapPicture.level(of: value) == level, "\(value)") }
    let palette = ErrorMapPicture.palette
    func colour(_ value: Float) -> [UInt8] {
      let level = Int(ErrorMapPicture.level(of: value))
      return Array(palette[3 * level..<3 * level + 3])
    }
    #expect(palette.count == 3 * 256)
    #expect(colour(0) == [0, 0, 0] && colour(0.67) == [255, 0, 0])
    #expect(colour(4.48) == [255, 255, 0] && colour(30) == [255, 255, 255])
  }
}
