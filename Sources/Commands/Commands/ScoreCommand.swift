import ArgumentParser
import HeicBenchKit
import Metrics
import Pixels

struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score", abstract: "Score images against an original.",
    discussion: """
      All images are read upright and at full depth, with their colour profiles applied. An image that cannot be \
      scored gets a line with the reason, and the exit code is 3.

        heicbench score original.png a.jpg b.heic --metrics ssimulacra2,psnr-y --format csv
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, csv, json
  }

  @Argument(help: "The original.", completion: .file())
  var reference: InputPath

  @Argument(help: "The images to score.", completion: .file())
  var distorted: [InputPath]

  @Option(
    "Metrics, comma-separated, or all. (default: those of a sweep)", value: "metrics",
    completion: .list(["all"] + (MetricTraits.standard + MetricTraits.hdr).map(\.id)))
  var metrics = MetricList.usual

  @Option(
    "Score HDR: file, pq, hlg[=PEAK] or white[=LUMINANCE] in cd/m², as for a sweep. (default: SDR)",
    value: "light", completion: .list(["file", "pq", "hlg", "white"]))
  var light: HDRViewing?

  @OptionGroup var sandbox: SandboxOptions

  @Option(help: "Write a table for people, csv or json.")
  var format = Format.table

  func run() throws {
    var request = ScoreRequest(reference: reference, images: distorted)
    request.metrics = metrics.identifiers
    request.workers = sandbox.settings
    request.light = light
    let table = try request.run()
    switch format {
    case .table: StandardOutput.tell(table.text(width: StandardOutput.width))
    case .csv: StandardOutput.write(table.csv)
    case .json: StandardOutput.write(table.json)
    }
    table.notices.forEach(StandardError.notice)
    if table.hasProblems { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }
}
