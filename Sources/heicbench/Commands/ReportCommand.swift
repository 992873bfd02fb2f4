import Analysis
import ArgumentParser
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Sweep

/// Makes the reports of a run again.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Make the reports of a run again, also as another format.",
    discussion: """
      Everything comes from the results folder; nothing is measured. Pictures need the images themselves: they \
      are looked for where the run found them, or where --corpus says, and encoded again.

        heicbench report results --images 8 --title "Our product photos"
        heicbench report results --format json > results.json
      """)

  @Argument(help: "A results folder.", completion: .directory)
  var results = "results"

  @Option(
    help: ArgumentHelp(
      "html writes report.html, the charts, summary.md and measurements.csv into the folder; codec-compare writes "
        + "its batches below it; csv, json and markdown go to standard output, and so does totals: a line for each "
        + "codec and quality, summed up by the database, for more images than memory holds.",
      valueName: "format"))
  var format: Format = .html

  @Option(
    help: ArgumentHelp("Where the images are now, if not where the run found them.", valueName: "path"),
    completion: .directory)
  var corpus: [String] = []

  @OptionGroup(title: "The page") var page: PageOptions
  @OptionGroup(title: "What to answer") var judgement: JudgementOptions

  /// What `--format` takes.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case html, csv, json, markdown, totals
    case codecCompare = "codec-compare"
  }

  func run() throws {
    let store = try ResultStore(reading: results)
    let run = try ResultsInput.latestRun(of: store)
    let source = RowSource(store, run: run)
    let options = try judgement.options(for: source)
    if let stream = RunFormat(rawValue: format.rawValue) {
      var output = StandardOutput()
      try stream.write(source, options: options, to: &output)
      return
    }
    switch format {
    case .codecCompare: try CodecCompareExport(folder: results).write(source)
    case .totals:
      StandardOutput.write(try ConsoleReport.totals(try store.qualitySummaries(of: run.id), source))
    default: try writePage(source, run.manifest, options, MeasuredImages(store, run, corpus: corpus))
    }
  }

  private func writePage(
    _ source: RowSource, _ manifest: RunManifest, _ options: AnalysisOptions, _ images: MeasuredImages
  ) throws {
    if judgement.isExplicit { try refuseSilence(source, options) }
    let pictures =
      page.images == .none
      ? nil
      : PictureSet(
        manifest: manifest, entry: images.entry, limits: ReadLimits(),
        options: page)
    try ReportWriter(folder: results, options: options)
      .write(source, title: page.title) { try pictures?.make(for: $0, in: $1) ?? [] }
    StandardError.notice("wrote \(results)/\(ReportWriter.pageName)")
  }

  /// Reports that say something are not replaced by some that say nothing.
  private func refuseSilence(_ source: RowSource, _ options: AnalysisOptions) throws {
    let verdicts = try RunReport(reading: source, options: options).analysis.verdicts
    guard let first = verdicts.first, verdicts.allSatisfy({ $0.direction == .unknown }) else { return }
    throw CommandError(.usage, "\(first.sentence) The reports are left as they were.")
  }
}
