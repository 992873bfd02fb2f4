package import Analysis
import Foundation
package import Model
package import Store

/// A record, kept beside the reports, of what they were made from: a run with nothing to measure need not write them
/// again.
///
/// It is removed before a run stores its first record and written after the reports.
package struct ReportStamp: Sendable, Hashable, Codable {
  static let fileName = ".heicbench-reports.json"

  /// The part of a report's file status that a copy of the folder preserves.
  struct Written: Sendable, Hashable, Codable {
    var bytes: Int
    var modified: Double
  }

  private var question: String
  private var files: [String: Written] = [:]
  /// Files known to be ours, with their states as `FileState` spells them: `STATE/NAME`.
  private var ours: [String]?
  /// The answer that the run gave; finding it again takes as long as the analysis.
  package var answer: Answer?

  /// An answer wrapped for a terminal with this number of columns.
  package struct Answer: Sendable, Hashable, Codable {
    package var width: Int
    package var text: String

    package init(_ report: RunReport, width: Int) {
      (self.width, text) = (width, SweepReport(report).text(width: width))
    }
  }

  /// Describes the reports of a run. Its start, its exact command line and the machine's changing state (load, governor,
  /// grants of a control group or virtual machine) do not matter.
  ///
  /// - Parameters:
  ///   - page: The options of the page, in any spelling that distinguishes them.
  /// - program: The program's file, or a link to it: another build may write other reports.
  package init(
    manifest: RunManifest, images: [ImageIdentity], options: AnalysisOptions, page: String, program: String
  ) throws {
    var manifest = manifest
    (manifest.started, manifest.command) = ("", [])
    (manifest.machine.loadAverage, manifest.machine.governor) = (nil, nil)
    (manifest.machine.memoryBytes, manifest.machine.quotaCores) = (0, nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let file = (try? FileManager.default.destinationOfSymbolicLink(atPath: program)) ?? program
    let build = Self.state(of: file).map { "\($0.bytes) \($0.modified)" } ?? ""
    var text = try encoder.encode(manifest) + encoder.encode(options) + Data("\(page)\n\(build)".utf8)
    for image in images { text.append(contentsOf: Array("\n\(image.contentHash) \(image.name)".utf8)) }
    question = SHA256.hexDigest(of: Array(text))
  }

  /// The stamp of the folder; nil if there is none that still fits its files.
  package static func holding(in files: OwnedFolder) -> ReportStamp? {
    read(files).flatMap { $0.files == reports(in: files.path) ? $0 : nil }
  }

  package static func remove(from files: OwnedFolder) { files.remove(fileName) }

  /// The reports that the folder's stamp still describes; nil without a stamp.
  static func described(in files: OwnedFolder) -> Set<String>? {
    let present = reports(in: files.path)
    return read(files).map { Set($0.files.filter { $0.value == present[$0.key] }.keys) }
  }

  /// Tells the folder which files are unchanged since the stamp listed them as ours, so that it need not read them to
  /// check: a page's pictures may take hundreds of megabytes.
  static func vouch(for files: OwnedFolder) {
    guard let lines = read(files)?.ours, let own = files.state(of: fileName) else { return }
    let states = lines.compactMap { line -> (String, FileState)? in
      guard let slash = line.utf8.firstIndex(of: UInt8(ascii: "/")), let state = FileState(line[..<slash]),
        // A change at the very moment that the stamp was written would go unnoticed.
        state.changed < own.changed
      else { return nil }
      return (String(line[line.utf8.index(after: slash)...]), state)
    }
    files.trust(Dictionary(states, uniquingKeysWith: { $1 }))
  }

  private static func read(_ files: OwnedFolder) -> ReportStamp? {
    files.beginning(of: fileName, count: 1 << 26).flatMap {
      try? JSONDecoder().decode(ReportStamp.self, from: Data($0))
    }
  }

  package func isOf(_ wanted: ReportStamp) -> Bool { question == wanted.question }

  /// Writes the stamp beside the current reports. `earlier`, the stamp of reports that are still valid, is kept if it
  /// covers every file that was read.
  package func leave(in files: OwnedFolder, inPlaceOf earlier: ReportStamp? = nil) throws {
    if let earlier, isOf(earlier), !files.hasRead(but: [Self.fileName]) { return }
    var stamp = self
    stamp.files = Self.reports(in: files.path)
    stamp.ours = files.states(of: ResultsFolder.names(in: files).filter { $0 != Self.fileName })
      .map { "\($0.value.spelling)/\($0.key)" }.sorted()
    let text = String(decoding: try JSONEncoder().encode(stamp), as: UTF8.self)
    try files.write(text, to: Self.fileName)
  }

  private static func reports(in folder: String) -> [String: Written] {
    let others = [fileName, ResultsFolder.targetsName]
    let names =
      ResultsFolder.reports.map(\.name).filter { !others.contains($0) } + [ReportWriter.picturesName]
    return Dictionary(names.map { ($0, state(of: "\(folder)/\($0)")) }) { first, _ in first }
      .compactMapValues(\.self)
  }

  private static func state(of path: String) -> Written? {
    guard let status = try? FileSystem.status(of: Array(path.utf8)) else { return nil }
    let (seconds, rest) = status.modifiedNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Computed the way Foundation does, because Foundation wrote the stamps of earlier versions.
    let since = Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
    return Written(bytes: status.size, modified: since + 1e-9 * Double(rest))
  }
}
