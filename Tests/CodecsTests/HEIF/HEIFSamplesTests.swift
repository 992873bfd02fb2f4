import BenchModel
import TestSupport
import Testing

@testable import Codecs

struct HEIFSamplesTests {
  @Test func widensToTheFullScale() {
    #expect(SampleDepth.widened([0, 128, 255] as [UInt8], from: 8, to: 10) == [0, 514, 1023])
    #expect(SampleDepth.widened([0, 511, 600] as [UInt16], from: 9, to: 10) == [0, 1023, 1023])
    #expect(SampleDepth.widened([7, 1023] as [UInt16], from: 10, to: 10) == [7, 1023])
  }

  @Test func takesChannelsApartAndTogether() {
    let pairs: [UInt8] = [1, 10, 2, 20, 3, 30]
    let (first, second) = (
      Interleaving.channel(0, of: 2, in: pairs), Interleaving.channel(1, of: 2, in: pairs)
    )
    #expect(first == [1, 2, 3])
    #expect(second == [10, 20, 30])
    #expect(Interleaving.pairs(first, second) == pairs)
  }

  @Test func collapsesEqualChannelsToGray() throws {
    let rgba = try #require(
      RasterImage(width: 2, height: 1, layout: .rgba, bytes: [5, 5, 5, 9, 6, 6, 6, 8]))
    let gray = try #require(Interleaving.gray(rgba))
    #expect(gray.format.layout == .grayAlpha)
    #expect(gray.samples == .bytes([5, 9, 6, 8]))
    #expect(Interleaving.gray(gray) == nil)
  }

  @Test func dividesByAlpha() throws {
    let image = try #require(
      RasterImage(width: 4, height: 1, layout: .grayAlpha, bytes: [50, 100, 90, 255, 7, 0, 200, 100]))
    #expect(AlphaDivision.straight(image).samples == .bytes([128, 100, 90, 255, 0, 0, 255, 100]))
  }
}
