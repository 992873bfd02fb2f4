import Foundation
import Model
import SampleData
import Store
import Testing

@testable import Analysis

@Suite("Files of other encoders at equal score")
struct ImportComparisonTests {
  /// The rows of a sweep, each image followed by files of another encoder.
  private static func analysis(
    images: Int = 8, qualities: Int = 40, metadata: (own: Int, files: Int) = (0, 0),
    imported: [CodecVariant] = [], files: (Int) -> [(bytes: Double, score: Double?)]
  ) throws -> Analysis {
    let sweep = SampleRows(images: images, qualities: qualities).rows()
    var builder = AnalysisBuilder(
      variants: [CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic")] + imported, imported: imported,
      metrics: [.sampleHeadline, .sampleSSIM])
    for image in 0..<images {
      let own = sweep.filter { $0.image == "image\(image).png" }
      for var row in own {
        row.encodedBytes = row.encodedBytes.map { $0 + metadata.own }
        row.figures[.metadata] = Double(metadata.own)
        try builder.add(row)
      }
      for (number, file) in files(image).enumerated() {
        var row = own[0]
        row.variant = CodecVariant(codec: "phone")
        (row.quality, row.nativeQuality) = (nil, nil)
        row.importedFile = "\(image)-\(number).heic"
        row.encodedBytes =
          Int((Self.bytes(image, at: file.score ?? 60) * file.bytes).rounded()) + metadata.files
        row.figures[.metadata] = Double(metadata.files)
        row.scores = file.score.map { ["ssimulacra2": $0] } ?? [:]
        (row[.encode, .cpu], row[.encode, .wall]) = (nil, nil)
        try builder.add(row)
      }
    }
    return builder.finish()
  }

  /// The bytes of the sample's first variant at a score, by the samples' own formula.
  private static func bytes(_ image: Int, at score: Double) -> Double {
    20_000 * (1 + Double(image % 5) / 4) * pow(1.0003, score * 100)
  }

  @Test("files with 1.3 times the bytes are reported with 1.3 times the bytes")
  func ratio() throws {
    let analysis = try Self.analysis { _ in [(1.3, 62.5)] }
    let comparisons = analysis.importComparisons
    #expect(comparisons.map(\.variant.name) == ["jpeg", "heic"])
    let ratios = comparisons.compactMap(\.ratio)
    #expect(abs(ratios[0] - 1.3) < 0.002 && abs(ratios[1] - 1.3 / 0.7) < 0.003)
    #expect(comparisons[0].files == 8 && comparisons[0].bytes?.images == 8 && comparisons[0].problems.isEmpty)
    // The first variant's line 20 + 75 q is at 62.5 there.
    let quality = try #require(comparisons[0].medianQuality)
    #expect(abs(quality - 42.5 / 75) < 0.01)
    // They do not change the measurements and have no verdict.
    #expect(analysis.verdicts.map(\.variant.name) == ["heic"])
    #expect(analysis.importedVariants == [CodecVariant(codec: "phone")])
    #expect(analysis.meanCurves.map(\.variant.name) == ["jpeg", "heic"])
    #expect(analysis.sanity.isClean)
    #expect(analysis.settings.allSatisfy { $0.variant.codec != "phone" })
  }

  @Test(
    "only the picture's bytes count, and those of whole files are listed beside them",
    arguments: [(0, 30_000, 30_000.0), (5_000, 5_000, nil), (30_000, 0, -30_000)])
  func subtractsMetadata(own: Int, files: Int, more: Double?) throws {
    let analysis = try Self.analysis(metadata: (own, files)) { _ in [(1, 62.5)] }
    let comparison = try #require(analysis.importComparisons.first)
    #expect(abs((comparison.ratio ?? 0) - 1) < 0.002)
    let bytes = (0..<8).map { Self.bytes($0, at: 62.5) }
    let logs = bytes.map { log(($0 + Double(files)) / ($0 + Double(own))) }
    #expect(abs((comparison.wholeRatio ?? 0) - exp(logs.reduce(0, +) / 8)) < 0.002)
    #expect(comparison.moreBytes == more && comparison.filesWithMore == (more == nil ? 0 : 8))
  }

  @Test("files with less besides the picture are not counted among those with more")
  func metadataOnBothSides() throws {
    let variants = ["phone", "jpeg"].map { CodecVariant(codec: $0) }
    var imports = ImportAccumulator(series: variants[0], variant: variants[1])
    let points = (1...5).map { RateQualityCurve.Point(score: Double($0) * 10, bytes: 9000 + $0 * 1000) }
    let curve = try RateQualityCurve(points)
    for (index, metadata) in [0.0, 0, 700, 800, 900].enumerated() {
      var row = SampleRows.measured("\(index).png", variant: variants[0], bytes: 20_000)
      (row.quality, row.nativeQuality, row.importedFile) = (nil, nil, "\(index).heic")
      row.figures[.metadata] = metadata
      let sample = try #require(PointSample(row, metrics: SampleRows.metrics))
      imports.add(
        image: NamedImage(name: row.image, isSmall: false), [(sample, 30)], .success(curve), metadata: 500)
    }
    let comparison = imports.comparison(options: .standard)
    #expect(comparison.filesWithMore == 3 && comparison.moreBytes == 300)
  }

  @Test("an image with several files counts once, with their geometric mean")
  func severalFiles() throws {
    let analysis = try Self.analysis { _ in [(1, 40), (4, 60), (2, 80)] }
    let comparison = try #require(analysis.importComparisons.first)
    #expect(comparison.files == 24 && comparison.images == 8)
    #expect(abs((comparison.ratio ?? 0) - 2) < 0.01)
    #expect(comparison.bytes?.images == 8)
    // Three files make a curve.
    #expect(analysis.meanCurves.count == 3)
  }

  @Test("files that form a curve have a verdict, although their qualities are unknown")
  func verdict() throws {
    let analysis = try Self.analysis { _ in
      (0...10).map { (bytes: 1.3, score: 60 + 2 * Double($0)) }
    }
    let verdict = try #require(analysis.verdicts.first { $0.variant.codec == "phone" })
    #expect(verdict.unmeasured == nil && verdict.direction == .costs)
    #expect(abs((verdict.bytes?.mean ?? 0) - 30) < 0.5)
  }

  @Test(
    "imported files of one image, or of none, leave the mean curves and verdicts as they are",
    arguments: [7, 8])
  func fewFiles(only image: Int) throws {
    let without = try Self.analysis { _ in [] }
    let analysis = try Self.analysis(imported: [CodecVariant(codec: "phone")]) {
      $0 == image ? [(1, 62.5)] : []
    }
    #expect(analysis.meanCurves == without.meanCurves && !analysis.meanCurves.isEmpty)
    #expect(analysis.verdicts == without.verdicts)
    #expect(analysis.importComparisons.isEmpty == (image == 8))
  }

  @Test("without a measurement there is no figure, but a reason and what to measure")
  func problems() throws {
    let analysis = try Self.analysis(images: 5, qualities: 3) { image in
      switch image {
      case 0: [(1, 99)]
      case 1: [(1, 5)]
      case 2: [(1, nil)]
      default: [(1, 57)]
      }
    }
    let comparison = try #require(analysis.importComparisons.first)
    #expect(comparison.bytes == nil && comparison.ratio == nil)
    #expect(comparison.problems == [.above: 1, .below: 1, .unscored: 1, .sparse: 2])
    // Thirds of the scale: 0.33, 0.67 and 1. The wanted qualities are half of the lowest and the middle of two others.
    #expect(comparison.wantedQualities == [0.16, 0.5])
  }

  @Test("an image that was not swept has files without a figure")
  func noSweep() throws {
    var row = ResultRow(image: "a.png", status: .measured)
    (row.width, row.height, row.variant) = (100, 100, CodecVariant(codec: "phone"))
    (row.importedFile, row.encodedBytes, row.scores) = ("a.heic", 900, ["ssimulacra2": 70])
    var builder = AnalysisBuilder(variants: [CodecVariant(codec: "jpeg")], metrics: [.sampleHeadline])
    try builder.add(row)
    let analysis = builder.finish()
    #expect(analysis.importComparisons.first?.problems == [.noCurve: 1])
    #expect(analysis.counts.measured == 1)
  }

  @Test("the gate compares a file with the file of its name")
  func gate() throws {
    func rows(_ factor: Double) throws -> [ResultRow] {
      var row = ResultRow(image: "a.png", status: .measured)
      (row.width, row.height, row.variant) = (100, 100, CodecVariant(codec: "phone"))
      return ["1.heic", "2.heic"].enumerated().map { number, file in
        row.importedFile = file
        row.encodedBytes = Int(Double(1000 * (number + 1)) * (number == 1 ? factor : 1))
        row.scores = ["ssimulacra2": 60 + 10 * Double(number)]
        return row
      }
    }
    func point(_ row: ResultRow) -> GatePoint? {
      GatePoint(
        row, of: .points, variant: 0, libraries: nil, versions: nil, metrics: [.sampleHeadline])
    }
    let points = try rows(2).compactMap(point)
    #expect(points.map(\.place.file) == ["1.heic", "2.heic"])
    #expect(points[0].place.quality == nil && points[0].sample(by: 0).bytes == 1000)
  }
}
