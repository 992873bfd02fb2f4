import Analysis
import Model
import Reports
import Store
import Workers

/// The cost of scrolling through a folder of pictures: policies of decoding and caching, simulated over the same scroll
/// from the measured cost of each file's decode. Writes `gallery.md` and `gallery.csv`.
package struct GalleryRequest: Request {
  /// The reads behind the scroll: files, timing and results folder. Its sizes, region and codecs are ignored.
  package var reads: DecodeCostRequest
  /// Longest side of a cell's picture, pixels.
  package var cell = 320
  /// Cells per row, and rows in view.
  package var grid = PixelSize(width: 3, height: 4)
  /// Limit of a cache: bytes of decoded pixels, columns × rows × 4.
  package var cacheBytes = 64 << 20

  package init(_ reads: DecodeCostRequest) { self.reads = reads }

  /// Makes the missing reads, simulates the scroll and writes the results.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> GalleryOutcomes {
    try HeicBenchError.mapping {
      try check()
      var reads = reads
      (reads.sizes, reads.region) = ([.side(cell)], nil)
      (reads.codecs, reads.builds) = ([], [])
      reads.page.images = 0
      let folder = try OutputFolder.results(at: reads.output, refusing: GalleryReport.refuseObstacles)
      let outcome = try reads.run(cancellation: cancellation, events: events)
      guard !outcome.wasInterrupted else { return GalleryOutcomes(reads: outcome, text: "") }
      return GalleryOutcomes(reads: outcome, text: try play(outcome, reads, folder))
    }
  }

  private func play(
    _ outcome: CostOutcome, _ reads: DecodeCostRequest, _ folder: OwnedFolder
  ) throws -> String {
    let asked = outcome.pictures
    let rows = try ResultStore(reading: reads.output).reads().map(ReadRow.init)
      .filter { asked.contains($0.record.key.image.name) }
    let files = GalleryFile.all(rows, side: cell, honest: reads.score)
    guard !files.isEmpty else { throw ImageInput.nothing(to: "show") }
    let scroll = GalleryScroll(
      columns: grid.width, visibleRows: grid.height, cacheBytes: cacheBytes, cores: MachineCores.count)
    let report = GalleryReport(
      files: files, outcomes: GalleryPolicy.all.map { GalleryRun.play(files, scroll, $0) }, scroll: scroll,
      side: cell, leftOut: asked.subtracting(files.map(\.name)).sorted())
    try report.write(to: folder)
    try folder.tidy()
    return report.text
  }

  private func check() throws(HeicBenchError) {
    try Limits.cell.check(cell)
    for side in [grid.width, grid.height] { try Limits.gridSide.check(side) }
    try Limits.cache.check(cacheBytes)
  }
}

package struct GalleryOutcomes: Sendable {
  package let reads: CostOutcome
  /// The cost of each policy as a table; empty if the reads were interrupted.
  package let text: String
}
