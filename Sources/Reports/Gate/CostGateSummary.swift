package import Analysis

/// What the gate found about reads, for people and programs.
package struct ReadGateSummary: Sendable {
  private let report: ReadGateReport
  private let failsOnImprovement: Bool

  /// Up to how many findings of a kind are shown.
  private static let limit = 20

  /// A summary of a gate.
  package init(_ report: ReadGateReport, failsOnImprovement: Bool = false) {
    (self.report, self.failsOnImprovement) = (report, failsOnImprovement)
  }

  /// Whether the gate has failed.
  var hasFailed: Bool { report.fails(onImprovement: failsOnImprovement) }

  /// The outcome in a sentence.
  package var headline: String {
    let reads = "\(Numerals.counted(report.compared, "read")) compared"
    if report.regressions.contains(where: { $0.quantity == .uncompared }) {
      return "Nothing was compared: baseline and results have no read in common."
    }
    guard report.regressions.isEmpty else {
      return "Regression in reading: \(Numerals.counted(report.regressions.count, "finding")), \(reads)."
    }
    if !report.improvements.isEmpty { return "No regression in reading, and better in places, \(reads)." }
    return "No regression in reading, \(reads)."
  }

  /// The text in GitHub Flavored Markdown.
  package var markdown: String {
    var document = MarkdownDocument()
    let outcome = report.fails(onImprovement: failsOnImprovement) ? "failed" : "passed"
    document.heading(2, "heicbench gate for reads \(outcome)")
    document.paragraph("**\(MarkdownText.escaped(headline))**")
    for (title, findings) in [
      ("Regressions", report.regressions), ("Inconclusive, may be noise", report.inconclusive),
      ("Improvements", report.improvements),
    ] where !findings.isEmpty {
      document.heading(3, title)
      document.table(Self.columns, Array(findings.prefix(Self.limit)))
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

  /// The report as a document of its own.
  package var json: String {
    var buffer = TextBuffer()
    JSONValue.object([
      ("format", .text("heicbench-gate")), ("format_version", .integer(1)),
      ("failed", .cell(.flag(report.fails(onImprovement: failsOnImprovement)))),
      ("headline", .text(headline)), ("reads", value),
    ]).write(into: &buffer)
    return buffer.text + "\n"
  }

  /// The report as a member of a gate's JSON.
  var value: JSONValue {
    .object([
      ("failed", .cell(.flag(report.fails(onImprovement: failsOnImprovement)))),
      ("headline", .text(headline)), ("compared", .integer(report.compared)),
      ("vanished", .integer(report.vanished)), ("new", .integer(report.added)),
      ("regressions", .rows(Self.columns, report.regressions)),
      ("inconclusive", .rows(Self.columns, report.inconclusive)),
      ("improvements", .rows(Self.columns, report.improvements)), ("remarks", .strings(remarks)),
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
      remarks.append("\(Numerals.counted(report.added, "read")) that the baseline does not have.")
    }
    return remarks
  }

  private static let columns: [Column<ReadFinding>] = [
    Column("quantity", title: "What", alignment: .leading) { .text(word($0.quantity)) },
    Column("place", title: "Where", alignment: .leading) { Cell(code: $0.place.isEmpty ? nil : $0.place) },
    Column("before", title: "Baseline") { Cell(number: $0.before, decimals: 1) },
    Column("after", title: "Now") { Cell(number: $0.after, decimals: 1) },
    Column("worsening", title: "Worse by") { Cell(change: $0.worsening, decimals: 1) },
    Column("threshold", title: "Threshold") { Cell(number: $0.threshold, decimals: 1) },
    Column("detail", title: "Why", alignment: .leading) { Cell(text: $0.detail) },
  ]

  private static func word(_ quantity: ReadFinding.Quantity) -> String {
    switch quantity {
    case .touched: "touched bytes (%)"
    case .score: "SSIMULACRA 2"
    case .memory: "memory, MiB (%)"
    case .time: "CPU time, ms (%)"
    case .failure: "cannot be read any more"
    case .vanished: "not read any more"
    case .changed: "another picture"
    case .unguarded: "threshold that says nothing about reads"
    case .uncompared: "nothing was compared"
    }
  }
}
