internal import Curves
internal import Foundation
internal import Model

/// Bytes, times and memory of all variants at one target, image by image.
struct ParetoAccumulator: Sendable {
  private struct Cell: Sendable {
    var logBitsPerPixel: Double
    var milliseconds: OperationTable<Double>
    var peakMiB: Double?
  }

  private struct Row: Sendable {
    var pixels: Int
    var cells: [Cell?]
  }

  private let target: Double
  private var rows: [Row] = []

  init(target: Double) { self.target = target }

  /// Adds an image with the curves of the variants, nil where there is none, and the peak memory of each, MiB.
  mutating func add(_ curves: [RateQualityCurve?], peaksMiB: [Double?], pixels: Int, at score: Double) {
    guard pixels > 0 else { return }
    let cells = zip(curves, peaksMiB).map { curve, peak in
      curve?.bytes(at: score).map {
        Cell(
          logBitsPerPixel: log($0 * 8 / Double(pixels)),
          milliseconds: OperationTable { curve?.cpu($0, at: score) }, peakMiB: peak)
      }
    }
    if cells.contains(where: { $0 != nil }) { rows.append(Row(pixels: pixels, cells: cells)) }
  }

  /// The front over the images where all variants that are not left out reach the target.
  func front(_ variants: [CodecVariant], metric: String) -> ParetoFront {
    let reached = variants.indices.map { index in rows.count { cell($0, index) != nil } }
    let most = reached.max() ?? 0
    let included = variants.indices.filter { most > 0 && reached[$0] * 2 >= most }
    let common = rows.filter { row in included.allSatisfy { cell(row, $0) != nil } }
    let entries = common.isEmpty ? [] : included.map { entry(variants[$0], $0, common) }
    return ParetoFront(
      metric: metric, target: target, images: common.count, entries: Self.markingDominated(entries),
      leftOut: variants.indices.filter { !included.contains($0) }.map { variants[$0] })
  }

  private func cell(_ row: Row, _ variant: Int) -> Cell? {
    variant < row.cells.count ? row.cells[variant] : nil
  }

  private func entry(_ variant: CodecVariant, _ index: Int, _ rows: [Row]) -> ParetoFront.Entry {
    let cells = rows.compactMap { cell($0, index) }
    let mean = cells.reduce(0) { $0 + $1.logBitsPerPixel } / Double(cells.count)
    let pixels = rows.reduce(0.0) { $0 + Double($1.pixels) }
    func perMegapixel(_ times: [Double?]) -> Double? {
      let known = times.compactMap(\.self)
      return known.count == rows.count ? known.reduce(0, +) / pixels * 1e6 : nil
    }
    let peaks = cells.compactMap(\.peakMiB)
    return ParetoFront.Entry(
      variant: variant, bitsPerPixel: exp(mean),
      millisecondsPerMegapixel: OperationTable { operation in
        perMegapixel(cells.map { $0.milliseconds[operation] })
      },
      peakMiB: peaks.count == rows.count ? peaks.max() : nil)
  }

  private static func markingDominated(_ entries: [ParetoFront.Entry]) -> [ParetoFront.Entry] {
    entries.map { entry in
      var entry = entry
      entry.dominatedBy = entries.first { dominates($0, entry) }?.variant
      return entry
    }
  }

  private static func dominates(_ a: ParetoFront.Entry, _ b: ParetoFront.Entry) -> Bool {
    guard let fast = a.millisecondsPerMegapixel[.encode], let slow = b.millisecondsPerMegapixel[.encode]
    else { return false }
    return a.bitsPerPixel <= b.bitsPerPixel && fast <= slow
      && (a.bitsPerPixel < b.bitsPerPixel || fast < slow)
  }
}
