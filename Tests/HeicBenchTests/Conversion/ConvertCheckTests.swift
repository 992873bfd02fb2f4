import Foundation
import TestSupport
import Testing

/// `heicbench convert-check` as its users run it.
struct ConvertCheckTests {
  /// A folder of JPEG files, some of which are far larger than they need to be.
  private func photographs(_ desk: ProgramDesk, count: Int = 6) throws {
    for number in 0..<count {
      try desk.writeImage("raw/\(number).ppm", width: 96 + 8 * number, height: 80, seed: UInt64(number))
    }
    let result = try desk.run([
      "raw", "--codec", "jpeg", "--qualities", "0.97", "--refine", "off", "--metrics",
      "none",
      "--keep-encoded", "kept", "--images", "none", "--quiet",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path + "/kept")
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "photos"), withIntermediateDirectories: true)
    for (number, file) in files.filter({ $0.hasSuffix(".jpg") }).sorted().enumerated() {
      try FileManager.default.copyItem(
        atPath: desk.folder.path + "/kept/" + file, toPath: desk.folder.path + "/photos/\(number).jpg")
    }
  }

  private func json(_ result: BuiltProgram.Result) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  private func projections(_ document: [String: Any]) throws -> [[String: Any]] {
    try #require(document["projections"] as? [[String: Any]])
  }

  private let codecs = ["--codec", "heic:preset=ultrafast", "--codec", "webp"]

  @Test func theWholeFolderIsMeasuredAsASearchMeasuresIt() throws {
    let desk = try ProgramDesk()
    try photographs(desk)
    let result = try desk.run(["convert-check", "photos", "--score", "40", "--format", "json"] + codecs)
    #expect(result.status == 0, "\(result.errors)")
    let document = try json(result)
    let heic = try #require(try projections(document).first)
    let bytes = try #require(heic["bytes"] as? [String: Any])
    #expect(bytes["total"] as? Double == bytes["lower"] as? Double)
    // A sweep's search for the same score finds the lowest quality that reaches it, whose file is at most a step larger.
    let sweep = try desk.run([
      "photos", "--codec", "heic:preset=ultrafast", "--target", "ssimulacra2=40", "--output", "searched",
      "--images", "none",
      "--quiet",
    ])
    #expect(sweep.status == 0, "\(sweep.errors)")
    let rows = try desk.rows(of: "searched/targets.csv")
    let files = try #require(heic["files"] as? [[String: Any]])
    #expect(rows.count == 6 && files.count == 6)
    for row in rows {
      let file = try #require(files.first { $0["image"] as? String == row["image"] })
      let isReached = try #require(row["reached"]) == "true"
      #expect(file["status"] as? String == (isReached ? "converted" : "out-of-reach"))
      guard isReached else { continue }
      let (bytes, most) = (
        try #require(file["bytes"] as? Int), try #require(row["encoded_bytes"].flatMap(Int.init))
      )
      #expect((0.8...1.1).contains(Double(bytes) / Double(most)), "\(file) \(row)")
    }
    let total = files.reduce(0) { $0 + ($1["bytes"] as? Int ?? $1["source_bytes"] as? Int ?? 0) }
    #expect(bytes["total"] as? Double == Double(total))
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder.path + "/photos").count == 6)
  }

  @Test func aSampleIsProjectedAndDrawnAgain() throws {
    let desk = try ProgramDesk()
    try photographs(desk, count: 8)
    let command =
      ["convert-check", "photos", "--sample", "5", "--score", "75,85", "--format", "json"] + codecs
    let first = try json(try desk.run(command))
    let projections = try projections(first)
    #expect(projections.count == 4)
    let images = projections.map {
      ($0["files"] as? [[String: Any]])?.compactMap { $0["image"] as? String } ?? []
    }
    #expect(images.allSatisfy { $0.count == 5 && $0 == images[0] })
    let bytes = try #require(projections[0]["bytes"] as? [String: Double])
    #expect(try #require(bytes["lower"]) < #require(bytes["total"]))
    let again = try self.projections(try json(try desk.run(command)))
    #expect(again[0]["bytes"] as? [String: Double] == bytes)
    let other = try self.projections(try json(try desk.run(command + ["--seed", "9"])))
    #expect((other[0]["files"] as? [[String: Any]])?.compactMap { $0["image"] as? String } != images[0])
  }

  @Test func theAnswerNamesWhatIsLeftOutAndWhatFails() throws {
    let desk = try ProgramDesk()
    try photographs(desk, count: 5)
    try desk.write("no image", to: "photos/broken.jpg")
    let result = try desk.run(["convert-check", "photos", "--score", "99.9", "--codec", "webp"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("heicbench cannot read 1 file: broken.jpg"), "\(result.output)")
    #expect(result.output.contains("WebP does not reach 99.9 with 5 measured files. Do not convert them."))
    #expect(result.output.contains("none of 5 measured files gets smaller. Keep your files."))
  }

  @Test func heicAloneIsAskedForAndTheAnswerComesFirst() throws {
    let desk = try ProgramDesk()
    try photographs(desk, count: 5)
    try FileManager.default.copyItem(
      atPath: desk.folder.path + "/photos/0.jpg", toPath: desk.folder.path + "/photos/again.jpg")
    let result = try desk.run(["convert-check", "photos", "--score", "40"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("Convert? At 40: yes, saves "), "\(result.output)")
    #expect(result.output.contains("HEIC; 5 files, "), "\(result.output)")
    #expect(result.output.contains("1 file is an exact copy of another and counts once."))
    let price = try #require(result.errors.split(separator: "\n").first)
    #expect(price.contains("5 files of ") && price.contains(" to a first answer, "), "\(result.errors)")
    // The fast settings first.
    #expect(result.errors.contains("HEIC (preset=ultrafast); 5 files"), "\(result.errors)")
  }

  @Test(arguments: [
    (["--score", "101"], "100 at most"), (["--sample", "0"], "--sample"), (["--score", "x"], "not a score"),
    (["--codec", "heic@new"], "system’s libraries"),
  ])
  func wrongUsageIsRefused(arguments: [String], message: String) throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm")
    let result = try desk.run(["convert-check", "photos"] + arguments)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func aBudgetEndsIt() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm")
    let command = ["convert-check", "photos", "--codec", "webp", "--score", "60", "--budget"]
    let spent = try desk.run(command + ["0.0001s"])
    #expect(spent.status == 4, "\(spent.errors)")
    #expect(spent.errors.contains("the budget was spent"), "\(spent.errors)")
    #expect(try desk.run(command + ["1h"]).status == 0)
    #expect(try desk.run(command + ["0"]).status == 64)
  }

  @Test func nothingToCheckIsAnError() throws {
    let desk = try ProgramDesk()
    try desk.write("no image", to: "notes.txt")
    #expect(try desk.run(["convert-check", "."]).status == 66)
  }
}
