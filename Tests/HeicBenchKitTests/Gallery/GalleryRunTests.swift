import Model
import Testing

@testable import Analysis
@testable import HeicBenchKit

struct GalleryRunTests {
  private static let mebibyte = 1 << 20

  /// Files that take 40 ms to decode completely and 4 ms by their thumbnails.
  private func files(_ count: Int) -> [GalleryFile] {
    (0..<count).map { index in
      GalleryFile(
        name: "\(index)", full: .init(seconds: 0.04, peakBytes: 10 * Self.mebibyte),
        reduction: .init(seconds: 0.01, peakBytes: 100), cheapest: .init(seconds: 0.004, peakBytes: 1000),
        route: .thumbnail, pictureBytes: 8 * Self.mebibyte, cellBytes: 1000)
    }
  }

  private func scroll(cache: Int = 1 << 30, cores: Int = 2) -> GalleryScroll {
    GalleryScroll(columns: 2, visibleRows: 3, cacheBytes: cache, cores: cores)
  }

  private func play(
    _ count: Int, _ scroll: GalleryScroll, _ keeping: GalleryPolicy.Keeping, isBounded: Bool = true
  ) -> GalleryOutcome {
    GalleryRun.play(files(count), scroll, GalleryPolicy(keeping: keeping, isBounded: isBounded))
  }

  @Test func aSingleScreenIsDecodedOnce() {
    // All six cells are in view from the start. Two run at a time, so they wait 40, 40, 80, 80, 120 and 120 ms.
    let outcome = play(6, scroll(), .nothing)
    #expect(outcome.decodes == 6 && abs(outcome.cpuSeconds - 0.24) < 1e-9)
    let waits = outcome.waits.sorted().map { ($0 * 1000).rounded() }
    #expect(waits == [40, 40, 80, 80, 120, 120])
    #expect(outcome.wait(share: 0.5) == outcome.waits.sorted()[2])
    // Two decodes run after four cells are finished.
    #expect(outcome.peakBytes == 2 * 10 * Self.mebibyte + 4 * 1000 && outcome.lookups == 0)
  }

  @Test func withoutABoundAllSlowEachOtherDown() {
    let outcome = play(6, scroll(), .nothing, isBounded: false)
    // Six decodes share two cores, so each takes three times as long.
    #expect(outcome.waits.allSatisfy { abs($0 - 0.12) < 1e-9 })
    #expect(outcome.peakBytes == 6 * 10 * Self.mebibyte && abs(outcome.cpuSeconds - 0.24) < 1e-9)
  }

  @Test func whatIsKeptIsNotMadeAgain() {
    let thumbnails = play(60, scroll(), .thumbnails)
    // Every file is decoded once on the way down, and comes from the cache on the way up.
    #expect(thumbnails.decodes == 60 && abs(thumbnails.cpuSeconds - 0.24) < 1e-9)
    #expect(thumbnails.hits == thumbnails.lookups - 60 && thumbnails.hits > 40)
    #expect(thumbnails.heldBytes == 60 * 1000)
    let pictures = play(60, scroll(), .pictures)
    #expect(pictures.decodes == 60 && pictures.hits == thumbnails.hits)
    #expect(abs(pictures.cpuSeconds - 60 * 0.04 - Double(pictures.hits) * 0.01) < 1e-9)
    #expect(pictures.heldBytes >= 60 * 8 * Self.mebibyte)
    let nothing = play(60, scroll(), .nothing)
    #expect(nothing.decodes > 100 && nothing.cpuSeconds > pictures.cpuSeconds)
    #expect(nothing.heldBytes <= 12 * 1000)
  }

  @Test func cachesKeepTheirLimit() {
    // The cache has room for three of sixty pictures, so a picture that comes back into view is no longer there.
    let small = play(60, scroll(cache: 3 * 8 * Self.mebibyte), .pictures)
    #expect(small.heldBytes <= 3 * 8 * Self.mebibyte + 12 * 1000 && small.hits < 10)
    #expect(play(60, scroll(cache: Self.mebibyte), .pictures).hits == 0)
    #expect(play(60, scroll(cache: 0), .thumbnails).hits == 0)
  }

