import CodecKit
import Codecs
import Model
import Reports
import Store
import Workers

/// Checks which parts of heicbench work on this machine: formats with their libraries, and the workers' sandbox.
package struct InstallationCheck {
  private struct Row: Sendable {
    let subject, state: String
    var lack: String?
  }

  private let rows: [Row]

  /// True if nothing is missing.
  package var isComplete: Bool { rows.allSatisfy { $0.lack == nil } }

  /// Opens all libraries and starts a worker.
  package static func run() throws -> InstallationCheck {
    let registry = CodecRegistry.standard
    let codecs = registry.codecs.filter { !$0.traits.isHidden }.map { codec in
      let traits = codec.traits
      return Row(
        subject: "encode \(traits.id)",
        state: traits.absence == nil
          ? traits.libraries.map(\.fullDescription).joined(separator: ", ") : "missing",
        lack: traits.absence)
    }
    let readers = registry.readers.map { reader in
      Row(
        subject: "read \(reader.formats.joined(separator: ", "))",
        state: reader.absence == nil ? "yes" : "missing",
        lack: reader.absence)
    }
    return InstallationCheck(rows: codecs + readers + [try sandbox()])
  }

  private static func sandbox() throws -> Row {
    try HeicBenchError.mapping {
      let configuration = try WorkerSettings().configuration(limits: ReadLimits())
      let status = try configuration.sandboxOfWorkers()
      return Row(
        subject: "sandbox", state: status.summary,
        lack: status.lacking.map { "this kernel has no \($0); see docs/security.md" })
    }
  }

  package func text(width: Int) -> String {
    let columns: [Column<Row>] = [
      .text("subject", "Check") { $0.subject }, .text("state", "Found") { $0.state },
      .text("lack", "What to do") { $0.lack },
    ]
    let missing = rows.count { $0.lack != nil }
    let answer =
      missing == 0
      ? "Everything that heicbench \(HeicBench.version) supports works here."
      : "\(missing) of the \(rows.count) features of heicbench \(HeicBench.version) "
        + "\(missing == 1 ? "does" : "do") not work here."
    return ([.paragraph(answer), .table(ReportTable("Installation", columns, rows))] as [ReportBlock]).text(
      width: width)
  }
}
