import ArgumentParser
import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Pixels

/// Thumbnails by heicbench beside those of vipsthumbnail and heif-thumbnailer, on the same files in one run.
struct ThumbnailBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails",
    abstract: "Make thumbnails with heicbench, vipsthumbnail and heif-thumbnailer: time, memory, score.",
    discussion: """
      Each tool makes a thumbnail of each file by itself, in a process of its own, in turns; figures are medians of the \
      rounds, and of a whole process with its start. heicbench also makes all thumbnails in one command. Memory is the \
      largest process of a command, scores are SSIMULACRA 2 against the whole picture, reduced in linear light to the \
      thumbnail's size; all write PNG, so that no codec of thumbnails is scored. vipsthumbnail is in Debian's libvips-tools, heif-thumbnailer in libheif-examples.
      """)

  @Argument(help: "HEIC and JPEG files.")
  var files: [String]

  @Option(help: "The longest side in pixels.")
  var size = 320

  @Option(help: "How often each tool makes each thumbnail.")
  var rounds = 3

  @Option(help: "The program to measure. (default: heicbench beside this one)")
  var program: String?

  func validate() throws {
    guard !files.isEmpty, (16...4096).contains(size), (1...100).contains(rounds) else {
      throw ValidationError("name files, a --size from 16 to 4096 and --rounds from 1 to 100")
    }
  }

  func run() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let tools = ThumbnailTool.all(heicbench: program ?? NeighbourProgram.path, size: size)
    print("| file | tool | CPU, ms | memory, MiB | size | SSIMULACRA 2 |")
    print("|---|---|---:|---:|---:|---:|")
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
    try reportAll(place)
  }

  private func report(_ tool: ThumbnailTool, _ file: String, _ costs: [ToolCost], _ made: String?) throws {
    let name = URL(filePath: file).lastPathComponent
    guard let made, !costs.isEmpty else {
      print("| \(name) | \(tool.name) | | | \(tool.takes(file) ? "failed" : "no such files") | |")
      return
    }
    let thumbnail = try Self.picture(made)
    let score = try Self.score(thumbnail, of: Self.picture(file))
    let figures = [
      String(format: "%.0f", ToolCost.middle(costs.map(\.cpuSeconds)) * 1000),
      String(format: "%.0f", ToolCost.middle(costs.map(\.peakMiB))), "\(thumbnail.width)×\(thumbnail.height)",
      score.map { String(format: "%.1f", $0) } ?? "",
    ]
    print("| \(name) | \(tool.name) | \(figures.joined(separator: " | ")) |")
  }

  /// All files in one command, which is how thumbnails are made of many.
  private func reportAll(_ place: String) throws {
    let heicbench = program ?? NeighbourProgram.path
    let vips = ["-s", "\(size)", "-o", place + "/vips-%s.png"] + files
    let own = ["thumbnails"] + files + [place + "/all", "--size", "\(size)", "--format", "png", "--quiet"]
    for (name, program, arguments) in [
      ("heicbench", heicbench, own), ("vipsthumbnail", ThumbnailTool.vips, vips),
    ] {
      guard let cost = try ToolCost.of(program, arguments) else { continue }
      let each = cost.cpuSeconds * 1000 / Double(files.count)
      print(
        "| all \(files.count) in one command | \(name) | \(String(format: "%.0f a file", each)) | "
          + "\(String(format: "%.0f", cost.peakMiB)) | | |")
    }
  }

  /// All of a picture, upright.
  private static func picture(_ path: String) throws -> RasterImage {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    guard let reader = CodecRegistry.standard.reader(for: bytes),
      let image = try reader.decode(bytes, .full, limits: ReadLimits()).raster
    else { throw ValidationError("\(path) is no image that heicbench reads") }
    return image
  }

  /// Against the whole picture at the thumbnail's size; nil for one in another proportion, which shows another part.
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
  /// The arguments for a file and the folder that the thumbnail goes to.
  var arguments: (String, String) -> [String]
  var takesHEIFAlone = false

  func takes(_ file: String) -> Bool {
    !takesHEIFAlone || ["heic", "heif", "avif"].contains(URL(filePath: file).pathExtension.lowercased())
  }

  /// Those that are installed, heicbench first.
  static func all(heicbench: String, size: Int) -> [ThumbnailTool] {
    let tools = [
      ThumbnailTool(name: "heicbench", program: heicbench) {
        ["thumbnails", $0, $1, "--size", "\(size)", "--format", "png", "--quiet"]
      },
      ThumbnailTool(name: "heicbench, all pixels", program: heicbench) {
        ["thumbnails", $0, $1, "--size", "\(size)", "--format", "png", "--quiet", "--at", "100"]
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

/// What a command took.
struct ToolCost {
  var cpuSeconds: Double
  /// The largest resident memory of one of its processes.
  var peakMiB: Double

  /// Runs a command through this program again, so that no other child's memory counts; nil where it failed.
  static func of(_ program: String, _ arguments: [String]) throws -> ToolCost? {
    let own = Bundle.main.executablePath ?? CommandLine.arguments[0]
    let child = try ChildProcess(own, ["run-once", "--", program] + arguments)
    let numbers =
      child.output.split(separator: "\n").last?.split(separator: " ").compactMap { Double($0) } ?? []
    guard child.succeeded, numbers.count == 2 else { return nil }
    return ToolCost(cpuSeconds: numbers[0], peakMiB: numbers[1])
  }

  static func middle(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// Runs one command and prints the CPU seconds and the largest memory of it and of what it has started.
struct RunOnce: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run-once", shouldDisplay: false)

  @Argument(parsing: .remaining) var command: [String]

  func run() throws {
    guard let program = command.first else { throw ExitCode.failure }
    let child = try ChildProcess(program, Array(command.dropFirst()))
    print("\(child.cpuSeconds) \(MemoryMeter.peakOfChildrenMiB())")
    if !child.succeeded { throw ExitCode.failure }
  }
}
