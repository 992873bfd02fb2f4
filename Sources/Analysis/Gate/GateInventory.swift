import Model
import Store

/// Entries of two runs missing from either, and those that changed under their name.
package struct GateInventory: Sendable, Hashable {
  /// Baseline points of a variant missing from the run.
  struct Loss: Sendable, Hashable {
    var points = 0
    /// First image among them, with its way.
    let first: String
    var qualities: Set<Quality> = []
  }

  /// Points without a value that the other side has.
  struct MissingValue: Sendable, Hashable {
    var points = 0
    let image: String
  }

  /// By the baseline's variant.
  private(set) var losses: [Int: Loss] = [:]
  package internal(set) var goneImages = NameList()
  var newImages = NameList()
  /// Points of images found only in the baseline.
  package private(set) var goneImagePoints = 0
  /// Images found only in the baseline that may be in a shard missing from the run.
  var imagesElsewhere = NameList()
  /// Images of the same bytes under another name, as `old → new`.
  var renamedImages = NameList()
  /// Unusable images, those of them that were unusable before, and usable images that were not before.
  package internal(set) var unusableImages = NameList()
  var stillUnusable = NameList()
  var mendedImages = NameList()
  package private(set) var changedImages = NameList()
  /// Differences of the first few changed images.
  private(set) var replacements: [RunChange] = []
  /// Points found only in the run, and points that failed in the baseline alone.
  package internal(set) var appeared = 0
  var mended = 0
  private(set) var missing: [GateQuantity: MissingValue] = [:]
  private var baselineQualities: Set<Quality> = []
  private var runQualities: Set<Quality> = []

  /// Baseline points missing from the run, tolerated or not.
  package var lostPoints: Int { losses.values.reduce(0) { $0 + $1.points } }
  /// Points without a value that the baseline has, once per quantity, tolerated or not.
  package var missingValues: Int { missing.values.reduce(0) { $0 + $1.points } }
  /// Unusable images that were usable in the baseline, or are new.
  package var newlyUnusable: Int { unusableImages.count - stillUnusable.count }

  mutating func see(_ before: GateImage?, _ after: GateImage?) {
    baselineQualities.formUnion(before?.points.filter { !$0.isRefined }.compactMap(\.quality) ?? [])
    runQualities.formUnion(after?.points.filter { !$0.isRefined }.compactMap(\.quality) ?? [])
  }

  mutating func lose(_ point: GatePoint, of image: String) {
    let first = point.place.way.map { "\(image), \($0)" } ?? image
    losses[point.variant, default: Loss(first: first)].points += 1
    if let quality = point.quality { losses[point.variant]?.qualities.insert(quality) }
  }

  /// Adds an image found only in the baseline, with its points.
  mutating func loseImage(_ name: String, _ points: [GatePoint]) {
    goneImages.add(name)
    goneImagePoints += points.count
    for point in points { lose(point, of: name) }
  }

  mutating func replaceImage(_ name: String, _ change: RunChange) {
    changedImages.add(name)
    if replacements.count < 3 { replacements.append(change) }
  }

  mutating func miss(_ quantity: GateQuantity, image: String) {
    missing[quantity, default: MissingValue(image: image)].points += 1
  }

  /// Returns the qualities of the first set alone; empty if the second is empty, since then nothing was swept.
  private static func only(_ a: Set<Quality>, _ b: Set<Quality>) -> [Quality] {
    b.isEmpty ? [] : a.subtracting(b).sorted()
  }

  /// Qualities found nowhere in the run.
  var goneQualities: [Quality] { Self.only(baselineQualities, runQualities) }

  var newQualities: [Quality] { Self.only(runQualities, baselineQualities) }

  /// Returns the table of changes, images first, with qualities if manifests do not tell them.
  func changes(withQualities: Bool) -> [RunChange] {
    var changes = replacements
    if changedImages.count > replacements.count {
      changes.append(RunChange(.furtherSources(changedImages.count - replacements.count)))
    }
    if goneImages.count > 0 { changes.append(RunChange(.goneImages(goneImages))) }
    if newImages.count > 0 { changes.append(RunChange(.newImages(newImages))) }
    let (gone, new) = (goneQualities, newQualities)
    if withQualities, !gone.isEmpty || !new.isEmpty {
      changes.append(RunChange(.qualities(gone: gone, new: new)))
    }
    return changes
  }
}
