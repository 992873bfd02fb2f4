import Foundation
import Metrics
import Model
import Pixels
import Reports
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Store

@Suite("Rows of reads, tiles and generations")
struct WayRowsTests {
  private static let ways = [GateSubject.reads, .tiles, .generations]
  private static let image = ImageIdentity(name: "-a, b.png", contentHash: "ab")
  private static let failure = Outcome<Figures>.failed(Failure(kind: .crash, message: "gone"))

  /// A number with more digits than a file has.
  private static let score = 200.0 / 3

  private func key(_ way: Way, _ variant: CodecVariant = CodecVariant(codec: "heic")) -> Case {
    Case(
      image: Self.image, preparation: "plain", variant: variant, quality: 0.6, way: way, libraries: "lib 1")
  }

  private var reads: [CaseRecord] {
    let reads = SampleReads.records().enumerated().map { index, record in
      guard case .measured(var figures) = record.outcome else { return record }
      figures[.plain] = Self.score
      figures[.aligned] = index % 2 == 0 ? Self.score + 1 : nil
      figures.scores["dssim"] = Self.score / 1e4
      figures.figures[.decodePeak] = 1_234_567 + index
      figures.timing.decode = [1, 2, 4].map {
        TimingSample(wallNanoseconds: 7, cpuNanoseconds: 1_234_567 * $0 * Int64(index + 1))
      }
      var record = record
      record.outcome = .measured(figures)
      record.timesOrigin = TimesOrigin(host: "host", processor: "processor", jobs: 2)
      return record
    }
    let unknown = Case(
      image: Self.image, encoding: nil, route: .full, wanted: .all, libraries: "lib 1", build: "new")
    return reads + [CaseRecord(key: unknown, outcome: Self.failure)]
  }

  private func tiles() throws -> [CaseRecord] {
    let variant = CodecVariant(codec: "heic", build: "new", settings: ["preset": "fast"])
    func cut(_ size: Int, _ form: TileForm) -> Case {
      key(.tiles(TileCut(tileSize: size, overlap: 2, form: form, view: "100x80")), variant)
    }
    let pyramid = try #require(TilePyramid(width: 200, height: 100, tileSize: 64, overlap: 2))
    var tiles = TiledLevels(pyramid: pyramid)
    tiles.tiles = pyramid.levels.map {
      Array(repeating: TileCost(bytes: 30, cpuNanoseconds: 7), count: $0.tileCount)
    }
    tiles.headerBytes = pyramid.levels.map { _ in 0 }
    var figures = Figures(tiles: tiles)
    figures.scores = ["ssimulacra2": Self.score, "psnr-y": .infinity]
    figures.figures[.decodePeak] = 1_234_567
    let whole = Figures(
      encodedBytes: 1000, encodedHash: String(repeating: "cd", count: 32),
      scores: ["ssimulacra2": Self.score + 1])
    return [
      CaseRecord(key: cut(64, .files), outcome: .measured(figures)),
      CaseRecord(key: cut(64, .grid), outcome: .measured(figures)),
      CaseRecord(key: cut(128, .files), outcome: Self.failure),
      CaseRecord(key: key(.whole, variant), outcome: .measured(whole)),
    ]
  }

  private var chains: [CaseRecord] {
    let files = [100, 90].map { bytes in
      Figures(
        encodedBytes: bytes, encodedHash: String(repeating: "ab", count: 32),
        scores: ["ssimulacra2": Self.score, "psnr-y": Double(bytes) / 3])
    }
    let chain = Figures(chain: files, at: 0.6, asked: ["ssimulacra2", "psnr-y", "ssim"])
    let way = Way.generations(2, reaching: nil)
    return [
      CaseRecord(key: key(way), outcome: .measured(chain)),
      CaseRecord(key: key(way, CodecVariant(codec: "jpeg", build: "new")), outcome: .measured(chain)),
      CaseRecord(key: key(way, CodecVariant(codec: "jxl")), outcome: .unsupported("no such size")),
      CaseRecord(key: key(way, CodecVariant(codec: "webp")), outcome: Self.failure),
    ]
  }

  /// Makes a store, and returns the table that this way of measuring writes from it.
  private func table(of way: GateSubject, in folder: String) throws -> String {
    let store = try ResultStore(folder: folder)
    var text = ""
    switch way {
    case .points: break
    case .reads:
      for record in reads { try store.append(record) }
      try store.note(ReadScope(metrics: [.dssim]))
      try DecodeReport(of: store)?.feature().table.write(.csv, to: &text)
    case .tiles:
      for record in try tiles() { try store.append(record) }
      try store.note(TileScope(preparation: "plain", view: PixelSize(width: 100, height: 80)))
      try TileReport(of: store)?.feature.table.write(.csv, to: &text)
    case .generations:
      for record in chains { try store.append(record) }
      try store.note(ChainScope(Set(chains.map(\.key))))
      try GenerationsReport(of: store)?.feature.table.write(.csv, to: &text)
    }
    return text
  }

  private static func withoutError(_ row: ResultRow) -> ResultRow {
    var row = row
    row.error = nil
    return row
  }

  @Test("are the same in a store, in its baseline and in the command's own table", arguments: ways)
  func aStoreAndItsFilesAgree(way: GateSubject) throws {
    let folder = try TemporaryFolder()
    let own = folder.path + "/own.csv"
    try table(of: way, in: folder.path).write(toFile: own, atomically: true, encoding: .utf8)
    var request = BaselineRequest(results: folder.path)
    request.way = BaselineRequest.Way(rawValue: way.rawValue)
    try request.write(to: folder.path + "/baseline.csv")

    let all = try ResultsInput(folder.path).rows(of: way)
    #expect(all.allSatisfy { ($0.error == nil) == ($0.status == .measured) })
    let rows = all.map(Self.withoutError)
    #expect(rows.count { $0.scores["ssimulacra2"] != nil } == [.reads: 16, .tiles: 2, .generations: 4][way])
    #expect(try ResultsInput(folder.path + "/baseline.csv").rows(of: way) == rows)
    let bare = rows.map { row in
      var row = row
      (row.imageHash, row.libraries, row.timesOrigin) = (nil, nil, nil)
      return row
    }
    let read = try ResultsInput(own).rows(of: way).map(Self.withoutError)
    #expect(read.count == bare.count && Set(read) == Set(bare))
  }

  @Test("are refused with the location of a damaged number", arguments: ways)
  func damagedNumbers(way: GateSubject) throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/damaged.csv"
    let columns = BaselineColumns.all(way.kind, scores: BaselineColumns.scores(of: way.kind))
    let texts: Set = [
      "image", "source", "codec", "settings", "build", "route", "wanted", "image_sha256", "libraries", "host",
      "processor",
    ]
    for name in columns.map(\.name) where !texts.contains(name) {
      let damaged = columns.map { column in
        column.name == name ? Column(name, title: name) { _ in .text("12x4") } : column
      }
      let text = RowWriter(csv: damaged).text([ResultRow(image: "a", status: .failed)])
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let error = #expect(throws: CSVError.self) { try ResultsInput(file).rows(of: way) }
      #expect(error?.path == file && error?.line == 2)
      #expect(error?.reason.hasPrefix("“12x4” in column \(name) is not ") == true)
    }
  }
}
