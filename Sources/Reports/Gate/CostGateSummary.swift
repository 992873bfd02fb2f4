package import Analysis
import Store

/// The gate's findings on reads or tiles, as Markdown and JSON.
package struct CostGateSummary: Sendable {
  let report: CostGateReport
  let failsOnImprovement: Bool

  private static let limit = 20

  package init(_ report: CostGateReport, failsOnImprovement: Bool = false) {
    (self.report, self.failsOnImprovement) = (report, failsOnImprovement)
  }

  package var hasFailed: Bool { report.fails(onImprovement: failsOnImprovement) }

  package var headline: String {
    let compared = "\(Numerals.counted(report.compared, noun)) compared"
    let doing = report.subject == .reads ? "reading" : "tiles"
    if report.regressions.contains(where: { $0.quantity == .uncompared }) {
      return "Nothing was compared: baseline and results have no \(noun) in common."
    }
    guard report.regressions.isEmpty else {
      return "Regression in \(doing): \(Numerals.counted(report.regressions.count, "finding")), \(compared)."
    }
    if !report.improvements.isEmpty { return "No regression in \(doing), and better in places, \(compared)." }
    return "No regression in \(doing), \(compared)."
  }

  private var noun: String { report.subject == .reads ? "read" : "cut" }

  package var markdown: String {
    var document = MarkdownDocument()
    let outcome = report.fails(onImprovement: failsOnImprovement) ? "failed" : "passed"
    document.heading(2, "heicbench gate for \(report.subject.rawValue) \(outcome)")
    document.paragraph("**\(MarkdownText.escaped(headline))**")
    for (title, findings) in [
      ("Regressions", report.regressions), ("Inconclusive, may be noise", report.inconclusive),
      ("Improvements", report.improvements),
    ] where !findings.isEmpty {
      document.heading(3, title)
      document.table(columns, Array(findings.prefix(Self.limit)))
      let rest = findings.count - min(findings.count, Self.limit)
      if rest > 0 { document.paragraph("… and \(Numerals.grouped(rest)) more.") }
    }
    document.list(remarks.map(MarkdownText.escaped))
    if report.fails(onImprovement: failsOnImprovement), let accept = report.accept {
      document.paragraph("If this is how it shall be, make it the baseline:")
      document.code(accept, language: "sh")
    }
    return document.text
  }

  /// The reports as one JSON document.
  package static func json(_ summaries: [CostGateSummary]) -> String {
    var buffer = TextBuffer()
    JSONValue.object(
      [
        ("format", .text("heicbench-gate")), ("format_version", .integer(1)),
        ("failed", .cell(.flag(summaries.contains(where: \.hasFailed)))),
        ("headline", .text(summaries.map(\.headline).joined(separator: " "))),
      ] + summaries.map { ($0.report.subject.rawValue, $0.value) }
    ).write(into: &buffer)
    return buffer.text + "\n"
  }

  /// The report as a member of a gate's JSON.
  var value: JSONValue {
    .object([
      ("failed", .cell(.flag(report.fails(onImprovement: failsOnImprovement)))),
      ("headline", .text(headline)), ("compared", .integer(report.compared)),
      ("vanished", .integer(report.vanished)), ("new", .integer(report.added)),
      ("regressions", .rows(columns, report.regressions)),
      ("inconclusive", .rows(columns, report.inconclusive)),
      ("improvements", .rows(columns, report.improvements)), ("remarks", .strings(remarks)),
      ("accept", .text(report.accept)),
    ])
  }

  private var remarks: [String] {
    var remarks: [String] = []
    if report.untimedGroups > 0 {
      remarks.append(
        "Times of \(Numerals.counted(report.untimedGroups, "route")) are not compared: both sides have to be timed on "
          + "one machine with the same number of jobs, and the baseline has to tell (“heicbench baseline --reads”)."
      )
    }
    if report.usesWiderTolerance {
      remarks.append("Library versions differ, so the wider thresholds for that apply where they do.")
    }
    if report.added > 0 {
      remarks.append("\(Numerals.counted(report.added, noun)) that the baseline does not have.")
    }
    return remarks
  }

  private var columns: [Column<CostFinding>] {
    [
      Column("quantity", title: "What", alignment: .leading) { .text(word($0.quantity)) },
      Column("place", title: "Where", alignment: .leading) { Cell(code: $0.place.isEmpty ? nil : $0.place) },
      Column("before", title: "Baseline") { Cell(number: $0.before, decimals: 1) },
      Column("after", title: "Now") { Cell(number: $0.after, decimals: 1) },
      Column("worsening", title: "Worse by") { Cell(change: $0.worsening, decimals: 1) },
      Column("threshold", title: "Threshold") { Cell(number: $0.threshold, decimals: 1) },
      Column("detail", title: "Why", alignment: .leading) { Cell(text: $0.detail) },
    ]
  }

  func word(_ quantity: CostFinding.Quantity) -> String {
    let done = report.subject == .reads ? "read" : "cut"
    return switch quantity {
    case .bytes: report.subject == .reads ? "touched bytes (%)" : "bytes of all levels (%)"
    case .score: "SSIMULACRA 2"
    case .memory: "memory, MiB (%)"
    case .time: "CPU time, ms (%)"
    case .failure: "cannot be \(done) any more"
    case .vanished: "not \(done) any more"
    case .changed: "another picture"
    case .unguarded: "threshold that nothing of the \(report.subject.rawValue) was held against"
    case .uncompared: "nothing was compared"
    }
  }

  /// A finding in one line, for annotations and JUnit.
  func line(_ finding: CostFinding) -> String {
    var parts: [String] = []
    if let before = finding.before {
      parts.append(
        "\(Numerals.fixed(before, decimals: 1)) before, "
          + (finding.after.map { "\(Numerals.fixed($0, decimals: 1)) now" } ?? "nothing now"))
    } else if finding.quantity == .vanished {
      parts.append(Numerals.counted(report.vanished, noun))
    }
    if finding.threshold > 0, finding.before != nil {
      parts.append("more than \(Numerals.fixed(finding.threshold, decimals: 1)) apart")
    }
    if let detail = finding.detail { parts.append(detail) }
    let text = ([word(finding.quantity)] + parts).joined(separator: "; ")
    return finding.place.isEmpty ? text : "\(finding.place): \(text)"
  }
}
