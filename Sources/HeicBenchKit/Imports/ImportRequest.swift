import CodecKit
import Codecs
import Metrics
import Model

/// Files that other encoders made of the same originals, as results beside the run's own: decoded, held against the
/// original, scored, and filed under the name of their series. No quality number is made up for them.
package struct ImportRequest: Sendable {
  /// The files of one encoder.
  package struct Series: Sendable {
    /// The name that stands where a codec's stands in all results.
    package var name: String
    /// The folder of the files.
    package var folder: InputPath

    /// Names a folder.
    package init(name: String, folder: InputPath) { (self.name, self.folder) = (name, folder) }
  }

  /// The originals.
  package var reference: ImageSource
  /// The encoders, in the order of the tables.
  package var series: [Series]
  /// A CSV file with the columns `reference` and `file` that says which file is of which original; nil goes by names.
  package var pairs: String?
  /// The folder of the results, which normally holds a sweep of the same originals.
  package var output: String
  /// Whether everything is measured again, also what is in the results already.
  package var isFresh = false
  /// Programs that score files too: those of the run in the results, with the same commands.
  package var metricCommands: [MetricCommand] = []
  /// How the work is done.
  package var workers = WorkerSettings()
  /// Where variants are compared.
  package var judgement = Judgement()
  /// What the page shows beside plots and tables.
  package var page = PageSettings()
  /// How this run is called in its records: a program's name and its arguments.
  package var command = CommandLine.arguments

  /// Imports files of originals, with the results in a folder.
  package init(reference: [InputPath], series: [Series], output: String = "results") {
    self.reference = ImageSource(reference)
    self.series = series
    self.output = output
  }

  /// Measures what is missing and writes the results. Blocks the calling thread.
  /// - Parameters:
  ///   - cancellation: stops the import early; what is measured by then is kept.
  ///   - events: told what goes on, from several threads.
  /// - Throws: `HeicBenchError` where the request, the files or the results folder cannot be used, or no worker can be
  ///   started. A file that cannot be used is no error.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ImportOutcome {
    try HeicBenchError.mapping {
      try check()
      return try ImportRun(request: self, cancellation: cancellation, events: events).run()
    }
  }

  /// Throws where a name cannot be one.
  private func check() throws {
    var names: Set<String> = []
    if series.isEmpty { throw HeicBenchError(.usage, "name at least one folder of files, NAME=FOLDER") }
    if output.isEmpty { throw HeicBenchError(.usage, "there is no folder for the results") }
    for name in series.map(\.name) {
      guard LibraryBuild.isName(name) else {
        throw HeicBenchError(
          .usage,
          "“\(name)” is no name: letters, digits, dots, dashes and underscores, a letter or digit first")
      }
      guard CodecRegistry.standard.codec(name) == nil else {
        throw HeicBenchError(
          .usage, "“\(name)” is a codec of heicbench; call the files after who made them, such as “phone”")
      }
      guard names.insert(name.lowercased()).inserted else {
        throw HeicBenchError(.usage, "“\(name)” names two folders")
      }
    }
  }
}

/// What became of imported files. The results themselves are in their folder.
package struct ImportOutcome: Sendable {
  /// A file that is no result, and why.
  package struct Refusal: Sendable, Hashable {
    /// The name of the series.
    package let series: String
    /// The file's path below the folder of the series.
    package let file: String
    /// Why it was refused.
    package let reason: String
  }

  /// The folder of the results.
  package let folder: String
  /// What the files take, a sentence each, and what to do where that cannot be said.
  package let sentences: [String]
  /// How many files were scored, those of earlier imports among them.
  package let files: Int
  /// How many of them earlier imports had scored.
  package let known: Int
  /// The files that were refused, in the order of their names.
  package let refusals: [Refusal]
  /// Whether the import was stopped before all files were looked at.
  package let wasInterrupted: Bool
}
