import Analysis
import Model
import Reports
import Store
import Workers

/// What it costs to scroll through a folder of pictures: policies of decoding and keeping them, played over the same
/// scroll from what each file's decode was measured to take. Writes `gallery.md`, `gallery.csv` and charts.
package struct GalleryRequest: Sendable {
  /// The reads that the scroll is played from: which files, how they are timed, and where results go. Its sizes,
  /// region and codecs are not asked for.
  package var reads: DecodeCostRequest
  /// The longest side of a cell's picture, pixels.
  package var cell = 320
  /// Cells beside each other, and rows of them in view.
  package var grid = PixelSize(width: 3, height: 4)
  /// The limit of a cache: bytes of decoded pixels, columns × rows × 4.
  package var cacheBytes = 64 << 20

  /// Scrolls through the files of some reads.
  package init(_ reads: DecodeCostRequest) { self.reads = reads }

  /// Reads what is missing, plays the scroll, and writes the results. Blocks the calling thread.
  /// - Throws: as `DecodeCostRequest.run` does.
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
      guard !outcome.wasInterrupted else { return GalleryOutcomes(reads: outcome, sentences: []) }
      return GalleryOutcomes(reads: outcome, sentences: try play(outcome, reads, folder))
    }
  }

  private func play(
    _ outcome: CostOutcome, _ reads: DecodeCostRequest, _ folder: OwnedFolder
  ) throws -> [String] {
    let asked = outcome.pictures
    let rows = try ResultStore(reading: reads.output).reads().map(ReadRow.init)
      .filter { asked.contains($0.record.key.image.name) }
    let files = GalleryFile.all(rows, side: cell, honest: reads.score)
    guard !files.isEmpty else { throw ImageInput.nothing(to: "show") }
    let scroll = GalleryScroll(
      columns: grid.width, visibleRows: grid.height, cacheBytes: cacheBytes, cores: MachineCores.count)
    let shown = Set(files.map(\.name))
    let report = GalleryReport(
      files, GalleryPolicy.all.map { GalleryRun.play(files, scroll, $0) }, scroll, side: cell,
      leftOut: asked.subtracting(shown).sorted())
    try report.write(to: folder)
    try folder.tidy()
    return report.sentences
  }

  private func check() throws {
    let problem: String? =
      if !(1...4096).contains(cell) {
        "cells have 1 to 4096 pixels, not \(cell)"
      } else if !(1...100).contains(grid.width) || !(1...100).contains(grid.height) {
        "a gallery has 1 to 100 columns and rows in view, not \(grid)"
      } else if !(0...(1 << 50)).contains(cacheBytes) {
        "a cache holds 0 bytes or more"
      } else {
        nil
      }
    if let problem { throw HeicBenchError(.usage, problem) }
  }
}

/// What scrolling costs under each policy.
package struct GalleryOutcomes: Sendable {
  /// The reads behind it.
  package let reads: CostOutcome
  /// What each policy costs, a sentence each; none where the reads were interrupted.
  package let sentences: [String]
}
