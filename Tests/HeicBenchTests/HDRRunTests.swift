import Codecs
import Foundation
import Pixels
import TestSupport
import Testing

/// Sweeps of HDR with the program: what it reads, writes, prints and refuses.
@Suite("HDR runs")
struct HDRRunTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  /// Writes a picture of 16 bits with highlights. `light` is what its file states; nil for nothing.
  private func write(_ name: String, _ light: HDRLight?, seed: UInt64 = 1) throws {
    let waves = try #require(SyntheticImage.waves(width: 192, height: 184, bitDepth: 16, seed: seed))
    let file = desk.folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let image = light.map { waves.tagged(.light($0)) } ?? waves
    try Data(PNGWriter().write(image)).write(to: file)
  }

  private static let hlg = HDRLight(points: CodePoints(primaries: 9, transfer: 18), peak: 1000)

  @Test func filesOfHDRMakeAnHDRRun() throws {
    try write("hdr/pq.png", .pq)
    try write("hdr/hlg.png", Self.hlg, seed: 2)
    let result = try desk.run([
      "hdr", "--qualities", "0.1,0.5,0.9", "--refine", "off", "--images", "1", "--keep-encoded", "kept",
      "--metric-command", "depth=od -An -tu1 -j24 -N1 {distorted} {reference}",
      "--metric-command", "points=grep -ac cICP {reference} {distorted}",
    ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("all images are HDR, so heicbench measures HDR"), "\(result.errors)")
    let rows = try desk.rows(of: "results/measurements.csv")
    #expect(Set(rows.compactMap { $0["codec"] }) == ["avif", "heic"])
    for row in rows {
      #expect(row["status"] == "measured" && row["ssimulacra2"] == "" && row["psnr_y_db"] == "", "\(row)")
      for column in ["pu21_psnr_db", "pu21_ms_ssim", "delta_e_itp_mean", "delta_e_itp_p95"] {
        #expect(Double(row[column] ?? "") != nil, "\(column) \(row)")
      }
      #expect(row["depth"].flatMap(Double.init) == 16 && row["points"].flatMap(Double.init) == 1, "\(row)")
    }
    let best = rows.filter { $0["quality"] == "0.9" }.compactMap { $0["pu21_psnr_db"].flatMap(Double.init) }
    #expect(best.count == 4 && best.allSatisfy { $0 > 25 }, "\(best)")
    let (summary, page) = (try desk.text("results/summary.md"), try desk.text("results/report.html"))
    for text in [summary, page] {
      #expect(text.contains("PU21-MS-SSIM") && text.contains("PQ, HLG on a display of 1000 cd/m²"))
      #expect(!text.contains("flicker test"))
    }
    #expect(page.contains("tone-mapped"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path + "/kept")
    #expect(files.contains { $0.hasSuffix(".heic") }, "\(files)")
  }

  @Test func basesOfGainMapsHaveATableOfTheirOwn() throws {
    try write("hdr/a.png", .pq)
    try write("hdr/hlg.png", Self.hlg, seed: 2)
    let result = try desk.run([
      "hdr", "--codec", "jpeg:gainmap=1/2", "--codec", "heic:depth=10,preset=ultrafast", "--qualities",
      "0.5,0.9",
      "--refine", "off", "--images", "1",
    ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let rows = try desk.rows(of: "results/measurements.csv")
    for row in rows {
      #expect(row["status"] == "measured" && Double(row["pu21_ms_ssim"] ?? "") != nil, "\(row)")
      guard row["codec"] == "jpeg" else {
        #expect(row["base_ssimulacra2"] == "" && row["base_bytes"] == "")
        continue
      }
      let score = try #require(row["base_ssimulacra2"].flatMap(Double.init))
      let bytes = try ["base_bytes", "map_bytes", "encoded_bytes"].map {
        try #require(row[$0].flatMap(Int.init))
      }
      #expect(
        (20..<100).contains(score) && bytes[0] > 0 && bytes[1] > 0 && bytes[0] + bytes[1] < bytes[2], "\(row)"
      )
    }
    let scores = rows.filter { $0["codec"] == "jpeg" && $0["image"] == "a.png" }
      .compactMap { $0["base_ssimulacra2"].flatMap(Double.init) }
    #expect(scores.count == 2 && scores[0] < scores[1], "\(scores)")
    for text in [try desk.text("results/summary.md"), try desk.text("results/report.html")] {
      #expect(text.contains("The base pictures of gain maps, as SDR"))
    }
    // No analysis uses the base's score, because it is not one of the run's metrics.
    #expect(try !desk.text("results/savings.csv").contains("ssimulacra2"))
  }

  @Test func kindsOfLightShareNothing() throws {
    try write("hdr/a.png", .pq)
    try write("sdr/a.png", nil)
    let words = ["--qualities", "0.5,0.9", "--refine", "off", "--images", "none"]
    let deep = ["--codec", "heic:depth=10,preset=ultrafast"]
    for (folder, light) in [("sdr", []), ("hdr", ["--light", "file"])] {
      let result = try desk.run([folder] + deep + words + light)
      #expect(result.status == 0, "\(result.errors)")
      let baseline = try desk.run(["check", "--current", "results", "--write", "\(folder).csv"])
      #expect(baseline.status == 0, "\(baseline.errors)")
      #expect(try desk.text("\(folder).csv").contains("pu21") == (folder == "hdr"))
    }
    // The folder shows only its latest run.
    let rows = try desk.rows(of: "results/measurements.csv")
    #expect(!rows.isEmpty && rows.allSatisfy { $0["pu21_ms_ssim"] != "" && $0["ssimulacra2"] == "" })
    let same = try desk.run(["check", "--baseline", "hdr.csv"])
    #expect(same.status == 0, "\(same.output)\(same.errors)")
    let mixed = try desk.run(["check", "--baseline", "sdr.csv"])
    #expect(mixed.status == 74 && mixed.errors.contains("is SDR and the run"), "\(mixed.errors)")
    let again = try desk.run(["sdr"] + deep + words + ["--baseline", "hdr.csv", "--output", "again"])
    #expect(again.status == 74 && again.errors.contains("is HDR and the run"), "\(again.errors)")
    #expect(!again.errors.contains("encodes in"), "refused before anything is measured: \(again.errors)")
    let compared = try desk.run(["report", "sdr.csv", "hdr.csv"])
    #expect(compared.status == 74 && compared.errors.contains("are HDR and SDR runs"), "\(compared.output)")
    // Even without a score, files show that the run is HDR.
    let bare = try desk.run(
      ["hdr", "--light", "file", "--metrics", "none", "--output", "bare"] + deep + words)
    #expect(bare.status == 0, "\(bare.errors)")
    #expect(try desk.run(["check", "--current", "bare", "--write", "bare.csv"]).status == 0)
    for file in ["bare/measurements.csv", "bare.csv"] {
      let held = try desk.run(["check", "--current", file, "--baseline", "sdr.csv"])
      #expect(held.status == 74 && held.errors.contains("is SDR and the run"), "\(held.output)\(held.errors)")
      let itself = try desk.run(["check", "--current", file, "--baseline", file])
      #expect(itself.status == 0, "\(itself.output)\(itself.errors)")
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let words: [String]
    var status: Int32 = 64
    let text: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Refusal(words: ["sdr", "--light", "hdr"], text: "write file, pq, hlg"),
    Refusal(words: ["sdr", "--light", "pq=1000"], text: "write file, pq, hlg"),
    Refusal(words: ["sdr", "--light", "hlg=nan"], text: "from 400 to 2000"),
    Refusal(words: ["sdr", "--light", "hlg=1e300"], text: "from 400 to 2000"),
    Refusal(words: ["sdr", "--light", "white="], text: "from 10 to 1000"),
    Refusal(words: ["sdr", "--light", "white=-203"], text: "from 10 to 1000"),
    Refusal(words: ["sdr", "--light", "white", "--codec", "heic"], text: "use heic:depth=10"),
    Refusal(words: ["sdr", "--light", "white", "--codec", "jpeg"], text: "use jpeg:gainmap=1/2"),
    Refusal(words: ["sdr", "--light", "white", "--codec", "webp"], text: "leave it out of an HDR run"),
    Refusal(words: ["sdr", "--codec", "jpeg:gainmap=1/2"], text: "which an SDR run does not measure"),
    Refusal(words: ["sdr", "--codec", "jpeg:map-quality=50"], text: "applies only with gainmap=1/1 or 1/2"),
    Refusal(words: ["sdr", "--codec", "heic:gainmap=1/2,grid=64"], text: "leave one out"),
    Refusal(words: ["sdr", "--light", "white", "--metrics", "ssim"], text: "SSIM is defined only for SDR"),
    Refusal(words: ["sdr", "--metrics", "pu21-psnr"], text: "PU21-PSNR is defined only for HDR"),
    Refusal(words: ["sdr", "--light", "file", "--headline", "ssim"], text: "--headline ssim"),
    Refusal(words: ["hdr", "--light", "white"], status: 66, text: "--light white accepts only SDR"),
    Refusal(words: ["camera.png", "--light", "file"], status: 66, text: "its ICC profile is neither"),
  ])
  func isRefusedByName(refusal: Refusal) throws {
    try write("sdr/a.png", nil)
    try write("hdr/a.png", .pq)
    let waves = try #require(SyntheticImage.waves(width: 192, height: 184))
    let icc = try #require(
      ColorProfiles.icc(primaries: .displayP3, transfer: .gamma(1.8)))
    try Data(PNGWriter().write(waves.tagged(.icc(icc)))).write(
      to: desk.folder.url.appending(path: "camera.png"))
    let result = try desk.run(refusal.words + ["--qualities", "0.5", "--images", "none"])
    #expect(result.status == refusal.status, "\(result.output)\(result.errors)")
    #expect((result.output + result.errors).contains(refusal.text), "\(result.output)\(result.errors)")
  }

  @Test(arguments: ["convert-check", "generations", "decode", "tiles"])
  func otherCommandsMakeNoGainMaps(command: String) throws {
    try write("sdr/a.png", nil)
    let result = try desk.run([command, "sdr", "--codec", "jpeg:gainmap=1/2"])
    #expect(result.status == 64 && result.errors.contains("makes HDR pictures"), "\(result.errors)")
  }

  @Test func picturesAreScoredInTheirLight() throws {
    try write("a.png", .pq)
    try write("b.png", .pq, seed: 2)
    let same = try desk.run(["score", "a.png", "a.png", "b.png", "--light", "file", "--format", "csv"])
    #expect(same.status == 0, "\(same.errors)")
    let rows = try ProgramDesk.rows(in: same.output)
    #expect(rows.first?["pu21_ms_ssim"].flatMap(Double.init) == 1)
    #expect(rows.first?["delta_e_itp_p95"].flatMap(Double.init) == 0)
    #expect(rows.last?["pu21_psnr_db"].flatMap(Double.init).map { $0 < 40 } == true, "\(same.output)")
  }
}
