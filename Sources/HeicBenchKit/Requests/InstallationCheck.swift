import CodecKit
import Codecs
import Model
import Pixels
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
      let lack = traits.absence ?? refusal(of: codec)
      return Row(
        subject: "encode \(traits.id)",
        state: lack == nil ? traits.libraries.map(\.fullDescription).joined(separator: ", ") : "missing",
        lack: lack)
    }
    let readers = registry.readers.map { reader in
      Row(
        subject: "read \(reader.formats.joined(separator: ", "))",
        state: reader.absence == nil ? "yes" : "missing",
        lack: reader.absence)
    }
    return InstallationCheck(rows: codecs + readers + [try sandbox()])
  }

  /// The reason why a codec cannot encode; nil if it can. A library may be here without its plugin that encodes.
  static func refusal(of codec: any ImageCodec) -> String? {
    let settings = EncodeSettings(
      variant: CodecVariant(codec: codec.traits.id), quality: 0.5, traits: codec.traits)
    return RasterImage(width: 16, height: 16, layout: .rgb, bytes: .init(repeating: 128, count: 768)).flatMap
    {
      do {
        _ = try codec.encode($0, settings)
        return nil
      } catch { return "\(error)" }
    }
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
