import Foundation
import TestSupport
import Testing

/// The user's files are not overwritten, removed or mistaken for heicbench's own.
@Suite("the user's files, through the program", .timeLimit(.minutes(30)))
struct UsersFilesTests {
  private let user: UserFolder

  init() throws {
    user = try UserFolder()
    try user.writeImage("images/a.ppm")
  }

  private func sweep(_ arguments: String...) throws -> BuiltProgram.Result {
    let words = ["--codec", "jpeg", "--codec", "null", "--qualities", "0.3,0.6", "--metrics", "psnr-y"]
    return try user.program.run(arguments + words, in: user.folder.url)
  }

  private func put(_ text: String, _ name: String) throws {
    let file = user.folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: user.path(name), withDestinationPath: target)
  }

  /// All files below a folder, with their bytes.
  private func files(_ folder: String) throws -> [String: Data] {
    let names = FileManager.default.enumerator(atPath: user.path(folder))?.compactMap { $0 as? String } ?? []
    return Dictionary(
      names.compactMap { name in
        FileManager.default.contents(atPath: user.path(folder) + "/" + name).map { (name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test(
    "a folder whose files have our names is refused before anything is made in it",
    arguments: ["summary.md", "savings.svg", "report-images/1-0.png", "measurements.csv", "targets.csv"])
  func leavesForeignFilesAlone(name: String) throws {
    try put("mine", "mine/" + name)
    try put("mine", "mine/report-images/holiday.png")
    try put("mine", "mine/.encoded/master.tif")
    let before = try files("mine")
    let result = try sweep("images", "--output", "mine")
    #expect(result.status == 74)
    #expect(
      result.errors.contains("mine/\(name)” is in the way: heicbench did not write it"), "\(result.errors)")
    #expect(result.errors.contains("choose another folder"))
    #expect(try files("mine") == before)
  }

  @Test("folders with our names keep files that are not ours")
  func foreignFolders() throws {
    for name in ["report-images/holiday.png", ".encoded/master.tif", "notes.txt"] {
      try put("mine", "mine/" + name)
    }
    #expect(try sweep("images", "--output", "mine").status == 0)
    #expect(try sweep("images", "--output", "mine", "--no-embed").status == 0)
    for name in ["report-images/holiday.png", ".encoded/master.tif", "notes.txt"] {
      #expect(try user.text("mine/" + name) == "mine", "\(name)")
    }
    #expect(try files("mine").keys.contains("report-images/1-reference.png"))
    #expect(try sweep("images", "--output", "mine", "--embed").status == 0)
    #expect(try !files("mine").keys.contains("report-images/1-reference.png"))
    #expect(try user.text("mine/report-images/holiday.png") == "mine")
  }

  @Test(
    "neither a sweep nor a report follows a link in the results folder",
    arguments: [
      ".heicbench.lock", "summary.md", "report.html", "heicbench.sqlite", "heicbench.sqlite-wal",
      ".heicbench-files", ".heicbench-reports.json", "measurements.csv", "report-images",
    ])
  func links(name: String) throws {
    try put("precious", "precious/text")
    try FileManager.default.createDirectory(atPath: user.path("r"), withIntermediateDirectories: false)
    try link("r/" + name, to: name == "report-images" ? "../precious" : "../precious/text")
    let result = try sweep("images", "--output", "r")
    #expect(result.status == 74, "\(result.errors)")
    #expect(result.errors.contains("r/\(name)"), "\(result.errors)")
    #expect(try files("precious") == ["text": Data("precious".utf8)])

    try FileManager.default.removeItem(atPath: user.path("r/" + name))
    #expect(try sweep("images", "--output", "r").status == 0)
    try? FileManager.default.removeItem(atPath: user.path("r/" + name))
    try link("r/" + name, to: name == "report-images" ? "../precious" : "../precious/text")
    let report = try user.run("report", "r")
    // A report does not need a lock and does not leave a stamp.
    #expect(report.status == ([".heicbench.lock"].contains(name) ? 0 : 74), "\(report.errors)")
    #expect(try files("precious") == ["text": Data("precious".utf8)])
  }

  @Test("a results folder of 0.1.0 can be used, and its edited summary is kept")
  func earlierVersion() throws {
    #expect(try sweep("images", "--no-embed").status == 0)
    // Like 0.1.0, which left no list and, with `report` and `merge`, no stamp either.
    try FileManager.default.removeItem(atPath: user.path("results/.heicbench-files"))
    try FileManager.default.removeItem(atPath: user.path("results/.heicbench-reports.json"))
    #expect(try user.run("report", "results").status == 0)

    try FileManager.default.removeItem(atPath: user.path("results/.heicbench-files"))
    let again = try sweep("images", "--no-embed", "--title", "Ours")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try user.text("results/report.html").contains("<title>Ours</title>"))

    try FileManager.default.removeItem(atPath: user.path("results/.heicbench-files"))
    try put("my notes", "results/summary.md")
    let refused = try sweep("images")
    #expect(refused.status == 74 && refused.errors.contains("summary.md” is in the way"), "\(refused.errors)")
    #expect(try user.text("results/summary.md") == "my notes")
  }

  @Test("the corpus may be the results folder, and the same command works twice")
  func corpusIsOutput() throws {
    let desk = ["--output", "images", "--images", "all", "--no-embed"]
    for round in 1...3 {
      let result = try user.program.run(
        ["images", "--codec", "jpeg", "--qualities", "0.3,0.6", "--metrics", "psnr-y"] + desk,
        in: user.folder.url)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try user.rows("images").count == 2, "round \(round)")
      if round > 1 {
        #expect(result.errors.contains("2 already there"), "\(result.errors)")
        #expect(result.errors.contains("written by heicbench ("), "\(result.errors)")
      }
    }
    // Results of 0.1.0 have no list.
    try FileManager.default.removeItem(atPath: user.path("images/.heicbench-files"))
    #expect(try sweep("images", "--output", "images").status == 0)
  }

  @Test("encoded files kept inside the corpus are not measured next time")
  func keptInCorpus() throws {
    for round in 1...3 {
      let result = try sweep("images", "--keep-encoded", "images/kept", "--output", "images/results")
      #expect(result.status == 0, "\(result.errors)")
      #expect(try user.rows("images/results").count == 4, "round \(round)")
      if round > 1 { #expect(result.errors.contains("written by heicbench ("), "\(result.errors)") }
    }
  }

  @Test("missing kept files are made again, and other people's are not overwritten")
  func keptFiles() throws {
    #expect(try sweep("images").status == 0)
    let late = try sweep("images", "--keep-encoded", "kept")
    #expect(late.status == 0, "\(late.errors)")
    let all = try files("kept").filter { !$0.key.hasPrefix(".") }
    #expect(all.count == 4)
    try FileManager.default.removeItem(atPath: user.path("kept/a.ppm/jpeg-q0.3.jpg"))
    let again = try sweep("images", "--keep-encoded", "kept")
    #expect(again.status == 0 && again.errors.contains("1 encode in"), "\(again.errors)")
    #expect(try files("kept").filter { !$0.key.hasPrefix(".") } == all)
    #expect(try sweep("images", "--keep-encoded", "kept").errors.contains("0 encodes in"))
    #expect(try files("kept").keys.allSatisfy { !$0.contains(".parts") })

    try put("mine", "other/a.ppm/jpeg-q0.6.jpg")
    let refused = try sweep("images", "--keep-encoded", "other", "--output", "r2")
    #expect(refused.status == 74, "\(refused.errors)")
    #expect(refused.errors.contains("other/a.ppm/jpeg-q0.6.jpg” is in the way"), "\(refused.errors)")
    #expect(try files("other") == ["a.ppm/jpeg-q0.6.jpg": Data("mine".utf8)])
    // The images' own folder has files where folders are needed.
    let onCorpus = try sweep("images", "--keep-encoded", "images", "--output", "r3")
    #expect(
      onCorpus.status == 74 && onCorpus.errors.contains("is in the way: it must be a folder"),
      "\(onCorpus.errors)")
  }

  @Test("a folder of files kept by 0.1.0 is recognized by its contents")
  func keptFilesOfEarlierVersion() throws {
    #expect(try sweep("images", "--keep-encoded", "kept").status == 0)
    try FileManager.default.removeItem(atPath: user.path("kept/.heicbench-files"))
    let again = try sweep("images", "--keep-encoded", "kept")
    #expect(again.status == 0 && again.errors.contains("0 encodes in"), "\(again.errors)")
    try put("mine", "kept/a.ppm/jpeg-q0.3.jpg")
    try FileManager.default.removeItem(atPath: user.path("kept/.heicbench-files"))
    #expect(try sweep("images", "--keep-encoded", "kept").status == 74)
  }

  @Test("the generated corpus overwrites only itself")
  func corpusGenerate() throws {
    let first = try user.run("corpus", "generate", "painted")
    #expect(first.status == 0, "\(first.errors)")
    let painted = try files("painted")
    #expect(try user.run("corpus", "generate", "painted").status == 0)
    let name = try #require(painted.keys.first { $0.hasSuffix(".png") })
    try put("mine", "mine/" + name)
    let refused = try user.run("corpus", "generate", "mine")
    #expect(
      refused.status == 74 && refused.errors.contains("mine/\(name)” is in the way"), "\(refused.errors)")
    #expect(try files("mine") == [name: Data("mine".utf8)])
  }

  @Test("a baseline replaces only a baseline, and a JUnit file only a JUnit file")
  func namedFiles() throws {
    #expect(try sweep("images").status == 0)
    #expect(try user.run("check", "--current", "results", "--write", "base.csv").status == 0)
    #expect(try user.run("check", "--current", "results", "--write", "base.csv").status == 0)
    try put("mine", "thesis.tex")
    let refused = try user.run("check", "--current", "results", "--write", "thesis.tex")
    #expect(refused.status == 74 && refused.errors.contains("thesis.tex” is in the way"), "\(refused.errors)")
    for _ in 1...2 {
      #expect(try user.run("check", "--baseline", "base.csv", "--junit", "gate.xml").status == 0)
    }
    #expect(try user.run("check", "--baseline", "base.csv", "--junit", "thesis.tex").status == 74)
    #expect(try user.text("thesis.tex") == "mine")
    try link("link.csv", to: "base.csv")
    #expect(try user.run("check", "--current", "results", "--write", "link.csv").status == 74)
  }
}
