import ArgumentParser
import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Pixels

/// Thumbnails by heicbench, vipsthumbnail and heif-thumbnailer, of the same files in one run.
struct ThumbnailBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails",
    abstract: "Make thumbnails with heicbench, vipsthumbnail and heif-thumbnailer: time, memory, score.",
    discussion: """
      Each tool makes a thumbnail of each file by itself, in a process of its own, in turns; figures are medians of the \
      rounds, and of a whole process with its start. Of one file heicbench makes it without a judgement of the embedded \
      thumbnail. Then each tool that takes many files makes thumbnails of as many links to each file as --copies says in \
      one command, which is how many are made. Memory is the largest process of a command, \
      scores are SSIMULACRA2 against the whole picture, reduced in linear light to the \
      thumbnail's size; all write PNG, so that no codec of thumbnails is scored. vipsthumbnail is in Debian's libvips-tools, heif-thumbnailer in libheif-examples.
      """)

  @Argument(help: "HEIC and JPEG files.")
  var files: [String]

  @Option(help: "The longest side in pixels.")
  var size = 320

  @Option(help: "How often each tool makes each thumbnail.")
  var rounds = 3

  @Option(help: "How many links to each file one command makes thumbnails of.")
  var copies = 50

  @Option(help: "The program to measure. (default: heicbench beside this one)")
  var program: String?

  func validate() throws {
    guard !files.isEmpty, (16...4096).contains(size), (1...100).contains(rounds),
      (1...10_000).contains(copies)
    else {
      throw ValidationError(
        "name files, a --size from 16 to 4096, --rounds from 1 to 100 and --copies from 1 to 10000")
    }
  }

  func run() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let tools = ThumbnailTool.all(heicbench: program ?? NeighbourProgram.path, size: size)
    say("| file | tool | CPU, ms | wall, ms | memory, MiB | size | SSIMULACRA2 |")
    say("|---|---|---:|---:|---:|---:|---:|")
    for file in files {
      var costs: [[ToolCost]] = tools.map { _ in [] }
      var made: [String?] = tools.map { _ in nil }
      for round in 0..<rounds {
        for (index, tool) in tools.enumerated() where tool.takes(file) {
          let folder = "\(place)/\(index)-\(round)"
          try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
          guard let cost = try ToolCost.of(tool.program, tool.arguments(file, folder)) else { continue }
          costs[index].append(cost)
          made[index] = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .first { !$0.hasPrefix(".") }.map { folder + "/" + $0 }
        }
      }
      for (index, tool) in tools.enumerated() {
        try report(tool, file, costs[index], made[index])
        for round in 0..<rounds { try? FileManager.default.removeItem(atPath: "\(place)/\(index)-\(round)") }
      }
    }
    say("\n| \(copies) of | tool | CPU, ms each | wall, ms each | CPU ÷ vipsthumbnail's | memory, MiB |")
    say("|---|---|---:|---:|---:|---:|")
    for file in files { try reportMany(file, place) }
  }

  private func report(_ tool: ThumbnailTool, _ file: String, _ costs: [ToolCost], _ made: String?) throws {
    let name = URL(filePath: file).lastPathComponent
    guard let made, !costs.isEmpty else {
      say("| \(name) | \(tool.name) | | | | \(tool.takes(file) ? "failed" : "no such files") | |")
      return
    }
    let thumbnail = try Self.picture(made)
    let score = try Self.score(thumbnail, of: Self.picture(file))
    let figures = [
      String(format: "%.0f", ToolCost.middle(costs.map(\.cpuSeconds)) * 1000),
      String(format: "%.0f", ToolCost.middle(costs.map(\.wallSeconds)) * 1000),
      String(format: "%.0f", ToolCost.middle(costs.map(\.peakMiB))), "\(thumbnail.width)×\(thumbnail.height)",
      score.map { String(format: "%.1f", $0) } ?? "",
    ]
    say("| \(name) | \(tool.name) | \(figures.joined(separator: " | ")) |")
  }

  /// Many files in one command, as thumbnails are usually made.
  private func reportMany(_ file: String, _ place: String) throws {
    let name = URL(filePath: file).lastPathComponent
    let folder = "\(place)/many"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let links = (0..<copies).map { "\(folder)/\($0).\(URL(filePath: file).pathExtension)" }
    for link in links {
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: URL(filePath: file).standardizedFileURL.path)
    }
    let heicbench = program ?? NeighbourProgram.path
    let own = ["thumbnails"] + links + ["\(folder)/own", "--size", "\(size)", "--format", "png", "--quiet"]
    let commands = [
      ("vipsthumbnail", ThumbnailTool.vips, ["-s", "\(size)", "-o", "\(folder)/vips-%s.png"] + links),
      ("heicbench", heicbench, own),
      ("heicbench, all pixels", heicbench, own + ["--score", "100", "--fresh"]),
    ]
    var reference: Double?
    for (tool, program, arguments) in commands where FileManager.default.isExecutableFile(atPath: program) {
      guard let cost = try ToolCost.of(program, arguments) else {
        say("| \(name) | \(tool) | failed | | | |")
        continue
      }
      if program == ThumbnailTool.vips { reference = cost.cpuSeconds }
      let each = [cost.cpuSeconds, cost.wallSeconds].map {
        String(format: "%.1f", $0 / Double(copies) * 1000)
      }
      let ratio = reference.map { String(format: "%.2f", cost.cpuSeconds / max($0, 1e-9)) } ?? ""
      say(
        "| \(name) | \(tool) | \(each.joined(separator: " | ")) | \(ratio) | \(Int(cost.peakMiB.rounded())) |"
      )
    }
  }

  /// Prints a line immediately, even into a file, since a run takes minutes.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  /// The whole picture, upright.
  private static func picture(_ path: String) throws -> RasterImage {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    guard let reader = CodecRegistry.standard.reader(for: bytes),
      let image = try reader.decode(bytes, .full, limits: ReadLimits()).raster
    else { throw ValidationError("heicbench cannot read \(path)") }
    return image
  }

  /// The score against the whole picture at the thumbnail's size; nil if the proportions differ, since it then shows a
  /// part.
  private static func score(_ thumbnail: RasterImage, of picture: RasterImage) throws -> Double? {
    guard thumbnail.width <= picture.width, thumbnail.height <= picture.height else { return nil }
    let honest = try picture.reduced(toWidth: thumbnail.width, height: thumbnail.height, by: .lanczos)
    return try MetricSuite(["ssimulacra2"]).prepare(honest).score(thumbnail)["ssimulacra2"]
  }
}

