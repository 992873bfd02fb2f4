import Analysis
import Model
import Reports
package import Store

/// The report on policies for showing a folder: gallery.md, gallery.csv and charts over the scroll.
package struct GalleryReport {
  private static let csvName = "gallery.csv"
  private static let markdownName = "gallery.md"
  private static let memoryName = ChartKind.galleryMemory.fileName
  private static let blankName = ChartKind.galleryBlank.fileName

  private let files: [GalleryFile]
  private let outcomes: [GalleryOutcome]
  private let scroll: GalleryScroll
  private let side: Int
  private let leftOut: [String]

  /// Reports outcomes of one scroll.
  /// - Parameters:
  ///   - side: the longest side of a cell's picture, in pixels.
  ///   - leftOut: names of files that could not be decoded.
  package init(
    _ files: [GalleryFile], _ outcomes: [GalleryOutcome], _ scroll: GalleryScroll, side: Int,
    leftOut: [String]
  ) {
    (self.files, self.outcomes, self.scroll) = (files, outcomes, scroll)
    (self.side, self.leftOut) = (side, leftOut)
  }

  /// Throws if something foreign occupies the name of a file to be written.
  package static func refuseObstacles(in files: OwnedFolder) throws(OutputError) {
    try files.refuseObstacles(among: [csvName, markdownName, memoryName, blankName])
  }

  package func write(to files: OwnedFolder) throws(OutputError) {
    try files.write(CSVWriter(Self.columns).text(outcomes), to: Self.csvName)
    for (name, drawing) in [(Self.memoryName, memoryChart), (Self.blankName, blankChart)] {
      if let drawing { try files.write(drawing, to: name) } else { files.remove(name) }
    }
    try files.write(markdown, to: Self.markdownName)
  }

  package var sentences: [String] {
    outcomes.map { outcome in
      "\(outcome.policy.name): \(Numerals.fixed(outcome.cpuSeconds, decimals: 2)) s of CPU, at most "
        + "\(Self.mebibytes(outcome.peakBytes)) MiB, of which held \(Self.mebibytes(outcome.heldBytes)) MiB; "
        + Self.waits(outcome)
        + (outcome.unshown > 0 ? ", \(outcome.unshown) of \(outcome.waits.count) not at all" : "") + "."
    }
  }

  private var markdown: String {
    var document = MarkdownDocument()
    document.heading(1, "A gallery, scrolled through")
    document.paragraph(MarkdownText.escaped(introduction))
    document.table(Self.columns, outcomes)
    for (name, drawing, title) in [
      (Self.memoryName, memoryChart, "Memory over the scroll"),
      (Self.blankName, blankChart, "Cells without a picture over the scroll"),
    ] where drawing != nil {
      document.image(name, alternative: title)
    }
    if !leftOut.isEmpty {
      document.paragraph("Left out, since they could not be decoded:")
      document.list(leftOut.prefix(20).map { MarkdownText.code($0) })
      if leftOut.count > 20 { document.paragraph("… and \(leftOut.count - 20) more.") }
    }
    return document.text
  }

  private var introduction: String {
    let routes = Dictionary(grouping: files, by: \.route).sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value.count) by \($0.key.rawValue)" }.joined(separator: ", ")
    return
      "\(Numerals.counted(files.count, "file")) in cells of \(side) pixels, \(scroll.columns) beside each other and "
      + "\(scroll.visibleRows) rows in view, \(scroll.rowsAhead) fetched ahead; a scroll down and up again in flings with "
      + "pauses, the same for every policy. Decodes take the CPU time and memory that were measured of each file by "
      + "itself, and share \(Numerals.counted(scroll.cores, "core")) evenly where more of them run; caches hold "
      + "\(Self.mebibytes(scroll.cacheBytes)) MiB, counted as columns × rows × 4. Thumbnails are made by the cheapest "
      + "honest way: \(routes). The figures are played from measurements, not taken from a running app: its own views, its "
      + "allocator and its disk are not in them."
  }

  private static func mebibytes(_ bytes: Int) -> String {
    let value = Double(bytes) / 1_048_576
    return Numerals.grouped(value, decimals: value < 9.95 ? 1 : 0)
  }

  private static let columns: [Column<GalleryOutcome>] = [
    Column("policy", title: "Policy", alignment: .leading) { .text($0.policy.keeping.rawValue) },
    Column("decodes_at_once", title: "Decodes at once", alignment: .leading) {
      .text($0.policy.isBounded ? "bounded" : "unbounded")
    },
    Column("cpu_s", title: "CPU", unit: "s") { Cell(number: $0.cpuSeconds, decimals: 2) },
    Column("decodes", title: "Decodes") { .integer($0.decodes) },
    Column("peak_mib", title: "Memory, at most", unit: "MiB") {
      Cell(number: Double($0.peakBytes) / 1_048_576, decimals: 1)
    },
    Column("held_mib", title: "Held, at most", unit: "MiB") {
      Cell(number: Double($0.heldBytes) / 1_048_576, decimals: 1)
    },
    Column("cache_lookups", title: "Cache asked") { .integer($0.lookups) },
    Column("cache_hits", title: "Cache hits") { .integer($0.hits) },
    Column("appearances", title: "Cells that came into view") { .integer($0.waits.count) },
    Column("wait_median_ms", title: "Wait, median", unit: "ms") { wait($0, 0.5) },
    Column("wait_95_ms", title: "Wait, 95 %", unit: "ms") { wait($0, 0.95) },
    Column("never_shown", title: "Left without a picture") { .integer($0.unshown) },
  ]

  private static func waits(_ outcome: GalleryOutcome) -> String {
    func milliseconds(_ share: Double) -> String? {
      outcome.wait(share: share).flatMap {
        $0.isFinite ? "\(Numerals.fixed($0 * 1000, decimals: 0)) ms" : nil
      }
    }
    guard let half = milliseconds(0.5) else { return "not half of the cells ever show their picture" }
    let most = milliseconds(0.95).map { ", 95 % within \($0)" } ?? ""
    return "half of the cells show their picture within \(half)\(most)"
  }

  /// Empty if the cells at this share never showed a picture.
  private static func wait(_ outcome: GalleryOutcome, _ share: Double) -> Cell {
    let seconds = outcome.wait(share: share)
    return Cell(number: seconds.flatMap { $0.isFinite ? $0 * 1000 : nil }, decimals: 0)
  }

  private var memoryChart: String? {
    chart(.galleryMemory, "Memory in use (MiB, logarithmic)", .logarithmic) { Double($0.bytes) / 1_048_576 }
  }

  private var blankChart: String? {
    chart(.galleryBlank, "Cells in view without a picture", .linear) { Double($0.blankCells) }
  }

  private func chart(
    _ kind: ChartKind, _ title: String, _ spacing: ChartScale.Spacing,
    value: (GalleryOutcome.Moment) -> Double
  ) -> String? {
    let moments = outcomes.flatMap(\.moments)
    guard let x = ChartScale(.linear, moments.map(\.time)), let y = ChartScale(spacing, moments.map(value))
    else {
      return nil
    }
    let frame = ChartFrame(
      kind: kind, title: kind.title, x: .init(scale: x, title: "Time of the scroll (s)"),
      y: .init(scale: y, title: title),
      series: outcomes.enumerated().map { .init(index: $0.offset, name: $0.element.policy.name) })
    let ends = outcomes.map { outcome in
      "\(outcome.policy.name): at most \(Numerals.short((outcome.moments.map(value).max() ?? 0).rounded()))"
    }
    return frame.drawing(description: ends.joined(separator: "; ") + ".") { canvas in
      for (index, outcome) in outcomes.enumerated() {
        let line = Self.thinned(outcome.moments, value).map { frame.position($0.time, $0.value) }
        canvas.polyline(line, class: ChartStyle.lineClass(index))
      }
    }
  }

  /// The highest values of some 300 stretches, because a drawing has no room for each tick.
  private static func thinned(
    _ moments: [GalleryOutcome.Moment], _ value: (GalleryOutcome.Moment) -> Double
  ) -> [(time: Double, value: Double)] {
    let stretch = max(1, moments.count / 300)
    return stride(from: 0, to: moments.count, by: stretch).map { start in
      let part = moments[start..<min(start + stretch, moments.count)]
      // Zero has no place on a logarithmic axis.
      return (part.first?.time ?? 0, max(part.map(value).max() ?? 0, 1e-3))
    }
  }
}
