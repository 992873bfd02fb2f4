import CodecKit
import Codecs
import Model

/// Imports files that other encoders made from the same originals: decodes them, compares them with the original,
/// scores them, and lists them under the name of their series. It does not invent quality numbers for them.
package struct ImportRequest: Request {
  package struct Series: Sendable {
    /// The name shown instead of a codec's in all results.
    package var name: String
    package var folder: InputPath

    package init(name: String, folder: InputPath) { (self.name, self.folder) = (name, folder) }

    var printableFolder: String { ImageName.printable(folder.bytes) }
  }

  package var reference: ImageSource
  package var series: [Series]
  /// A CSV file with the columns `reference` and `file` that pairs files with originals; nil pairs by name. A column `bytes`
  /// gives the sizes of the files that these were decoded from.
  package var pairs: String?
  /// The results folder, which normally contains a sweep of the same originals.
  package var output: String
  /// True to measure everything again, including what the results already have.
  package var isFresh = false
  /// Programs that also score files; they must be those of the run in the results, with the same commands.
  package var metricCommands: [MetricCommand] = []
  package var workers = WorkerSettings()
  package var judgement = Judgement()
  package var page = PageSettings()
  /// The command line recorded for this run: a program's name and its arguments.
  package var command: [String] = []

  package init(reference: [InputPath], series: [Series], output: String = "results") {
    self.reference = ImageSource(reference)
    self.series = series
    self.output = output
  }

  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ImportOutcome {
    try HeicBenchError.mapping {
      try check()
      return try ImportRun(request: self, cancellation: cancellation, events: events).run()
    }
  }

  private func check() throws {
    var names: Set<String> = []
    try HeicBenchError.require(!series.isEmpty, "give at least one folder of files as NAME=FOLDER")
    try HeicBenchError.requireFolder(output)
    for name in series.map(\.name) {
      try HeicBenchError.require(
        LibraryBuild.isName(name),
        "“\(name)” is not a name: use letters, digits, dots, dashes and underscores, starting with a letter or digit"
      )
      try HeicBenchError.require(
        CodecRegistry.standard.codec(name) == nil,
        "“\(name)” is a codec of heicbench; name the files after what made them, such as “phone”")
      try HeicBenchError.require(names.insert(name.lowercased()).inserted, "“\(name)” names two folders")
    }
  }
}

package struct ImportOutcome: Sendable {
  package struct Refusal: Error, Hashable {
    package let series: String
    /// The file's path below the folder of the series.
    package let file: String
    package let reason: String
  }

  package let folder: String
  /// Sentences that compare the files' sizes, with advice if there is no comparison.
  package let sentences: [String]
  /// Number of files scored, including those of earlier imports.
  package let files: Int
  /// Number of files that earlier imports had already judged.
  package let known: Int
  package let refusals: [Refusal]
  package let wasInterrupted: Bool
}