/// A program that makes a thumbnail of a file.
private struct ThumbnailTool {
  static let vips = "/usr/bin/vipsthumbnail"
  private static let heif = "/usr/bin/heif-thumbnailer"

  var name: String
  var program: String
  /// The arguments, given a file and the thumbnail's folder.
  var arguments: (String, String) -> [String]
  var takesHEIFAlone = false

  func takes(_ file: String) -> Bool {
    !takesHEIFAlone || ["heic", "heif", "avif"].contains(URL(filePath: file).pathExtension.lowercased())
  }

  /// The installed tools, heicbench first.
  static func all(heicbench: String, size: Int) -> [ThumbnailTool] {
    let tools = [
      ThumbnailTool(name: "heicbench", program: heicbench) {
        ["thumbnails", $0, $1, "--size", "\(size)", "--format", "png", "--quiet"]
      },
      ThumbnailTool(name: "heicbench, all pixels", program: heicbench) {
        ["thumbnails", $0, $1, "--size", "\(size)", "--format", "png", "--quiet", "--score", "100"]
      },
      ThumbnailTool(name: "vipsthumbnail", program: vips) {
        [$0, "-s", "\(size)", "-o", $1 + "/t.png"]
      },
      ThumbnailTool(
        name: "heif-thumbnailer", program: heif, arguments: { ["-s", "\(size)", $0, $1 + "/t.png"] },
        takesHEIFAlone: true),
      ThumbnailTool(
        name: "heif-thumbnailer -p", program: heif,
        arguments: { ["-p", "-s", "\(size)", $0, $1 + "/t.png"] },
        takesHEIFAlone: true),
    ]
    return tools.filter { FileManager.default.isExecutableFile(atPath: $0.program) }
  }
}

/// The cost of a command.
struct ToolCost {
  var cpuSeconds: Double
  var wallSeconds: Double
  /// The largest resident memory of one of its processes.
  var peakMiB: Double

  /// Runs a command through this program again, so that no other child's memory counts; nil if it failed.
  static func of(_ program: String, _ arguments: [String]) throws -> ToolCost? {
    let own = Bundle.main.executablePath ?? CommandLine.arguments[0]
    let child = try ChildProcess(own, ["run-once", "--", program] + arguments)
    let numbers =
      child.output.split(separator: "\n").last?.split(separator: " ").compactMap { Double($0) } ?? []
    guard child.succeeded, numbers.count == 3 else { return nil }
    return ToolCost(cpuSeconds: numbers[0], wallSeconds: numbers[1], peakMiB: numbers[2])
  }

  static func middle(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// Runs one command, and prints the CPU seconds, elapsed seconds and peak memory of the command and its children.
struct RunOnce: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run-once", shouldDisplay: false)

  @Argument(parsing: .remaining) var command: [String]

  func run() throws {
    guard let program = command.first else { throw ExitCode.failure }
    let child = try ChildProcess(program, Array(command.dropFirst()))
    print("\(child.cpuSeconds) \(child.wallSeconds) \(MemoryMeter.peakOfChildrenMiB())")
    if !child.succeeded { throw ExitCode.failure }
  }
}
