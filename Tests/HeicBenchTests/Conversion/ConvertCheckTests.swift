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

  private static let tools = ["heic": "heif-enc", "avif": "heif-enc", "webp": "cwebp", "jxl": "cjxl"]
    .filter { OutsideTool($0.value).path != nil }.keys.sorted()

  /// The forecast describes the files that the printed command makes. `ConversionToolTests` says which tools are
  /// missing.
  @Test(arguments: tools) func thePrintedCommandMakesWhatWasSaid(codec: String) throws {
    let desk = try ProgramDesk()
    try photographs(desk, count: 10)
    let command = ["convert-check", "photos", "--score", "60", "--codec", codec]
    let text = try desk.run(command).output
    let match = try #require(text.firstMatch(of: /SSIMULACRA2 60: ([a-z]\S+ .*?)\. (?:All|\d)/), "\(text)")
    let words = match.1.split(separator: " ").map(String.init)
    let row = try #require(try projections(try json(try desk.run(command + ["--format", "json"]))).first)
    let bytes = try #require(row["bytes"] as? [String: Double])
    let said = try #require(bytes["total"])
    #expect(bytes["lower"] == said && bytes["upper"] == said, "all files were measured")
    let files = try #require(row["files"] as? [[String: Any]])
    #expect(files.count == 10 && files.allSatisfy { $0["quality"] as? Double == row["quality"] as? Double })
    var made = 0
    for file in files {
      let name = try #require(file["image"] as? String)
      let source = try Data(contentsOf: desk.folder.url.appending(path: "photos/\(name)"))
      let ends = words[0] == "cjxl" ? ["{in}", "{out}"] : ["-o", "{out}", "{in}"]
      made += try OutsideTool(words[0]).output(
        of: Array(source), named: "in.jpg", as: "out.\(codec)", words.dropFirst() + ends
      ).count
    }
    #expect(abs(said / Double(made) - 1) < 0.01, "\(said) said, \(made) made by \(words)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder.path + "/photos").count == 10)
  }

  @Test func aSampleIsProjectedAndDrawnAgain() throws {
    let desk = try ProgramDesk()
    try photographs(desk, count: 8)
    let command =
      ["convert-check", "photos", "--sample", "5", "--score", "30,40", "--format", "json"] + codecs
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
    #expect(
      result.output.contains(
        "Convert? At 99.9: no, fewer than nine in ten files reach that score. WebP; all 5 files"))
    #expect(
      result.output.contains("5 of 5 measured files do not reach it at any quality ("), "\(result.output)")
  }

  @Test func heicAloneIsAskedForAndTheAnswerComesFirst() throws {
    let desk = try ProgramDesk()
    try photographs(desk, count: 5)
    try FileManager.default.copyItem(
      atPath: desk.folder.path + "/photos/0.jpg", toPath: desk.folder.path + "/photos/again.jpg")
    let result = try desk.run(["convert-check", "photos", "--score", "40"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("Convert? At 40: yes, saves "), "\(result.output)")
    #expect(result.output.contains("HEIC; all 5 files measured, "), "\(result.output)")
    #expect(result.output.contains("1 file is an exact copy of another and counts once."))
    let price = try #require(result.errors.split(separator: "\n").first)
    #expect(price.contains("5 files of ") && price.contains(" to a first answer, "), "\(result.errors)")
    // The fast settings come first.
    #expect(result.errors.contains("HEIC (preset=ultrafast); all 5 files"), "\(result.errors)")
  }

  @Test(arguments: [
    (["--score", "101"], "at most 100"), (["--sample", "0"], "--sample"), (["--score", "x"], "not a score"),
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
    #expect(spent.errors.contains("the budget ran out") && spent.output.isEmpty, "\(spent.errors)")
    // Programs get a document all the same.
    let document = try json(try desk.run(command + ["0.0001s", "--format", "json"]))
    #expect(document["finished"] as? Bool == false)
    #expect(try JSONSchema(of: "convert_check").problems(of: document) == [])
    #expect(try desk.run(command + ["1h"]).status == 0)
    #expect(try desk.run(command + ["0"]).status == 64)
  }

  @Test func nothingToCheckIsAnError() throws {
    let desk = try ProgramDesk()
    try desk.write("no image", to: "notes.txt")
    #expect(try desk.run(["convert-check", "."]).status == 66)
  }
}
