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

  @Test("The table of colours says what the scale does") func table() {
    let ends: [Float] = [
      0, .leastNonzeroMagnitude, ErrorMapPicture.black, ErrorMapPicture.black.nextUp,
      ErrorMapPicture.white.nextDown,
      ErrorMapPicture.white, 31, .greatestFiniteMagnitude, .infinity, .nan, -1,
    ]
    // Eight values a cell, and four beside each at which a colour begins.
    let bits = stride(from: Float(0.05).bitPattern, to: Float(40).bitPattern, by: 4093)
    var boundaries: [Float] = []
    for value in bits.map(Float.init(bitPattern:)) + ends {
      let colour = ErrorMapPicture.colour(of: value)
      #expect(ErrorMapPicture.colours[value] == colour, "\(value)")
      guard value > 0, value < 40 else { continue }
      let next = Float(bitPattern: value.bitPattern + 4093)
      if ErrorMapPicture.colour(of: next) != colour { boundaries.append(boundary(value, next)) }
    }
    #expect(boundaries.count > 700)
    for value in boundaries {
      for near in [value.nextDown.nextDown, value.nextDown, value, value.nextUp] {
        #expect(ErrorMapPicture.colours[near] == ErrorMapPicture.colour(of: near), "\(near)")
      }
    }
  }

  /// The first value between two of different colours that has not that of the lower one.
  private func boundary(_ low: Float, _ high: Float) -> Float {
    var (low, high) = (low.bitPattern, high.bitPattern)
    let first = ErrorMapPicture.colour(of: Float(bitPattern: low))
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if ErrorMapPicture.colour(of: Float(bitPattern: middle)) == first {
        low = middle
      } else {
        high = middle
      }
    }
    return Float(bitPattern: high)
  }
}
