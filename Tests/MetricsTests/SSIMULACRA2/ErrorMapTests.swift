import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

/// A copy of an error map.
private struct ErrorMap: Equatable {
  let width: Int
  /// The values, row by row.
  let values: [Float]

  init(_ rows: ErrorRows) { (width, values) = (rows.width, (0..<rows.height).flatMap { rows[$0] }) }
}

extension PreparedSuite {
  fileprivate func errorMap(_ candidate: RasterImage) throws(MetricError) -> ErrorMap? {
    try errors(candidate) { ErrorMap($0) }
  }
}

@Suite("Error map") struct ErrorMapTests {
  @Test("points to the damaged corner") func place() throws {
    let reference = try #require(SyntheticImage.waves(width: 150, height: 120))
    var bytes = try reference.samples.eightBits()
    for y in 90..<110 {
      for x in 120..<140 { bytes[(y * 150 + x) * 3] ^= 64 }
    }
    let damaged = try #require(RasterImage(width: 150, height: 120, layout: .rgb, bytes: bytes))
    let suite = try MetricSuite(["ssimulacra2"]).prepare(reference)
    let map = try #require(try suite.errorMap(damaged))
    #expect(map.width == 150)
    #expect(map.values.count == 150 * 120)
    #expect(map.values.allSatisfy { $0 >= 0 })
    let largest = try #require(map.values.indices.max { map.values[$0] < map.values[$1] })
    #expect((110..<150).contains(largest % 150))
    #expect((80..<120).contains(largest / 150))
    #expect(map.values[0] < 1e-6 * map.values[largest])
  }

  @Test("adds each coarser plane to the pixels it covers, odd sizes included") func sum() {
    let sizes = halvings(width: 7, height: 5, count: 3)
    // Integers add up exactly in any order.
    func value(_ scale: Int, _ x: Int, _ y: Int) -> Float { Float((scale + 1) * 100 + 10 * y + x) }
    let planes = sizes.enumerated().map { scale, size in
      let plane = PlanarImage(width: size.width, height: size.height, planes: 1)
      for y in 0..<size.height {
        for x in 0..<size.width { plane.row(0, y)[x] = value(scale, x, y) }
      }
      return plane
    }
    var expected: [Float] = []
    for y in 0..<5 {
      for x in 0..<7 { expected.append(value(0, x, y) + value(1, x / 2, y / 2) + value(2, x / 4, y / 4)) }
    }
    #expect(ErrorRows(planes).map { ErrorMap($0).values } == expected)
    #expect(ErrorRows([]).map { $0.width } == nil)
  }

  @Test("is zero for identical images, and absent for tiny ones") func isZeroForIdenticalImages() throws {
    let image = try #require(SyntheticImage.waves(width: 40, height: 30))
    let suite = try MetricSuite([]).prepare(image)
    #expect(try suite.errorMap(image)?.values.max() == 0)
    let tiny = try #require(SyntheticImage.waves(width: 7, height: 30))
    #expect(try MetricSuite([]).prepare(tiny).errorMap(tiny) == nil)
  }

  @Test(
    "is computed with the scores in one pass, and is the same as alone",
    arguments: [["ssimulacra2", "psnr-y", "ssim"], ["psnr-y"], []], [false, true])
  func withScores(_ metrics: [String], _ hasAlpha: Bool) throws {
    let reference = try #require(SyntheticImage.waves(width: 150, height: 120))
    var bytes = try reference.samples.eightBits()
    for index in stride(from: 0, to: bytes.count, by: 7) { bytes[index] &+= 9 }
    var damaged = try #require(RasterImage(width: 150, height: 120, layout: .rgb, bytes: bytes))
    if hasAlpha {
      var rgba: [UInt8] = []
      for pixel in 0..<150 * 120 { rgba += bytes[3 * pixel..<3 * pixel + 3] + [UInt8(pixel % 256)] }
      damaged = try #require(RasterImage(width: 150, height: 120, layout: .rgba, bytes: rgba))
    }
    let suite = try MetricSuite(metrics).prepare(reference)
    let (scores, map) = try suite.scoreAndErrors(damaged) { ErrorMap($0) }
    #expect(try suite.score(damaged) == scores)
    #expect(Set(scores.keys) == Set(metrics))
    #expect(try suite.errorMap(damaged) == map)
    #expect(try #require(map).values.max() != 0)
    // No map is left over for the next candidate.
    #expect(try suite.scoreAndErrors(reference) { ErrorMap($0).values.max() }.errors == 0)
    #expect(try suite.errorMap(damaged) == map)
  }
}
