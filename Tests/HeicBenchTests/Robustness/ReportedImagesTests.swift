import Foundation
import TestSupport
import Testing

/// Which images a report shows if they have changed or moved.
@Suite(.timeLimit(.minutes(30))) struct ReportedImagesTests {
  private let user: UserFolder

  init() throws {
    user = try UserFolder()
    for name in ["images/a.ppm", "images/b.ppm"] {
      try user.writeImage(name, seed: name.contains("a") ? 1 : 2)
    }
  }

  private func pictures(_ results: String = "results") throws -> Int {
    try user.text(results + "/report.html").components(separatedBy: "data:image/png").count - 1
  }

  @Test("an image that was replaced is not shown under the old scores") func replaced() throws {
    let sweep = try user.run(
      "images", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.3,0.6", "--metrics", "ssimulacra2",
      "--images", "all")
    #expect(sweep.status == 0, "\(sweep.errors)")
    let before = try pictures()
    #expect(before > 0)
    try user.writeImage("images/a.ppm", seed: 77)
    let report = try user.run("report", "results", "--images", "all")
    #expect(report.status == 0, "\(report.errors)")
    #expect(report.errors.contains("no pictures of “a.ppm”: it has changed since it was measured"))
    #expect(try pictures() < before)
  }

  @Test("images outside the current folder are looked for where the results say, with a message")
  func elsewhere() throws {
    let other = try UserFolder()
    try other.writeImage("images/a.ppm", seed: 5)
    let place = other.path("images")
    let sweep = try user.run(
      place, "--codec", "jpeg", "--codec", "heic", "--qualities", "0.3,0.6", "--metrics", "ssimulacra2",
      "--images", "all")
    #expect(sweep.status == 0 && !sweep.errors.contains("looking for"), "\(sweep.errors)")
    let before = try pictures()
    let report = try user.run("report", "results", "--images", "all")
    #expect(report.errors.components(separatedBy: "looking for images in “\(place)”").count == 2)
    #expect(try pictures() == before)
    let named = try user.run("report", "results", "--images", "all", "--corpus", place)
    #expect(!named.errors.contains("looking for"), "\(named.errors)")
    #expect(try pictures() == before)
  }

  @Test("a report draws the same pictures as the sweep", arguments: ["1", "all"])
  func drawn(_ count: String) throws {
    let sweep = try user.run(
      "images", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.3,0.6", "--metrics", "ssimulacra2",
      "--images", count, "--no-embed")
    #expect(sweep.status == 0, "\(sweep.errors)")
    let drawn = try shown()
    // A reference and its thumbnail, and two files for each of at least four points.
    #expect(drawn.count >= (count == "all" ? 20 : 10))
    #expect(drawn.keys.contains("1-0.png") && drawn.keys.contains("1-0-map.png"))
    let folder = user.path("results")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasSuffix(".parts") })
    let report = try user.run("report", "results", "--images", count, "--no-embed")
    #expect(report.status == 0, "\(report.errors)")
    #expect(try shown() == drawn)
  }

  private func shown() throws -> [String: Data] {
    let folder = URL(filePath: user.path("results/report-images"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
  }

  @Test("a run from a list of files finds them again") func listed() throws {
    try Data("images/a.ppm\nimages/b.ppm\n".utf8).write(to: user.folder.url.appending(path: "list"))
    let sweep = try user.run(
      "--files", "list", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.3,0.6", "--metrics",
      "ssimulacra2", "--images",
      "all")
    #expect(sweep.status == 0, "\(sweep.errors)")
    let before = try pictures()
    let report = try user.run("report", "results", "--images", "all")
    #expect(report.status == 0, "\(report.errors)")
    #expect(!report.errors.contains("no pictures"), "\(report.errors)")
    #expect(try pictures() == before)
  }

  @Test("a report can be made of a huge score, at once and when resumed") func largeScore()
    throws
  {
    for _ in 0..<2 {
      let sweep = try user.run(
        "images", "--codec", "jpeg", "--qualities", "0.3,0.6", "--metrics", "psnr-y", "--images", "none",
        "--metric-command", "m=sh -c 'echo 1e306 #{reference} {distorted}'")
      #expect(sweep.status == 0, "\(sweep.errors)")
    }
    #expect(try user.rows().count >= 4)
    #expect(try !user.text("results/report.html").isEmpty)
  }

  @Test("an unreadable file fails only its line, an unreadable original exits with 66") func score() throws {
    try user.writeImage("images/c.ppm", seed: 3)
    try Data("no image".utf8).write(to: user.folder.url.appending(path: "d.png"))
    let scores = try user.run(
      "score", "images/a.ppm", "images/a.ppm", "images/b.ppm", "d.png", "--metrics", "psnr-y", "--format",
      "csv")
    #expect(scores.status == 3, "\(scores.errors)")
    let lines = scores.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].contains("images/a.ppm,images/a.ppm,"))
    #expect(lines[3].contains("d.png") && lines[3].contains("image"))
    let missing = try user.run("score", "missing.png", "images/a.ppm")
    #expect(missing.status == 66 && missing.errors.contains("missing.png"), "\(missing.errors)")
  }
}
