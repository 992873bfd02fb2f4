import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Workers

/// Samples of folders of real files. `Tests/Reference/conversions.csv` has what is known of each file without decoding
/// it, and its bytes by `convert-check` in HEIC and WebP.
struct FolderSampleTests {
  private struct Row {
    var group: String
    var entry: CorpusEntry
    /// Bytes after conversion, by codec; the file's own if it is not converted.
    var bytes: [String: Int]
  }

  private let rows: [Row]

  init() throws {
    rows = try ReferenceFolder.records(ReferenceFolder.committed + "/conversions.csv").enumerated().map {
      index, row in
      func number(_ name: String) throws -> Int { try #require(row[name].flatMap { Int($0) }) }
      let header = ImageHeader(
        format: try #require(row["format"]), width: try number("pixels"), height: 1,
        bitDepth: try number("bits"),
        layout: try #require(ChannelLayout(rawValue: row["layout"] ?? "")), isLossy: false)
      var contents = FileContents()
      if row["camera"] == "1" { contents.making.camera = "camera" }
      let entry = CorpusEntry(
        identity: ImageIdentity(name: "\(index)", contentHash: "\(index)"), path: [],
        fileBytes: try number("bytes"),
        header: header, contents: .success(contents))
      let own = entry.fileBytes
      return Row(
        group: try #require(row["group"]), entry: entry,
        bytes: ["heic", "webp"].reduce(into: [:]) { $0[$1] = row[$1].flatMap { Int($0) } ?? own })
    }
  }

  private static let folders: [(name: String, groups: Set<String>)] = [
    ("photographs", ["photograph"]), ("icons", ["icon"]), ("screenshots", ["screenshot"]),
    ("archive", ["photograph", "gray-scan", "bit-scan"]), ("website", ["photograph", "icon", "screenshot"]),
    ("desk", ["screenshot", "master", "gray-scan"]), ("phone", ["photograph", "odd"]),
    ("everything", ["photograph", "icon", "screenshot", "master", "gray-scan", "bit-scan", "odd"]),
  ]

  private func projection(_ sample: FolderSample, _ codec: String, _ files: [Row]) throws
    -> ConversionProjection
  {
    let tried = try sample.entries.map { entry in
      let row = try #require(files.first { $0.entry.identity.name == entry.identity.name })
      return TriedConversion(
        image: entry.identity.name, fileBytes: entry.fileBytes, pixels: entry.file.pixels,
        outcome: .converted(bytes: try #require(row.bytes[codec]), seconds: 1))
    }
    return ConversionProjection(
      CodecVariant(codec: codec), score: 80, files: tried, sample: sample.sample(of: Array(tried.indices)))
  }

  /// Of the intervals given, 93 % contain the whole folder's figure. `HEICBENCH_COVERAGE=FILE` writes the table of
  /// docs/lab/convert-check.md.
  @Test func intervalsHoldTheFigureOfRealFolders() throws {
    let seeds = UInt64(1)...60
    var (held, promised, table) = (0, 0, "")
    for (name, groups) in Self.folders {
      let files = rows.filter { groups.contains($0.group) }
      var figures: [String: (truth: Double, held: Int, rough: Int, widths: [Double])] = [:]
      var sizes: [Double] = []
      for seed in seeds {
        let sample = FolderSample(nil, of: files.map(\.entry), seed: seed)
        sizes.append(Double(sample.entries.count))
        for codec in ["heic", "webp"] {
          let row = try projection(sample, codec, files)
          let truth = files.reduce(0.0) { $0 + Double(min($1.bytes[codec] ?? 0, $1.entry.fileBytes)) }
          let estimate = try #require(row.bytesWhereSmaller)
          let interval = try #require(estimate.interval)
          #expect(interval.lower > 0 && interval.lower <= estimate.total && interval.upper >= estimate.total)
          var figure = figures[codec] ?? (truth / estimate.known, 0, 0, [])
          let isHeld = interval.lower <= truth * (1 + 1e-9) && truth <= interval.upper * (1 + 1e-9)
          figure.widths.append((interval.upper - interval.lower) / estimate.known * 100)
          if row.isRough { figure.rough += 1 } else { promised += 1 }
          if isHeld { figure.held += 1 }
          if isHeld, !row.isRough { held += 1 }
          figures[codec] = figure
        }
      }
      for (codec, figure) in figures.sorted(by: { $0.key < $1.key }) {
        table +=
          "| \(name) | \(codec) | \(files.count) | \(sizes.median ?? 0) | \((figure.truth - 1) * 100) "
          + "| \(Double(figure.held) / Double(seeds.count) * 100) | \(figure.rough) | \(figure.widths.median ?? 0) |\n"
        #expect(figure.held * 10 >= seeds.count * 7, "\(name) \(codec): \(figure.held) of \(seeds.count)")
      }
    }
    if let path = ProcessInfo.processInfo.environment["HEICBENCH_COVERAGE"] {
      try Data("\(held) of \(promised)\n\(table)".utf8).write(to: URL(filePath: path))
    }
    #expect(Double(held) >= 0.93 * Double(promised), "\(held) of \(promised)\n\(table)")
  }

  @Test func aSampleGrowsWithTheKindsOfFiles() {
    func size(_ groups: Set<String>) -> Int {
      FolderSample(nil, of: rows.filter { groups.contains($0.group) }.map(\.entry), seed: 3).entries.count
    }
    #expect(size(["photograph"]) <= 14, "\(size(["photograph"]))")
    #expect(size(["photograph", "icon", "screenshot", "master", "gray-scan", "bit-scan", "odd"]) > 20)
    #expect(FolderSample(nil, of: rows.prefix(5).map(\.entry), seed: 1).entries.count == 5)
  }

  @Test func aLargerSampleHoldsTheSmallerOneAndTheWholeIsEverything() throws {
    let entries = rows.map(\.entry)
    let samples = [5, 20, 80].map { FolderSample($0, of: entries, seed: 4) }
    let names = samples.map { Set($0.entries.map(\.identity.name)) }
    #expect(names.map(\.count) == [5, 20, 80])
    #expect(names[0].isSubset(of: names[1]) && names[1].isSubset(of: names[2]))
    #expect(Set(FolderSample(5, of: entries, seed: 5).entries.map(\.identity.name)) != names[0])
    let whole = FolderSample(1000, of: entries, seed: 4)
    #expect(whole.entries.map(\.identity.name) == entries.map(\.identity.name))
    #expect(try #require(whole.sample(of: Array(entries.indices))).isWhole)
    #expect(whole.order.sorted() == Array(entries.indices))
  }

  /// The files finished so far are a sample up to the first draw that is missing.
  @Test func theFilesDoneAreASampleAtAnyTime() throws {
    let sample = FolderSample(30, of: rows.map(\.entry), seed: 6)
    #expect(sample.sample(of: Array(sample.order.prefix(4))) == nil, "too few for an interval")
    let some = try #require(sample.sample(of: sample.order.prefix(9).sorted()))
    #expect(some.files.count == 9 && some.draws >= 9 && some.isRough && !some.isWhole)
    // Without the sixth file, those after it do not count.
    var done = Array(sample.order.prefix(9))
    done.remove(at: 5)
    #expect(try #require(sample.sample(of: done.sorted())).files.count == 5)
    let pixels = sample.order.prefix(5).map { sample.entries[$0].pixels }
    #expect(pixels == pixels.sorted(), "the small ones come first")
  }
}
