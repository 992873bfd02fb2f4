import ArgumentParser
import CodecKit
import HeicBenchKit
import Metrics
import Model
import Reports
import Sweep
import Workers

/// Scores image files against an original, without a sweep.
struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score", abstract: "Score images against an original.",
    discussion: """
      All images are read upright and at full depth, through their colour profiles. An image that cannot be \
      scored has a line with the reason, and the exit code is 3.

        heicbench score original.png a.jpg b.heic --metrics ssimulacra2,psnr-y --format csv
      """)

  /// How scores are written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, csv, json
  }

  @Argument(help: "The original.", completion: .file())
  var reference: String

  @Argument(help: "The images to score.", completion: .file())
  var distorted: [String]

  @Option(
    help: ArgumentHelp("Metrics with commas between, or all. (default: all)", valueName: "metrics"),
    completion: .list(["all"] + MetricSuite.standard.map(\.id)), transform: { try MetricList(parsing: $0) })
  var metrics = MetricList.all

  @Option(help: "Write a table for people, csv or json.")
  var format = Format.table

  func run() throws {
    let suite = try MetricSuite(metrics.identifiers)
    let raw = RawArguments()
    let prepared: PreparedSuite
    do {
      prepared = try suite.prepare(try ImageInput.read(raw.bytes(of: reference)))
    } catch let failure as Failure {
      throw HeicBenchError(.noInput, "“\(reference)” \(failure.message)")
    }
    let rows = distorted.map { name in
      ScoreRow(reference: reference, distorted: name, path: raw.bytes(of: name), prepared)
    }
    let columns = ScoreRow.columns(metrics: suite.traits)
    switch format {
    case .table: StandardOutput.write(TextTableWriter(columns).table(rows))
    case .csv: StandardOutput.write(CSVWriter(columns).text(rows))
    case .json: StandardOutput.write(JSONRowsWriter(columns).text(rows) + "\n")
    }
    if rows.contains(where: { $0.error != nil }) { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }
}
