import ArgumentParser
import Model
import Testing

@testable import Commands

/// Options given more than once.
struct RepeatedOptionsTests {
  private static let lines: [([String], [String])] = [
    (["import", "--reference", "a", "--reference", "b"], []), (["report", "--corpus=a", "--corpus=b"], []),
    (["report", "--reference", "jpeg", "--reference", "heic"], ["--reference"]),
    (["a.png", "--codec", "jpeg", "--codec", "heic"], []),
    (["tune", "a", "--codec", "jpeg", "--codec", "heic"], ["--codec"]),
    (["tiles", "export", "--codec", "jpeg", "--codec", "heic"], ["--codec"]),
    (["tiles", "--codec", "jpeg", "--codec", "heic"], []),
    (["a.png", "--jobs", "1", "--jobs=2", "--", "--quality", "--quality"], ["--jobs"]),
  ]

  @Test(arguments: lines) func theLastCountsWhereOnlyOneDoes(arguments: [String], overridden: [String]) {
    #expect(RootCommand.overridden(in: arguments) == overridden)
  }

  @Test func everyOriginalAndEveryFolderCounts() throws {
    let imported = try ImportCommand.parse(["--reference", "a", "--reference", "b", "phone=c"])
    #expect(imported.reference.count == 2)
    #expect(try ReportCommand.parse(["--corpus", "a", "--corpus", "b"]).corpus.count == 2)
    let tuned = try TuneCommand.parse(["a", "--codec", "jpeg", "--codec", "heic"])
    #expect(tuned.codec.codec == "heic")
  }
}
