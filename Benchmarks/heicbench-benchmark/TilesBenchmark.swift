import ArgumentParser
import Foundation

/// Deep Zoom by heicbench and by vips, compared with the decoder and encoder of libjpeg-turbo.
struct TilesBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tiles",
    abstract: "Make Deep Zoom of a JPEG with heicbench and with vips: time and memory.",
    discussion: """
      Each tool makes tiles of 256 pixels at quality 80, in turns; figures are medians of the rounds, of whole processes. \
      The reference is what no tool can do without: djpeg of the picture, and 4/3 of cjpeg, since the levels below have a \
      third of its pixels. It writes one file, where tools write thousands. djpeg and cjpeg are in Debian's \
      libjpeg-turbo-progs, vips is in libvips-tools.
      """)

  @Argument(help: "A JPEG file, ideally of 100 megapixels.")
  var file: String

  @Option(help: "How often each tool makes the tiles.")
  var rounds = 3

  @Option(help: "The program to measure. (default: heicbench beside this one)")
  var program: String?

  func validate() throws {
    guard (1...100).contains(rounds) else { throw ValidationError("--rounds must be from 1 to 100") }
  }

  func run() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: place) }
    var costs: [String: [ToolCost]] = [:]
    for round in 0..<rounds {
      // Each round has its own folder, since deleting thousands of files during a measurement would add system time to
      // it.
      let folder = "\(place)/\(round)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, program, arguments) in commands(in: folder)
      where FileManager.default.isExecutableFile(atPath: program) {
        guard let cost = try ToolCost.of(program, arguments) else { continue }
        costs[name, default: []].append(cost)
      }
    }
    func cpu(_ name: String) -> Double? { costs[name].map { ToolCost.middle($0.map(\.cpuSeconds)) } }
    let reference = cpu("djpeg").flatMap { decode in cpu("cjpeg").map { decode + $0 * 4 / 3 } }
    print("| tool | CPU, s | wall, s | memory, MiB | CPU ÷ (djpeg + 4/3 cjpeg) |")
    print("|---|---:|---:|---:|---:|")
    for (name, _, _) in commands(in: place) {
      guard let all = costs[name], let cpu = cpu(name) else {
        print("| \(name) | failed or missing | | | |")
        continue
      }
      let wall = ToolCost.middle(all.map(\.wallSeconds))
      let ratio = reference.map { String(format: "%.2f", cpu / max($0, 1e-9)) } ?? ""
      let times = String(format: "%.2f | %.2f | %.0f", cpu, wall, ToolCost.middle(all.map(\.peakMiB)))
      print("| \(name) | \(times) | \(ratio) |")
    }
  }

  /// Names, programs and arguments. The second command reads what the first one wrote.
  private func commands(in folder: String) -> [(String, String, [String])] {
    let pixels = "\(folder)/pixels.ppm"
    return [
      ("djpeg", "/usr/bin/djpeg", ["-outfile", pixels, file]),
      ("cjpeg", "/usr/bin/cjpeg", ["-quality", "80", "-outfile", "\(folder)/whole.jpg", pixels]),
      (
        "heicbench", program ?? NeighbourProgram.path,
        ["tiles", "export", file, "\(folder)/own", "--tile-size", "256", "--quality", "0.8", "--quiet"]
      ),
      (
        "vips dzsave", "/usr/bin/vips",
        ["dzsave", file, "\(folder)/vips", "--tile-size", "256", "--overlap", "0", "--suffix", ".jpg[Q=80]"]
      ),
    ]
  }
}
