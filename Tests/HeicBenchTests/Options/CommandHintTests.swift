import TestSupport
import Testing

@testable import Commands

/// Misspelled names of commands.
struct CommandHintTests {
  @Test(arguments: [
    ("sweeep", "sweep"), ("reprot", "report"), ("recomend", "recommend"), ("convertcheck", "convert-check"),
    ("hlep", "help"),
  ])
  func aNearbyCommandIsNamed(word: String, command: String) throws {
    let hint = try #require(RootCommand.commandHint([word, "x"]))
    #expect(hint == "“\(word)” is not a command either, did you mean “\(command)”?")
  }

  @Test(arguments: [[], ["--quiet"], ["holiday-2024"], ["./sweeep"], ["sweep"], ["wokrer"], ["/"], [""]])
  func nothingIsSaidOfOthers(arguments: [String]) {
    #expect(RootCommand.commandHint(arguments) == nil)
  }

  @Test func theProgramSaysItBesideTheError() throws {
    let desk = try ProgramDesk()
    let result = try desk.run(["reprot", "results"])
    #expect(result.status == 66)
    #expect(result.errors.contains("did you mean “report”?"), "\(result.errors)")
    #expect(result.errors.contains("does not exist"))
    // A folder of that name counts as a folder.
    try desk.writeImage("reprot/a.ppm")
    let folder = try desk.run(["reprot", "--codec", "no"])
    #expect(!folder.errors.contains("did you mean “report”?"), "\(folder.errors)")
  }

  @Test(arguments: [
    (["convert-check", "."], "so > FILE keeps it"), (["report"], "--format json > FILE"),
    (["thumbnails", "."], "the last argument"), (["merge", "a", "b"], "named first"),
    (["corpus", "generate"], "the last argument"),
  ])
  func aCommandWithoutOutputSaysWhereItWrites(arguments: [String], text: String) throws {
    let result = try ProgramDesk().run(arguments + ["--output", "x"])
    #expect(result.status == 64)
    #expect(
      result.errors.contains(text) && result.errors.contains("Unknown option '--output'"), "\(result.errors)")
  }

  @Test func onlyABlindViewHasAFolder() throws {
    let result = try ProgramDesk().run(["view", ".", "--output", "x"])
    #expect(result.status == 64 && result.errors.contains("Export"), "\(result.errors)")
  }

  @Test func helpHasCommandsInGroupsAndEveryExitCode() throws {
    let help = try ProgramDesk().run(["--help"])
    #expect(help.status == 0)
    let groups = ["ASK", "MAKE", "MEASURE", "GUARD", "ADVANCED"].map {
      help.output.firstRange(of: $0)?.lowerBound
    }
    #expect(
      !groups.contains(nil) && groups.compactMap(\.self) == groups.compactMap(\.self).sorted(),
      "\(help.output)")
    let text = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for status in ExitStatus.allCases { #expect(text.contains(status.sentence), "\(status)") }
  }

  @Test func otherNamesOfCodecsAreUnderstood() throws {
    let result = try ProgramDesk().run([".", "--codec", "jpegxl"])
    #expect(result.status == 64 && result.errors.contains("heicbench calls it jxl"), "\(result.errors)")
  }

  @Test func theDoctorNamesWhatThereIs() throws {
    let result = try ProgramDesk().run(["doctor"])
    let isWhole = result.output.contains("supports works here")
    #expect(result.status == (isWhole ? 0 : 3), "\(result.output)\(result.errors)")
    for part in ["encode heic", "x265", "read png", "sandbox"] {
      #expect(result.output.lowercased().contains(part), "\(part): \(result.output)")
    }
  }
}
