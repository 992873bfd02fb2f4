import Foundation
import Model
import Store
import TestSupport
import Testing

/// `heicbench tune` as its users run it.
struct TuneCommandTests {
  private let desk: ProgramDesk

  init() throws {
    desk = try ProgramDesk()
    for number in 0..<11 {
      try desk.writeImage("photos/\(number).ppm", width: 72 + 8 * number, height: 64, seed: UInt64(number))
    }
  }

  private func json(_ result: BuiltProgram.Result) throws -> [String: Any] {
    #expect(result.status == 0, "\(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  private func answers(_ document: [String: Any]) throws -> [[String: Any]] {
    try #require(document["answers"] as? [[String: Any]])
  }

  @Test("finds and confirms settings for smaller JPEG files, and measures nothing twice")
  func jpeg() throws {
    let words = ["tune", "photos", "--codec", "jpeg", "--score", "60", "--format", "json"]
    let first = try desk.run(words)
    let document = try json(first)
    #expect(try JSONSchema(of: "tune").problems(of: document) == [])
    #expect(document["reference"] as? String == "jpeg")
    #expect(document["images_searched"] as? Int == 6 && document["images_confirming"] as? Int == 5)
    let best = try #require(try answers(document).first { $0["wish"] as? String == "Fewest bytes" })
    let variant = try #require(best["variant"] as? String)
    // Both settings store the same samples in fewer bytes, whatever the picture.
    #expect(variant.contains("optimise=true") || variant.contains("progressive=true"))
    let (change, upper) = (
      try #require(best["bytes_percent"] as? Double), try #require(best["bytes_upper"] as? Double)
    )
    #expect(change < upper && upper < 0 && best["images"] as? Int == 5)
    #expect((best["command"] as? String)?.hasPrefix("cjpeg -quality") == true)
    #expect((document["notes"] as? [String])?.contains { $0.contains("agrees") } == true)
    let tried = try #require(document["tried"] as? [[String: Any]])
    #expect(tried.contains { $0["variant"] as? String == "jpeg:chroma=444" })
    for file in ["tune.html", "tune.md", "tune.csv", "tune.json"] {
      #expect(!(try desk.text("results/\(file)")).isEmpty)
    }
    // The bytes are those of existing files.
    let second = try desk.run(words)
    #expect(second.output == first.output)
    let report = try desk.run(["report", "results", "--format", "csv"])
    #expect(report.status == 0, "\(report.errors)")
    let settings = try #require(variant.split(separator: ":").last)
    #expect(report.output.contains(",jpeg,") && report.output.contains(settings))
  }

  @Test("a sweep by other metrics in the same folder does not keep images from the search")
  func otherMetrics() throws {
    let sweep = try desk.run([
      "photos", "--codec", "jpeg", "--qualities", "0.5", "--refine", "off", "--metrics", "psnr-y",
      "--headline", "psnr-y", "--images", "none", "--quiet",
    ])
    #expect(sweep.status == 0, "\(sweep.errors)")
    let words = ["tune", "photos", "--codec", "jpeg", "--score", "60", "--format", "json", "--quiet"]
    let best = try answers(json(desk.run(words))).first { $0["wish"] as? String == "Fewest bytes" }
    #expect(best?["images"] as? Int == 5, "\(best ?? [:])")
  }

  @Test("a seed sets other images aside; --confirm leaves all to the search")
  func confirmation() throws {
    for number in 0..<5 {
      try desk.writeImage(
        "others/\(number).ppm", width: 80, height: 64 + 8 * number, seed: UInt64(100 + number))
    }
    let words = ["tune", "photos", "--codec", "jpeg", "--score", "60", "--format", "json", "--quiet"]
    let one = try json(desk.run(words)), two = try json(desk.run(words + ["--seed", "2", "--output", "two"]))
    let figures = try [one, two].map {
      try #require(try answers($0).first?["encode_cpu_ms_per_mp"] as? Double)
    }
    #expect(figures[0] != figures[1])
    let confirmed = try json(desk.run(words + ["--confirm", "others", "--output", "three"]))
    #expect(confirmed["images_searched"] as? Int == 11 && confirmed["images_confirming"] as? Int == 5)
  }

  @Test("the answers as text", arguments: [["--cpu", "100000ms/MP"], []])
  func text(arguments: [String]) throws {
    let result = try desk.run(["tune", "photos", "--codec", "webp:method=2", "--score", "50"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("webp:method=2") && result.output.contains("at SSIMULACRA2 50"))
    #expect(result.output.contains("tune.html"))
  }

  @Test(
    "refusals",
    arguments: [
      (["photos", "--codec", "jpeg", "--limit", "4"], "tune needs 5 images"),
      (["photos", "--codec", "heic:lossless"], "is lossless"),
      (["photos", "--score", "101"], "at most 100"),
      (["photos", "--cpu", "0"], "above 0"),
      (["photos", "--codec", "null"], "no settings worth trying"),
      (
        ["photos", "--codec", "webp", "--keep", "chroma"],
        "does not change this setting of webp, only method, sharp"
      ),
      (["photos", "--codec", "webp", "--keep", "method,sharp"], "leaves nothing to search"),
      (["photos", "--confirm", "photos", "--codec", "jpeg"], "tune needs 5 images"),
    ])
  func refusals(arguments: [String], reason: String) throws {
    let result = try desk.run(["tune"] + arguments)
    #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
  }

  @Test("--keep leaves settings as they are")
  func keep() throws {
    let result = try desk.run(
      ["tune", "photos", "--codec", "webp", "--keep", "sharp", "--score", "50", "--format", "json"])
    let tried = try #require(try json(result)["tried"] as? [[String: Any]])
    let names = tried.compactMap { $0["variant"] as? String }
    #expect(names.contains("webp:method=0") && !names.contains { $0.contains("sharp") })
  }

  @Test("what failed in an earlier run is tried again with --retry-failed")
  func retry() throws {
    let words = ["tune", "photos", "--codec", "webp", "--keep", "sharp", "--score", "50", "--quiet"]
    let folder = desk.folder.path + "/results"
    func measured(_ store: ResultStore) throws -> [Case] {
      let run = try #require(try store.latestRun())
      return try store.images(of: run.id).flatMap { image in
        try store.points(of: image, preparation: run.manifest.preparation.canonicalSpelling).keys
          .filter { $0.variant.name == "webp:method=0" }
      }
    }
    #expect(try desk.run(words).status == 0)
    do {
      let store = try ResultStore(folder: folder)
      let keys = try measured(store)
      #expect(!keys.isEmpty)
      for key in keys {
        try store.append(CaseRecord(key: key, outcome: .failed(Failure(kind: .crash, message: "gone"))))
      }
    }
    for (more, isRetried) in [([], false), (["--retry-failed"], true)] as [([String], Bool)] {
      let result = try desk.run(words + more)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try measured(ResultStore(reading: folder)).isEmpty != isRetried)
    }
  }

  @Test("skipped files are reported, in JSON too")
  func skipped() throws {
    try Data(Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 500)).write(
      to: desk.folder.url.appending(path: "photos/x.gif"))
    let result = try desk.run(["tune", "photos", "--codec", "webp", "--score", "50", "--format", "json"])
    #expect(result.errors.contains("Skipped 1 file that heicbench cannot read"), "\(result.errors)")
    #expect((try json(result)["unread"] as? [[String: Any]])?.first?["files"] as? Int == 1)
  }

  @Test("a spent budget has exit code 4")
  func budget() throws {
    let result = try desk.run(["tune", "photos", "--codec", "heic", "--budget", "0.05s"])
    #expect(result.status == 4, "\(result.errors)")
  }
}
