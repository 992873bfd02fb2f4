import Analysis
import Model
import Store

/// The cost of reads as a section of a page: answers, charts, the pictures of each route, and tables.
struct DecodeSection {
  let report: DecodeReport
  let pictures: [ReadPictures]

  var html: String {
    let summary = report.summary
    let answers =
      HTMLText.paragraph(summary.answerLegend, class: "context")
      + HTMLTable(summary.answerColumns).table(summary.answers, caption: "Answers")
    let screens = ([summary.unequal].compactMap { $0 } + summary.bandwidthSentences)
      .map { HTMLText.paragraph($0, class: "context") }
    return """
      <section id="reads">
        <h2>Getting pixels out</h2>
        \(HTMLText.paragraph(summary.explanation, class: "context"))
        \(answers)
        \(screens.joined(separator: "\n"))
        \(charts)
        \(shown)
        \(details("Routes", HTMLTable(DecodeSummary.columns).table(summary.lines, caption: "Routes"), isOpen: true))
        \(memory)
      </section>
      """
  }

  private var charts: String {
    let drawings = report.drawings
    return [ChartKind.decodeTime, .decodeMemory].compactMap { kind in
      drawings[kind].map { "<figure>\(HTMLReport.image(of: $0, kind))</figure>" }
    }.joined(separator: "\n")
  }

  private var memory: String {
    let rows = report.summary.memoryRows
    guard !rows.isEmpty else { return "" }
    let title = "Memory, measured and predicted"
    return details(title, HTMLTable(DecodeSummary.memoryColumns).table(rows, caption: title), isOpen: false)
  }

  private func details(_ title: String, _ text: String, isOpen: Bool) -> String {
    "<details\(isOpen ? " open" : "")><summary>\(HTMLText.escaped(title))</summary>\(text)</details>"
  }

  private var shown: String {
    guard !pictures.isEmpty else { return "" }
    let groups = pictures.map { group in
      let name = group.pictures.first?.row.record.key.image.name ?? ""
      let figures = group.pictures.map { picture in
        "<figure><img src=\"\(HTMLText.escaped(picture.address))\" alt=\"\(HTMLText.escaped(name))\" "
          + "loading=\"lazy\"><figcaption>\(HTMLText.escaped(Self.caption(picture.row)))</figcaption></figure>"
      }
      return
        "<h3>\(HTMLText.escaped("\(name), \(group.kind)"))</h3><div class=\"routes\">\(figures.joined())</div>"
    }
    return groups.joined(separator: "\n")
  }

  /// `thumbnail, 320 px: 5.1 ms, SSIMULACRA 2 37, aligned 68 of at most 87`.
  private static func caption(_ row: ReadRow) -> String {
    let figures = row.record.measurement
    var text = "\(row.record.key.route.rawValue), \(row.record.key.wanted) px"
    if let cpu = row.cpu?.median { text += ": \(Numerals.fixed(cpu, decimals: cpu < 10 ? 1 : 0)) ms" }
    if let score = figures?.ssimulacra2 { text += ", SSIMULACRA 2 \(Numerals.fixed(score, decimals: 0))" }
    if let aligned = figures?.alignedSSIMULACRA2 {
      text += ", aligned \(Numerals.fixed(aligned, decimals: 0))"
    }
    if let ceiling = figures?.ceilingSSIMULACRA2 {
      text += "; another good filter \(Numerals.fixed(ceiling, decimals: 0))"
    }
    return text
  }
}
