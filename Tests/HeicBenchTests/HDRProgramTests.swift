import Foundation
import TestSupport
import Testing

/// HDR pictures that heicbench cannot score, and pictures whose gain map is left out, in every command that reads
/// pictures.
@Suite("HDR pictures, by command")
struct HDRProgramTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private static func pq(width: Int, height: Int) throws -> Data {
    let image = try ProgramDesk.image(width: width, height: height, seed: 3)
    return Data(PNGFile.pq(width: width, height: height, rgb: Array(image.suffix(width * height * 3))))
  }

  /// Writes `photos/pq.png` and, beside it, a usable picture.
  private func writePhotographs() throws {
    try desk.writeImage("photos/sdr.ppm", width: 96, height: 80)
    try Self.pq(width: 96, height: 80).write(to: desk.folder.url.appending(path: "photos/pq.png"))
  }

  /// A command, its exit code, and the files that contain its message. A command without files prints it.
  struct Call: Sendable, CustomTestStringConvertible {
    let words: [String]
    let status: Int32
    var files: [String] = []
    var testDescription: String { words.joined(separator: " ") }
  }

  static let calls = [
    Call(
      words: ["photos", "--codec", "jpeg", "--qualities", "0.5", "--refine", "off"], status: 3,
      files: ["results/summary.md", "results/measurements.csv", "results/report.html"]),
    Call(words: ["photos/pq.png", "--codec", "jpeg", "--target", "ssimulacra2=50"], status: 66),
    Call(words: ["score", "photos/pq.png", "photos/sdr.ppm"], status: 66),
    Call(words: ["score", "photos/sdr.ppm", "photos/pq.png"], status: 3),
    Call(words: ["score", "photos/sdr.ppm", "photos/sdr.ppm", "photos/pq.png"], status: 3),
    Call(words: ["convert-check", "photos", "--codec", "jpeg", "--score", "50"], status: 0),
    Call(words: ["convert-check", "photos/pq.png", "--codec", "jpeg"], status: 66),
    Call(
      words: ["generations", "photos", "--codec", "jpeg", "--qualities", "0.5", "--generations", "2"],
      status: 3, files: ["results/generations.csv"]),
    Call(words: ["decode", "photos", "--sizes", "full"], status: 3, files: ["results/decodes.csv"]),
    Call(words: ["thumbnails", "photos", "out", "--size", "32"], status: 3),
    Call(
      words: ["tiles", "photos", "--codec", "jpeg", "--qualities", "0.5", "--tile-sizes", "64"], status: 3,
      files: ["results/tiles.csv"]),
    Call(words: ["tiles", "export", "photos", "out", "--codec", "jpeg"], status: 3),
    Call(words: ["import", "--reference", "photos", "other=other"], status: 3),
  ]

  @Test(arguments: calls)
  func isRefusedWithWhatToDo(call: Call) throws {
    try writePhotographs()
    // Files of both pictures by another encoder. The comment makes each a different file.
    let pixels = try ProgramDesk.image(width: 96, height: 80, seed: 1).dropFirst(2)
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "other"), withIntermediateDirectories: true)
    for name in ["sdr", "pq"] {
      try Data(Array("P6\n# \(name)".utf8) + pixels)
        .write(to: desk.folder.url.appending(path: "other/\(name).ppm"))
    }
    let result = try desk.run(call.words)
    #expect(result.status == call.status, "\(result.output)\(result.errors)")
    let texts = try call.files.isEmpty ? [result.output + result.errors] : call.files.map(desk.text)
    for text in texts {
      #expect(text.contains("pq.p"), "\(text)")
      #expect(text.contains("HDR (PQ) is not measured"), "\(text)")
      #expect(text.contains("ffmpeg -i"), "\(text)")
    }
  }

  /// HDR metrics do not depend on the pictures, so they are refused before the first one is read.
  @Test(
    arguments: [
      ["decode", "photos"], ["generations", "photos"], ["tiles", "photos"], ["view", "photos"],
      ["score", "photos/sdr.ppm", "photos/sdr.ppm"],
      ["bisect", "photos", "--build", "a=lib", "--build", "b=lib"],
    ])
  func metricsOfHDRAreRefused(words: [String]) throws {
    try writePhotographs()
    let result = try desk.run(words + ["--metrics", "ssim,itp-mean"])
    #expect(result.status == 64, "\(result.output)\(result.errors)")
    let said =
      "ΔE ITP is defined only for HDR, which a sweep and “heicbench score” measure with --light file"
    #expect(result.errors.contains(said) && result.output.isEmpty, "\(result.output)\(result.errors)")
  }

  @Test func importedFilesAreRefused() throws {
    try desk.writeImage("photos/a.ppm", width: 96, height: 80)
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "phone"), withIntermediateDirectories: true)
    try Self.pq(width: 96, height: 80).write(to: desk.folder.url.appending(path: "phone/a.png"))
    let result = try desk.run(["import", "--reference", "photos", "phone=phone"])
    #expect(result.status == 66, "\(result.errors)")
    #expect(result.errors.contains("“a.png”: HDR (PQ) is not measured"), "\(result.errors)")
  }

  // MARK: Gain maps

  /// Writes a JPEG with a second picture that its metadata declare to be a gain map, as in Ultra HDR.
  private func writeGainMap() throws {
    try desk.writeImage("raw/a.ppm", width: 96, height: 80)
    let sweep = try desk.run([
      "raw", "--codec", "jpeg", "--qualities", "0.9", "--refine", "off", "--keep-encoded", "kept", "--images",
      "none", "--output", "first", "--quiet",
    ])
    try #require(sweep.status == 0, "\(sweep.errors)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path + "/kept")
    let kept = try #require(files.first { $0.hasSuffix(".jpg") })
    let base = [UInt8](try desk.data("kept/" + kept))
    let packet = Array("http://ns.adobe.com/xap/1.0/\0<x hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\"/>".utf8)
    let map = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(packet.count + 2)] + packet + base.dropFirst(2)
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "photos"), withIntermediateDirectories: true)
    try Data(base + map).write(to: desk.folder.url.appending(path: "photos/a.jpg"))
  }

  @Test func aGainMapIsLeftOutWithAWord() throws {
    try writeGainMap()
    let remark = "gain map left out: measured is the base picture"
    let sweep = try desk.run([
      "photos", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.3...0.9:0.2", "--images", "none",
    ])
    #expect(sweep.status == 0, "\(sweep.errors)")
    let rows = try desk.rows(of: "results/measurements.csv")
    #expect(!rows.isEmpty && rows.allSatisfy { $0["error"] == remark && $0["status"] == "measured" })
    for text in try [
      sweep.output + sweep.errors, desk.text("results/summary.md"), desk.text("results/report.html"),
    ] { #expect(text.contains("1 of 1 image has an HDR gain map"), "\(text.suffix(2000))") }
    let json = try desk.run(["report", "--format", "json"])
    #expect(json.output.contains("\"gain_map_images\": 1"))
    for words in [
      ["decode", "photos", "--sizes", "full", "--output", "decoded"],
      ["score", "photos/a.jpg", "photos/a.jpg"],
      ["generations", "photos", "--codec", "jpeg", "--qualities", "0.5", "--generations", "2"],
    ] {
      let result = try desk.run(words)
      #expect(result.status == 0, "\(result.errors)")
      let written = words[0] == "decode" ? try desk.text("decoded/decodes.csv") : ""
      #expect((result.output + result.errors + written).contains("gain map left out"), "\(words)")
    }
  }
}
