import Model
import Store

/// Entries of two runs missing from either, and those that changed under their name.
struct GateInventory: Sendable {
  /// Baseline points of a variant missing from the run.
  struct Loss: Sendable {
    var points = 0
    /// First image among them.
    let image: String
    var qualities: Set<Quality> = []
  }

  /// Points without a score that the other side has.
  struct MissingScore: Sendable {
    var points = 0
    let image: String
  }

  /// By the baseline's variant.
  private(set) var losses: [Int: Loss] = [:]
  private(set) var goneImages = NameList()
  private(set) var newImages = NameList()
  /// Points of images found only in the baseline.
  private(set) var goneImagePoints = 0
  /// Images found only in the baseline that may be in a shard missing from the run.
  private(set) var imagesElsewhere = NameList()
  /// Images of the same bytes under another name, as `old → new`.
  private(set) var renamedImages = NameList()
  /// Unusable images, those of them that were unusable before, and usable images that were not before.
  private(set) var unusableImages = NameList()
  private(set) var stillUnusable = NameList()
  private(set) var mendedImages = NameList()
  private(set) var changedImages = NameList()
  /// Differences of the first few changed images.
  private(set) var replacements: [RunChange] = []
  /// Points found only in the run, and points that failed in the baseline alone.
  private(set) var appeared = 0
  private(set) var mended = 0
  /// By metric.
  private(set) var missingScores: [Int: MissingScore] = [:]
  private(set) var baselineQualities: Set<Quality> = []
  private(set) var runQualities: Set<Quality> = []

  /// Baseline points missing from the run.
  var lostPoints: Int { losses.values.reduce(0) { $0 + $1.points } }

  mutating func see(_ before: GateImage?, _ after: GateImage?) {
    baselineQualities.formUnion(before?.points.filter { !$0.isRefined }.compactMap(\.quality) ?? [])
    runQualities.formUnion(after?.points.filter { !$0.isRefined }.compactMap(\.quality) ?? [])
  }

  mutating func lose(_ point: GatePoint, of image: String) {
    losses[point.variant, default: Loss(image: image)].points += 1
    if let quality = point.quality { losses[point.variant]?.qualities.insert(quality) }
  }

  /// Adds an image found only in the baseline, with its points.
  mutating func loseImage(_ name: String, _ points: [GatePoint]) {
    goneImages.add(name)
    goneImagePoints += points.count
    for point in points { lose(point, of: name) }
  }

  /// Adds an image found only in the baseline that may be in another shard.
  mutating func seekElsewhere(_ name: String) { imagesElsewhere.add(name) }

  mutating func renameImage(_ old: String, _ new: String) { renamedImages.add("\(old) → \(new)") }

  mutating func addUnusable(_ name: String, isNew: Bool) {
    unusableImages.add(name)
    if !isNew { stillUnusable.add(name) }
  }

  /// Adds an image that was unusable in the baseline.
  mutating func mendImage(_ name: String) { mendedImages.add(name) }

  mutating func addImage(_ name: String) { newImages.add(name) }

  /// Adds an image that changed under its name.
  mutating func replaceImage(_ name: String, _ change: RunChange) {
    changedImages.add(name)
    if replacements.count < 3 { replacements.append(change) }
  }

  mutating func appear() { appeared += 1 }
  mutating func mend() { mended += 1 }

  mutating func missScore(of metric: Int, image: String) {
    missingScores[metric, default: MissingScore(image: image)].points += 1
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