  @Test func everyAppearanceIsCountedAndEveryScrollIsTheSame() {
    let slow = scroll(cores: 1)
    let outcomes = GalleryPolicy.all.map { GalleryRun.play(files(101), slow, $0) }
    // The scroll is always the same, so the same number of cells comes into view.
    #expect(Set(outcomes.map(\.waits.count)).count == 1)
    #expect(outcomes.allSatisfy { $0.waits.count > 101 })
    #expect(outcomes == GalleryPolicy.all.map { GalleryRun.play(files(101), slow, $0) })
    #expect(outcomes.allSatisfy { $0.waits.allSatisfy { $0 >= 0 } && $0.peakBytes >= $0.heldBytes })
    // Thumbnails cost a tenth and are made once.
    #expect(outcomes[1].cpuSeconds > outcomes[5].cpuSeconds * 10 && outcomes[5].decodes == 101)
    #expect(!outcomes[5].waits.contains(.infinity))
  }

  @Test func oddGalleriesEnd() {
    #expect(play(0, scroll(), .nothing).waits.isEmpty && play(0, scroll(), .nothing).wait(share: 0.5) == nil)
    #expect(play(1, scroll(), .thumbnails).waits.count == 1)
    let wide = GalleryScroll(columns: 100, visibleRows: 1, cacheBytes: 0, cores: 1)
    #expect(
      GalleryRun.play(files(7), wide, GalleryPolicy(keeping: .pictures, isBounded: false)).waits.count == 7)
  }

  /// With 20 rows, rounding once left the way up a fraction of a row short of the top. With 65 it went past the top, and
  /// the scroll never ended.
  @Test func scrollsStopExactlyAtTheirEnds() throws {
    let scroll = GalleryScroll(columns: 3, visibleRows: 4, cacheBytes: 0, cores: 1)
    for rows in [20, 65] {
      let path = scroll.path(rows: rows)
      let isShort = path.contains { $0.top != 0 && abs($0.top) < 1e-6 }
      try #require(!isShort)
      #expect(path.last?.top == 0 && path.map { $0.top }.max() == Double(rows - 4))
      #expect(path.allSatisfy { (0...Double(rows - 4)).contains($0.top) })
    }
  }

  @Test func filesAreWhatTheirReadsSay() throws {
    func row(_ image: String, _ route: ReadRoute, cpu: Double, score: Double) -> CaseRecord {
      var figures = Figures(format: "heic", fileBytes: 1, width: 4000, height: 3000, touchedBytes: 1)
      (figures[.decodedWidth], figures[.decodedHeight]) = (4000, 3000)
      (figures[.deliveredWidth], figures[.deliveredHeight]) = (320, 240)
      figures.timing.decode = [TimingSample(wallNanoseconds: 1, cpuNanoseconds: Int64(cpu * 1e6))]
      figures[.reductionCPU] = route == .full ? 20_000_000 : 0
      (figures[.plain], figures.figures[.decodePeak]) = (score, 70 << 20)
      return CaseRecord(
        key: Case(
          image: ImageIdentity(name: image, contentHash: image), encoding: nil, route: route,
          wanted: .side(320)), outcome: .measured(figures))
    }
    let rows = [
      row("a", .full, cpu: 400, score: 100), row("a", .thumbnail, cpu: 5, score: 72),
      row("b", .full, cpu: 400, score: 100), row("b", .thumbnail, cpu: 5, score: 50),
      row("c", .thumbnail, cpu: 5, score: 90),
    ]
    let files = GalleryFile.all(rows, side: 320, honest: 70)
    #expect(files.map(\.name) == ["a", "b"] && files.map(\.route) == [.thumbnail, .full])
    let first = try #require(files.first)
    #expect(abs(first.full.seconds - 0.42) < 1e-9 && abs(first.cheapest.seconds - 0.005) < 1e-9)
    #expect(first.pictureBytes == 48_000_000 && first.cellBytes == 320 * 240 * 4)
  }
}
