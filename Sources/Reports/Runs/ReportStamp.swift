package import Analysis
import Foundation
package import Model
package import Store

/// What the reports in a results folder were made from, kept beside them, so that a run that finds nothing to
/// measure need not make them once more.
///
/// A run takes the stamp away before it measures and leaves one after it has written its reports: a run that
/// is killed in between leaves none, and the next one writes.
package struct ReportStamp: Sendable, Hashable, Codable {
  /// The name of its file.
  static let fileName = ".heicbench-reports.json"

  /// A file as the system describes it.
  struct FileState: Sendable, Hashable, Codable {
    var bytes: Int
    var modified: Double
  }

  private var question: String
  private var files: [String: FileState] = [:]

  /// Describes the reports of a run.
  ///
  /// - Parameters:
  ///   - manifest: The run. When it began, its exact command line and what changes of a machine from minute to
  ///     minute (load, governor, what a control group or a virtual machine grants) do not matter.
  ///   - images: The images of the run in order.
  ///   - options: What the analysis is asked for.
  ///   - page: What the page is asked for, in any spelling that tells one from another.
  ///   - program: The file of the program, or a link to it: another build may write other reports.
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

  /// The stamp of the folder, which is taken away; nil where there is none that still fits its files.
  package static func take(from files: OwnedFolder) -> ReportStamp? {
    let stamp = read(files)
    files.remove(fileName)
    guard let stamp, stamp.files == reports(in: files.path) else { return nil }
    return stamp
  }

  /// The reports that the folder's stamp describes as they are now; nil where there is no stamp.
  static func described(in files: OwnedFolder) -> Set<String>? {
    guard let stamp = read(files) else { return nil }
    let present = reports(in: files.path)
    return Set(stamp.files.keys.filter { stamp.files[$0] == present[$0] })
  }

  private static func read(_ files: OwnedFolder) -> ReportStamp? {
    files.beginning(of: fileName, count: 1 << 20).flatMap {
      try? JSONDecoder().decode(ReportStamp.self, from: Data($0))
    }
  }

  /// Whether this stamp, taken from a folder, stands for the reports that `wanted` describes.
  package func isOf(_ wanted: ReportStamp) -> Bool { question == wanted.question }

  /// Leaves the stamp beside the reports as they are now.
  package func leave(in files: OwnedFolder) throws {
    var stamp = self
    stamp.files = Self.reports(in: files.path)
    let text = String(decoding: try JSONEncoder().encode(stamp), as: UTF8.self)
    try files.write(text, to: Self.fileName)
  }

  private static func reports(in folder: String) -> [String: FileState] {
    let names =
      [
        ReportWriter.measurementsName, ReportWriter.summaryName, ReportWriter.pageName,
        ReportWriter.picturesName, ImageFigureColumns.savingsName, ImageFigureColumns.ratesName,
      ]
      + ChartKind.ofRuns.map(\.fileName)
    return Dictionary(
      names.compactMap { name in state(of: "\(folder)/\(name)").map { (name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func state(of path: String) -> FileState? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let bytes = attributes[.size] as? Int, let modified = attributes[.modificationDate] as? Date
    else { return nil }
    return FileState(bytes: bytes, modified: modified.timeIntervalSinceReferenceDate)
  }
}
