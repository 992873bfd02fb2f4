import Analysis
import Model
import Reports
import Store

/// The report on policies for showing a folder: gallery.md and gallery.csv.
struct GalleryReport {
  private static let (csvName, markdownName) = ("gallery.csv", "gallery.md")

  let files: [GalleryFile]
  let outcomes: [GalleryOutcome]
  let scroll: GalleryScroll
  /// Longest side of a cell's picture, pixels.
  let side: Int
  /// Names of files that could not be decoded.
  let leftOut: [String]

  /// Throws if something foreign occupies the name of a file to be written.
  static func refuseObstacles(in files: OwnedFolder) throws(OutputError) {
    try files.refuseObstacles(among: [csvName, markdownName])
  }

  func write(to files: OwnedFolder) throws(OutputError) {
    try files.write(CSVWriter(Self.columns).text(outcomes), to: Self.csvName)
    try files.write(markdown, to: Self.markdownName)
  }

  var text: String {
    let counts: Set = ["decodes", "cache_lookups", "cache_hits", "appearances"]
    return TextTableWriter(Self.columns.filter { !counts.contains($0.name) }).table(outcomes)
  }

  private var markdown: String {
    var document = MarkdownDocument()
    document.heading(1, "A gallery, scrolled through")
    document.paragraph(MarkdownText.escaped(introduction))
    document.table(Self.columns, outcomes)
    if !leftOut.isEmpty {
      document.paragraph("Left out, since they could not be decoded:")
      document.list(leftOut.map { MarkdownText.code($0) })
    }
    return document.text
  }

  private var introduction: String {
    let routes = Dictionary(grouping: files, by: \.route).sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value.count) by \($0.key.rawValue)" }.joined(separator: ", ")
    return
      "\(Numerals.counted(files.count, "file")) in cells of \(side) pixels, \(scroll.columns) beside each other and "
      + "\(scroll.visibleRows) rows in view, \(GalleryScroll.rowsAhead) fetched ahead; a scroll down and up again in "
      + "flings with pauses, the same for every policy. Decodes take the CPU time and memory that were measured of each "
      + "file by itself, and share \(Numerals.counted(scroll.cores, "core")) evenly where more of them run; caches hold "
      + "\(scroll.cacheBytes >> 20) MiB, counted as columns × rows × 4. Thumbnails are made by the cheapest honest way: "
      + "\(routes). The figures are played from measurements, not taken from a running app: its own views, its "
      + "allocator and its disk are not in them."
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
    Column("never_shown", title: "Left without a picture") { .integer($0.waits.count { $0 == .infinity }) },
  ]

  /// Empty if the cells at this share never showed a picture.
  private static func wait(_ outcome: GalleryOutcome, _ share: Double) -> Cell {
    let seconds = outcome.wait(share: share)
    return Cell(number: seconds.flatMap { $0.isFinite ? $0 * 1000 : nil }, decimals: 0)
  }
}
