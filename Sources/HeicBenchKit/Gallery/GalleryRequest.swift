import Reports
import Store
import Workers

/// Measures the cost of scrolling through a folder of pictures: simulates decoding and caching policies over the same
/// scroll, from the measured cost of each file's decode. Writes `gallery.html`, `gallery.md`, `gallery.json` and
/// `gallery.csv`.
package struct GalleryRequest: Request {
  /// The reads behind the scroll: files, timing and results folder. Its sizes and codecs are ignored.
  package var reads: DecodeCostRequest
  /// Longest side of a cell's picture, pixels.
  package var cell = 320
  /// Cells per row, and rows in view.
  package var grid = PixelSize(width: 3, height: 4)
  /// The limit of a cache in bytes of decoded pixels, columns × rows × 4.
  package var cacheBytes = 64 << 20

  package init(_ reads: DecodeCostRequest) { self.reads = reads }

  /// Makes the missing reads, simulates the scroll and writes the results. The outcome's text is a table of each
  /// policy's cost; empty if the reads were interrupted.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> CostOutcome {
    try HeicBenchError.mapping {
      try Limits.cell.check(cell)
      for side in [grid.width, grid.height] { try Limits.gridSide.check(side) }
      try Limits.cache.check(cacheBytes)
      var reads = reads
      (reads.sizes, reads.codecs, reads.builds) = ([.side(cell)], [], [])
      reads.page.images = 0
      let folder = try OutputFolder.results(at: reads.output, refusing: Self.files.refuseObstacles)
      var outcome = try reads.run(cancellation: cancellation, events: events)
      outcome.report = outcome.wasInterrupted ? nil : try play(outcome.pictures, folder)
      return outcome
    }
  }

  private func play(_ pictures: Set<String>, _ folder: OwnedFolder) throws -> FeatureReport {
    let reads = try ResultStore(reading: reads.output).reads().filter {
      pictures.contains($0.key.image.name)
    }
    let files = GalleryFile.all(reads, side: cell, honest: self.reads.score)
    guard !files.isEmpty else { throw ImageInput.nothing(to: "show", PassedOver()) }
    let scroll = GalleryScroll(
      columns: grid.width, visibleRows: grid.height, cacheBytes: cacheBytes, cores: MachineCores.count)
    let played = GalleryPolicy.all.map { GalleryRun.play(files, scroll, $0) }
    let leftOut = pictures.subtracting(files.map(\.name)).sorted()
    let report = report(files, scroll, played, leftOut: leftOut)
    try report.write(to: folder, version: HeicBench.version)
    return report
  }

  private static let files = FeatureFiles(table: "gallery.csv", named: "gallery")

  private func report(
    _ files: [GalleryFile], _ scroll: GalleryScroll, _ played: [GalleryOutcome], leftOut: [String]
  ) -> FeatureReport {
    let routes = Dictionary(grouping: files, by: \.route).sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value.count) by \($0.key.rawValue)" }.joined(separator: ", ")
    let introduction =
      "\(Numerals.counted(files.count, "file")) in cells of \(cell) pixels, \(scroll.columns) to a row, "
      + "\(scroll.visibleRows) rows in view, \(GalleryScroll.rowsAhead) fetched ahead; a scroll down and up again in "
      + "flings with pauses, the same for every policy. Decodes take the CPU time and memory measured for each "
      + "file, and share \(Numerals.counted(scroll.cores, "core")) evenly when more of them run at once; caches "
      + "hold \(scroll.cacheBytes >> 20) MiB, counted as columns × rows × 4. Thumbnails come from the cheapest "
      + "good route: \(routes). The figures are simulated from measurements, without a running app's views, allocator "
      + "and disk."
    var blocks: [ReportBlock] = [
      .paragraph(introduction), .table(ReportTable("Policies", Self.columns, played)),
    ]
    if !leftOut.isEmpty {
      blocks += [
        .paragraph("Left out because they could not be decoded:"),
        .list(leftOut.map { "“\($0)”" }),
      ]
    }
    var report = FeatureReport(
      Self.files, title: "Scrolling through a gallery", anchor: "gallery", answer: answer(played),
      blocks: blocks,
      table: StreamedTable(Self.columns, played))
    let counts: Set = ["decodes", "cache_lookups", "cache_hits", "appearances"]
    report.brief = [
      .table(ReportTable("Policies", Self.columns.filter { !counts.contains($0.name) }, played))
    ]
    return report
  }

  /// `A cell of 320 pixels waits 800 ms for its picture (median) with cached thumbnails (108 MiB at most), and waits
  /// 2,100 ms with the full picture decoded each time (143 MiB) …` It compares the policies that an app should choose
  /// between, both with bounded decodes: thumbnails, and full pictures decoded for every cell.
  private func answer(_ played: [GalleryOutcome]) -> String {
    func outcome(_ keeping: GalleryPolicy.Keeping) -> GalleryOutcome? {
      played.first { $0.policy.isBounded && $0.policy.keeping == keeping }
    }
    guard let best = outcome(.thumbnails), let plain = outcome(.nothing) else { return "Nothing was shown." }
    func wait(_ outcome: GalleryOutcome) -> String {
      guard let wait = outcome.wait(share: 0.5), wait.isFinite else { return "scrolls away waiting" }
      return "waits \(Numerals.grouped(wait * 1000, decimals: 0)) ms"
    }
    func memory(_ outcome: GalleryOutcome) -> String {
      Numerals.fixed(Double(outcome.peakBytes) / 1_048_576, decimals: 0)
    }
    return "A cell of \(cell) pixels \(wait(best)) for its picture (median) with cached thumbnails "
      + "(\(memory(best)) MiB at most), and \(wait(plain)) with the full picture decoded each time "
      + "(\(memory(plain)) MiB), with as many decodes at once as cores; "
      + "\(Numerals.counted(best.waits.count, "cell")) came into view."
  }

  private static let columns: [Column<GalleryOutcome>] = [
    .text("policy", "Policy") { $0.policy.keeping.rawValue },
    .text("decodes_at_once", "Decodes at once") { $0.policy.isBounded ? "bounded" : "unbounded" },
    .number("cpu_s", "CPU", unit: "s", decimals: 2) { $0.cpuSeconds },
    .count("decodes", "Decodes") { $0.decodes },
    .number("peak_mib", "Memory, at most", unit: "MiB", decimals: 1) { Double($0.peakBytes) / 1_048_576 },
    .number("held_mib", "Held, at most", unit: "MiB", decimals: 1) { Double($0.heldBytes) / 1_048_576 },
    .count("cache_lookups", "Cache lookups") { $0.lookups }, .count("cache_hits", "Cache hits") { $0.hits },
    .count("appearances", "Cells that came into view") { $0.waits.count },
    // Empty if the cells at this share never showed a picture.
    wait("wait_median_ms", "Wait, median", share: 0.5), wait("wait_95_ms", "Wait, 95 %", share: 0.95),
    .count("never_shown", "Left without a picture") { $0.waits.count { $0 == .infinity } },
  ]
  private static func wait(_ name: String, _ title: String, share: Double) -> Column<GalleryOutcome> {
    .number(name, title, unit: "ms", decimals: 0) {
      $0.wait(share: share).flatMap { $0.isFinite ? $0 * 1000 : nil }
    }
  }
}
