import ArgumentParser
import Model
import Testing
import Workers

@testable import Commands
@testable import HeicBenchKit

@Suite("Options")
struct OptionParsingTests {
  @Test(
    "byte counts",
    arguments: [
      ("200kB", 200_000), ("1.5GiB", 1_610_612_736), ("4096", 4096), ("2M", 2_097_152), ("7b", 7),
      ("1TB", 1_000_000_000_000),
    ])
  func byteCounts(text: String, bytes: Int) {
    #expect(ByteCount(text)?.bytes == bytes)
  }

  @Test("what is not a byte count", arguments: ["", "kB", "-1", "0", "1e30", "nan", "inf", "1 GB?", "0.2"])
  func noByteCounts(text: String) {
    #expect(ByteCount(text) == nil)
  }

  @Test("background colours")
  func backgrounds() {
    #expect(BackgroundColour(argument: "#ff8000")?.components == [255, 128, 0])
    #expect(BackgroundColour(argument: "0A0b0C")?.components == [10, 11, 12])
    #expect(BackgroundColour(argument: "Black")?.description == "#000000")
    for text in ["", "#fff", "#gg0000", "+12345", "#1234567", "pink"] {
      #expect(BackgroundColour(argument: text) == nil, "\(text)")
    }
  }

  @Test("metric commands are split as a shell would split them, without a shell")
  func metricCommands() throws {
    let command = try MetricCommand(parsing: #"my-metric=/opt/my tool 'a b'"c" {reference} x={distorted}"#)
    #expect(command.metric.id == "my-metric")
    #expect(command.metric.words == ["/opt/my", "tool", "a bc", "{reference}", "x={distorted}"])
    #expect(command.traits.column == "my_metric")
    #expect(command.traits.higherIsBetter && command.traits.isDirectionAssumed == true)
    let distance = try MetricCommand(parsing: "d:lower=p {reference} {distorted}").traits
    #expect(!distance.higherIsBetter && distance.isDirectionAssumed == nil && distance.id == "d")
    #expect(try MetricCommand(parsing: "d:higher=p {reference} {distorted}").traits.isDirectionAssumed == nil)
    for text in [
      "d:=p {reference} {distorted}", "d:up=p {reference} {distorted}", ":lower=p {reference} {distorted}",
    ] {
      #expect(throws: ValidationError.self, "\(text)") { try MetricCommand(parsing: text) }
    }
    for text in ["x", "=a {reference} {distorted}", "X=a {reference} {distorted}", "x=a {reference}", "x='a"]
    {
      #expect(throws: ValidationError.self, "\(text)") { try MetricCommand(parsing: text) }
    }
  }

  @Test("codecs in braces are spelled out and checked")
  func codecLists() throws {
    let command = try SweepCommand.parse(["x", "--codec", "jpeg", "--codec", "heic:preset={fast,slow}"])
    #expect(command.coding.codecs.map(\.name) == ["jpeg", "heic:preset=fast", "heic"])
    for text in ["heic:preset={fast,no-such}", "heic:preset={fast", "jpeg:{}"] {
      #expect(throws: (any Error).self, "\(text)") { try SweepCommand.parse(["x", "--codec", text]) }
    }
  }

  @Test(
    "two metrics cannot share a column",
    arguments: [["width"], ["psnr_y_db"], ["timing"], ["a-b", "a_b"]])
  func refusesColumnsThatAreTaken(names: [String]) throws {
    let arguments = names.flatMap { ["--metric-command", "\($0)=score {reference} {distorted}"] }
    #expect(throws: (any Error).self) { try CodingOptions.parse(arguments) }
    #expect(throws: Never.self) {
      try CodingOptions.parse(["--metric-command", "own=score {reference} {distorted}"])
    }
  }

  @Test("metrics, each once, in the order given")
  func metrics() throws {
    #expect(
      try MetricList(parsing: "ssimulacra2,psnr-y,ssimulacra2").identifiers == ["ssimulacra2", "psnr-y"])
    #expect(try MetricList(parsing: "none").identifiers.isEmpty)
    #expect(try MetricList(parsing: "all") == .all)
    let error = #expect(throws: (any Error).self) { try MetricList(parsing: "ssimulacra") }
    #expect(error.map { "\($0)" }?.contains("did you mean “ssimulacra2”?") == true)
  }

  @Test("short names of options for the results folder")
  func output() throws {
    for arguments in [["--output", "a"], ["--out", "a"], ["-o", "a"]] {
      #expect(try OutputOptions.parse(arguments).output == "a")
    }
  }

  @Test("scores and bands")
  func scores() throws {
    #expect(try ScoreList(parsing: "90,50.5").scores == [90, 50.5])
    #expect(try ScoreBand(parsing: "-10...90").range == -10...90)
    for text in ["", "a", "50,", "nan"] {
      #expect(throws: ValidationError.self) { try ScoreList(parsing: text) }
    }
    for text in ["50", "90...50", "a...b", "1...2...3", "50...50"] {
      #expect(throws: ValidationError.self) { try ScoreBand(parsing: text) }
    }
  }

  @Test("a folder named corpus is swept; its command still works")
  func corpusFolder() {
    #expect(Program.arguments(["corpus", "--limit", "2"]) == ["sweep", "corpus", "--limit", "2"])
    #expect(Program.arguments(["corpus"]) == ["sweep", "corpus"])
    #expect(Program.arguments(["corpus", "generate", "x"]) == ["corpus", "generate", "x"])
    #expect(Program.arguments(["corpus/"]) == ["corpus/"])
  }

  @Test("earlier names of options become today’s names")
  func earlierNames() {
    let given = ["decode", "a", "--sizes", "64", "--at=70", "--again", "--attempt", "--", "--at"]
    let named = ["decode", "a", "--size", "64", "--score=70", "--fresh", "--attempt", "--", "--at"]
    #expect(Program.arguments(given) == named)
  }

  @Test("arguments that are not valid text keep their bytes")
  func rawArguments() {
    let raw = RawArguments([[0x66, 0xff], Array("plain".utf8)])
    #expect(raw.bytes(of: "f\u{fffd}") == [0x66, 0xff])
    #expect(raw.bytes(of: "plain") == Array("plain".utf8))
    #expect(raw.bytes(of: "other") == Array("other".utf8))
  }
}
