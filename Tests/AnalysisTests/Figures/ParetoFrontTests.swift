import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

@Suite struct ParetoFrontTests {
  static func sweep() -> SampleRows {
    var sweep = SampleRows()
    sweep.variants.append(CodecVariant(codec: "heic", settings: ["preset": "slow"]))
    return sweep
  }

  @Test func smallerAndSlowerVariantsAreBothWorthConsidering() throws {
    let front = try #require(try SampleRows().analysis().paretoFronts.first { $0.target == 70 })
    #expect(front.images == 8)
    #expect(front.entries.map(\.dominatedBy) == [nil, nil])
    #expect(abs(front.entries[1].bitsPerPixel / front.entries[0].bitsPerPixel - 0.7) < 0.001)
  }

  @Test func aSlowerVariantOfTheSameSizeIsDominated() throws {
    var sweep = Self.sweep()
    sweep.change = { row in
      guard row.variant?.settings.isEmpty == false else { return }
      row[.encode, .cpu]?.median *= 2
    }
    let front = try #require(try sweep.analysis().paretoFronts.first { $0.target == 70 })
    #expect(front.entries.map { $0.dominatedBy?.name } == [nil, nil, "heic"])
  }

  @Test func decodesAndMemoryStandBeside() throws {
    var sweep = Self.sweep()
    sweep.change = { row in
      // A megapixel takes 5 ms to decode at any quality, and the peak memory is that of one image.
      let milliseconds = 5 * Double(row.pixels ?? 0) / 1e6
      row[.decode, .cpu]?.median = milliseconds
      row.figures[.peakMemory] = row.image == "image3.png" ? 12 : 7
    }
    let front = try #require(try sweep.analysis().paretoFronts.first { $0.target == 70 })
    #expect(front.entries.allSatisfy { abs(($0.millisecondsPerMegapixel[.decode] ?? 0) - 5) < 1e-9 })
    #expect(front.entries.allSatisfy { $0.peakMiB == 12 })
    sweep.change = { row in
      (row[.decode, .cpu], row.figures[.peakMemory]) = (nil, row.image == "image3.png" ? nil : 7)
    }
    let unknown = try #require(try sweep.analysis().paretoFronts.first { $0.target == 70 })
    #expect(unknown.entries.allSatisfy { $0.millisecondsPerMegapixel[.decode] == nil && $0.peakMiB == nil })
  }

  @Test func withoutTimesNothingIsDominated() throws {
    var sweep = Self.sweep()
    sweep.change = { $0[.encode, .cpu] = nil }
    let front = try #require(try sweep.analysis().paretoFronts.first)
    #expect(front.entries.allSatisfy { $0.dominatedBy == nil && $0.millisecondsPerMegapixel[.encode] == nil })
  }

  @Test func aVariantThatSeldomReachesTheTargetIsLeftOut() throws {
    var sweep = Self.sweep()
    sweep.change = { row in
      if row.variant?.settings.isEmpty == false, row.image != "image0.png" { row.scores = [:] }
    }
    let front = try #require(try sweep.analysis().paretoFronts.first { $0.target == 70 })
    #expect(front.images == 8)
    #expect(front.entries.count == 2)
    #expect(front.leftOut.map(\.name) == ["heic:preset=slow"])
  }
}
