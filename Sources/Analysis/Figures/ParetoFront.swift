import Foundation
package import Model

/// Variants worth considering at one score: those that no other variant beats in both bytes and encode CPU time.
package struct ParetoFront: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package var variant: CodecVariant
    package var bitsPerPixel: Double
    package var millisecondsPerMegapixel: OperationTable<Double>
    /// The largest peak memory of any encode or decode of these images at any quality; nil if an image has none.
    package var peakMiB: Double?
    /// A variant that is at least as good in both and better in one of them; nil for a member of the front.
    package var dominatedBy: CodecVariant?
  }

  package var metric: String
  package var target: Double
  /// The number of images behind all entries: those where every entry reaches the target.
  package var images: Int
  package var entries: [Entry]
  /// Variants left out because they reach the target for fewer than half as many images as the others.
  package var leftOut: [CodecVariant]
}

/// Bytes, times and memory of all variants at one target.
///
/// The front's variants, those that reach the target for enough images, are known only at the end. The front covers the
/// images at which all of them reach it, so sums are kept by set of variants that reach the target; there are few such
/// sets.
struct ParetoAccumulator: Sendable {
  private struct Cell: Sendable {
    var logBitsPerPixel = 0.0
    var milliseconds = OperationTable<Known>()
    var peakMiB: Known = (0, 0)

    mutating func add(_ other: Cell) {
      logBitsPerPixel += other.logBitsPerPixel
      for operation in TimedOperation.allCases {
        guard let more = other.milliseconds[operation] else { continue }
        milliseconds[operation, default: (0, 0)].value += more.value
        milliseconds[operation]?.images += more.images
      }
      peakMiB.value = max(peakMiB.value, other.peakMiB.value)
      peakMiB.images += other.peakMiB.images
    }
  }

  /// A sum or maximum (0 without values), and the number of images with a value.
  private typealias Known = (value: Double, images: Int)

  private struct Group: Sendable {
    var variants: [Int]
    var images = 0
    var pixels = 0.0
    var cells: [Cell]
  }

  private let target: Double
  /// In order of first appearance, so that sums are reproducible.
  private var groups: [Group] = []
  private var groupOfVariants: [[Int]: Int] = [:]

  init(target: Double) { self.target = target }

  mutating func add(_ curves: [RateQualityCurve?], peaksMiB: [Double?], pixels: Int, at score: Double) {
    guard pixels > 0 else { return }
    let reached = curves.indices.compactMap { index in
      curves[index]?.bytes(at: score).map { (variant: index, bytes: $0) }
    }
    guard !reached.isEmpty else { return }
    let index = group(of: reached.map(\.variant))
    groups[index].images += 1
    groups[index].pixels += Double(pixels)
    for (place, (variant, bytes)) in reached.enumerated() {
      var cell = Cell(logBitsPerPixel: log(bytes * 8 / Double(pixels)))
      cell.milliseconds = OperationTable { operation in
        curves[variant]?.cpu(operation, at: score).map { ($0, 1) }
      }
      if let peak = peaksMiB[variant] { cell.peakMiB = (peak, 1) }
      groups[index].cells[place].add(cell)
    }
  }

  private mutating func group(of variants: [Int]) -> Int {
    if let known = groupOfVariants[variants] { return known }
    groupOfVariants[variants] = groups.count
    groups.append(Group(variants: variants, cells: variants.map { _ in Cell() }))
    return groups.count - 1
  }

  func front(_ variants: [CodecVariant], metric: String) -> ParetoFront {
    let reached = variants.indices.map { index in
      groups.reduce(0) { $0 + ($1.variants.contains(index) ? $1.images : 0) }
    }
    let most = reached.max() ?? 0
    let included = variants.indices.filter { most > 0 && reached[$0] * 2 >= most }
    let common = groups.filter { group in included.allSatisfy(group.variants.contains) }
    let images = common.reduce(0) { $0 + $1.images }
    var entries = images == 0 ? [] : included.map { Self.entry(variants[$0], $0, common, images: images) }
    for index in entries.indices {
      entries[index].dominatedBy = entries.first { Self.dominates($0, entries[index]) }?.variant
    }
    return ParetoFront(
      metric: metric, target: target, images: images, entries: entries,
      leftOut: variants.indices.filter { !included.contains($0) }.map { variants[$0] })
  }

  private static func entry(
    _ variant: CodecVariant, _ index: Int, _ groups: [Group], images: Int
  ) -> ParetoFront.Entry {
    var sum = Cell()
    for group in groups {
      if let place = group.variants.firstIndex(of: index) { sum.add(group.cells[place]) }
    }
    let pixels = groups.reduce(0.0) { $0 + $1.pixels }
    return ParetoFront.Entry(
      variant: variant, bitsPerPixel: exp(sum.logBitsPerPixel / Double(images)),
      millisecondsPerMegapixel: sum.milliseconds.compactMapValues {
        $0.images == images ? $0.value / pixels * 1e6 : nil
      },
      peakMiB: sum.peakMiB.images == images ? sum.peakMiB.value : nil)
  }

  private static func dominates(_ a: ParetoFront.Entry, _ b: ParetoFront.Entry) -> Bool {
    guard let fast = a.millisecondsPerMegapixel[.encode], let slow = b.millisecondsPerMegapixel[.encode]
    else { return false }
    return a.bitsPerPixel <= b.bitsPerPixel && fast <= slow
      && (a.bitsPerPixel < b.bitsPerPixel || fast < slow)
  }
}
