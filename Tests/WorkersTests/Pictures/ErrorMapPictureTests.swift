import Metrics
import Model
import Pixels
import TestSupport
import Testing

@testable import Workers

@Suite struct ErrorMapPictureTests {
  /// The mean of all samples of the picture of an image's errors after its samples were moved by `change`.
  private func brightness(_ change: Int) throws -> Double {
    let image = try #require(SyntheticImage.waves(width: 64, height: 48))
    guard case .bytes(let samples) = image.samples else { throw Failure(kind: .source, message: "16 bits") }
    var moved = samples
    for index in moved.indices where index / 3 % 2 == 0 {
      moved[index] = UInt8(clamping: Int(moved[index]) + change)
    }
    let candidate = try #require(RasterImage(width: 64, height: 48, layout: .rgb, bytes: moved))
    let map = try #require(try MetricSuite(["ssimulacra2"]).prepare(image).errorMap(candidate))
    let picture = try #require(ErrorMapPicture.raster(of: map))
    #expect((picture.width, picture.height) == (64, 48))
    guard case .bytes(let colours) = picture.samples else { return .nan }
    return colours.reduce(0) { $0 + Double($1) } / Double(colours.count)
  }

  @Test("No error is black, and more error is brighter") func scale() throws {
    let ladder = try [0, 4, 16, 64].map(brightness)
    #expect(ladder[0] == 0)
    for (less, more) in zip(ladder, ladder.dropFirst()) { #expect(less < more) }
    #expect(ladder[3] <= 255)
  }
}
