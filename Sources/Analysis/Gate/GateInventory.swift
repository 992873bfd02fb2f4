package import Model
import Store

package struct GateInventory: Sendable {
  /// An image that differs from the baseline's with the same name, with the first digits of both digests, or both
  /// sizes.
  package struct Replacement: Sendable {
    package var image: String
    package var isResized: Bool
    package var before: String
    package var after: String
  }

  /// Points missing from the run, by the baseline's variant, with the first image among them and its way.
  private(set) var losses: [Int: (points: Int, first: String)] = [:]
  package private(set) var goneImages = NameList()
  package internal(set) var newImages = NameList()
  package private(set) var goneImagePoints = 0
  /// Images found only in the baseline that may be in a shard missing from the run.
  var imagesElsewhere = NameList()
  /// Images with the same bytes under another name, as `old → new`.
  package internal(set) var renamedImages = NameList()
  /// Unusable images; then those that were unusable before, and usable images that were unusable before.
  package internal(set) var unusableImages = NameList()
  package internal(set) var stillUnusable = NameList()
  package internal(set) var mendedImages = NameList()
  package private(set) var changedImages = NameList()
  package private(set) var replacements: [Replacement] = []
  /// Points found only in the run, and points that failed only in the baseline.
  package internal(set) var appeared = 0
  package internal(set) var mended = 0
  /// Points without a value that the other side has, and the first image among them.
  private(set) var missing: [GateQuantity: (points: Int, image: String)] = [:]
  private var baselineQualities: Set<Quality> = []
  private var runQualities: Set<Quality> = []

  package var lostPoints: Int { losses.values.reduce(0) { $0 + $1.points } }
  package var missingValues: Int { missing.values.reduce(0) { $0 + $1.points } }
  /// Unusable images that were usable in the baseline, or are new.
  package var newlyUnusable: Int { unusableImages.count - stillUnusable.count }

  mutating func see(_ before: GateImage?, _ after: GateImage?) {
    baselineQualities.formUnion(before?.points.filter { !$0.isRefined }.compactMap(\.place.quality) ?? [])
    runQualities.formUnion(after?.points.filter { !$0.isRefined }.compactMap(\.place.quality) ?? [])
  }

  mutating func lose(_ point: GatePoint, of image: String) {
    let first = point.place.way.map { "\(image), \($0)" } ?? image
    losses[point.variant, default: (0, first)].points += 1
  }

  mutating func lose(_ image: GateImage, named name: String) {
    see(image, nil)
    goneImages.add(name)
    for point in image.points where point.status == .measured && !point.isRefined {
      goneImagePoints += 1
      lose(point, of: name)
    }
  }

  mutating func replace(_ replacement: Replacement) {
    changedImages.add(replacement.image)
    if replacements.count < 3 { replacements.append(replacement) }
  }

  mutating func miss(_ quantity: GateQuantity, image: String) {
    missing[quantity, default: (0, image)].points += 1
  }

  /// Qualities found nowhere in the run; none if it has no quality at all, since then nothing was swept.
  package var goneQualities: [Quality] {
    runQualities.isEmpty ? [] : baselineQualities.subtracting(runQualities).sorted()
  }

  package var newQualities: [Quality] {
    baselineQualities.isEmpty ? [] : runQualities.subtracting(baselineQualities).sorted()
  }
}
