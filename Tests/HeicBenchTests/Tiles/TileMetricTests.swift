import Foundation
import Model
import TestSupport
import Testing

@testable import Store

/// Scores of tiles by every metric, and whole pictures, which are points.
struct TileMetricTests {
  private let desk: ProgramDesk

  init() throws {
    desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 200, height: 140)
  }

  private static let tiles = [
    "tiles", "photos", "--codec", "jpeg", "--qualities", "0.5", "--tile-sizes", "64,256", "--viewport",
    "100x80",
  ]
  private static let sweep = ["photos", "--codec", "jpeg", "--qualities", "0.5", "--refine", "off"]

  private func points(_ folder: String = "results") throws -> [Quality: Figures] {
    let store = try ResultStore(reading: desk.folder.path + "/" + folder)
    let bytes = [UInt8](try desk.data("photos/a.ppm"))
    let image = ImageIdentity(name: "a.ppm", contentHash: SHA256.hexDigest(of: bytes))
    let points = try store.points(of: image, preparation: #require(store.tileScope()?.preparation))
    return Dictionary(
      uniqueKeysWithValues: points.compactMap { key, point in point.figures.map { (key.quality, $0) } })
  }

  @Test func tilesHaveTheScoresThatASweepHas() throws {
    let measure = Self.tiles + ["--metrics", "ssim,psnr-y"]
    let measured = try desk.run(measure)
    #expect(measured.status == 0, "\(measured.errors)")
    let header = try desk.text("results/tiles.csv").prefix { $0 != "\n" }
    #expect(
      header.hasSuffix(",status,error,whole_psnr_y_db,level0_psnr_y_db,whole_ssim,level0_ssim"), "\(header)")
    let page = try desk.text("results/tiles.json")
    #expect(page.contains("\"level0_psnr_y_db\""))
    #expect(try desk.run(Self.sweep + ["--output", "sweep"]).status == 0)
    let point = try #require(try desk.rows(of: "sweep/measurements.csv").first)
    let rows = try desk.rows(of: "results/tiles.csv")
    #expect(rows.count == 2)
    for row in rows {
      for metric in ["psnr_y_db", "ssim", "ssimulacra2"] {
        #expect(row["whole_\(metric)"] == point[metric] && row["whole_\(metric)"]?.isEmpty == false)
        // A single tile is the whole picture; four by three tiles have borders.
        #expect((row["level0_\(metric)"] == row["whole_\(metric)"]) == (row["tile_size"] == "256"), "\(row)")
      }
    }
    // These scores are already in the store. A metric without a score for any cut is not.
    #expect(try desk.run(measure).errors.contains("2 of 2 cuts already there"))
    #expect(try desk.run(Self.tiles).errors.contains("2 of 2 cuts already there"))
    #expect(try !desk.run(Self.tiles + ["--metrics", "ms-ssim,psnr-rgb"]).errors.contains("already"))
    #expect(try desk.run(Self.tiles + ["--metrics", "nope"]).status == 64)
  }

  /// A sweep measures its own points, with its own times, whatever `tiles` has measured.
  @Test func aSweepMeasuresItsOwnPoints() throws {
    #expect(try desk.run(Self.tiles).status == 0)
    #expect(try points().isEmpty)
    let wholes = try desk.rows(of: "results/tiles.csv").map { $0["whole_bytes"] }
    let sweep = try desk.run(Self.sweep)
    #expect(sweep.status == 0, "\(sweep.errors)")
    // MS-SSIM is not defined for a picture this small.
    #expect(try points().mapValues(\.scores.count) == [0.5: 4])
    let rows = try desk.rows(of: "results/measurements.csv")
    #expect(rows.map { $0["quality"] } == ["0.5"] && rows.first?["encoded_bytes"] == wholes.first ?? nil)
  }

  /// `tiles` uses a sweep's points from the store, with their times, and does not change them.
  @Test func tilesTakeTheSweepsPoints() throws {
    #expect(try desk.run(Self.sweep + ["--metrics", "ssimulacra2,psnr-y"]).status == 0)
    let csv = try desk.text("results/measurements.csv")
    #expect(try desk.run(Self.tiles).status == 0)
    let point = try #require(try points()[0.5])
    let swept = try #require(try desk.rows(of: "results/measurements.csv").first)
    for row in try desk.rows(of: "results/tiles.csv") {
      #expect(
        row["whole_bytes"] == swept["encoded_bytes"] && row["whole_ssimulacra2"] == swept["ssimulacra2"])
      let milliseconds = try #require(row["whole_decode_cpu_ms"].flatMap { Double($0) })
      let nanoseconds = try #require(point.timing.decode.first?.cpuNanoseconds)
      #expect(abs(milliseconds - Double(nanoseconds) / 1e6) <= 0.005)
    }
    // Another metric does not change the point.
    #expect(try desk.run(Self.tiles + ["--metrics", "ssim"]).status == 0)
    #expect(try points()[0.5] == point)
    for row in try desk.rows(of: "results/tiles.csv") { #expect(row["whole_ssim"]?.isEmpty == false) }
    #expect(try desk.run(Self.sweep + ["--metrics", "ssimulacra2,psnr-y"]).status == 0)
    #expect(try desk.rows(of: "results/measurements.csv") == ProgramDesk.rows(in: csv))
  }
}
