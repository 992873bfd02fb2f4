internal import Model
import Store

/// What one of two runs has and the other has not, and what is not the same thing any more under its name.
struct GateInventory: Sendable {
  /// Points of a variant that are no longer there.
  struct Loss: Sendable {
    var points = 0
    /// The first image of them.
    let image: String
    var qualities: Set<Quality> = []
  }

  /// Points without a score that the other side has.
  struct MissingScore: Sendable {
    var points = 0
    /// The first image of them.
    let image: String
  }

  /// By the baseline's variant.
  private(set) var losses: [Int: Loss] = [:]
  private(set) var goneImages = NameList()
  private(set) var newImages = NameList()
  /// Points of images that only the baseline has.
  private(set) var goneImagePoints = 0
  /// Images that only the baseline has, and that may be in a shard which the run lacks.
  private(set) var imagesElsewhere = NameList()
  /// Images of the same bytes under another name, as `old → new`.
  private(set) var renamedImages = NameList()
  /// Images that cannot be used, those of them that could not be before, and those that can be now and could not.
  private(set) var unusableImages = NameList()
  private(set) var stillUnusable = NameList()
  private(set) var mendedImages = NameList()
  private(set) var changedImages = NameList()
  /// What tells the first few of the changed images from those of the baseline.
  private(set) var replacements: [RunChange] = []
  /// Points that only the run has, and points that failed in the baseline.
  private(set) var appeared = 0
  private(set) var mended = 0
  /// By metric.
  private(set) var missingScores: [Int: MissingScore] = [:]
  private(set) var baselineQualities: Set<Quality> = []
  private(set) var runQualities: Set<Quality> = []

  /// Points of the baseline that are no longer there.
  var lostPoints: Int { losses.values.reduce(0) { $0 + $1.points } }

  mutating func see(_ before: GateImage?, _ after: GateImage?) {
    baselineQualities.formUnion(before?.points.filter { !$0.isRefined }.compactMap(\.quality) ?? [])
    runQualities.formUnion(after?.points.filter { !$0.isRefined }.compactMap(\.quality) ?? [])
  }

  mutating func lose(_ point: GatePoint, of image: String) {
    losses[point.variant, default: Loss(image: image)].points += 1
    if let quality = point.quality { losses[point.variant]?.qualities.insert(quality) }
  }

  /// An image that only the baseline has, with the points that it takes along.
  mutating func loseImage(_ name: String, _ points: [GatePoint]) {
    goneImages.add(name)
    goneImagePoints += points.count
    for point in points { lose(point, of: name) }
  }

  /// An image that only the baseline has, but that may be in another shard.
  mutating func seekElsewhere(_ name: String) { imagesElsewhere.add(name) }

  /// An image that goes by another name now.
  mutating func renameImage(_ old: String, _ new: String) { renamedImages.add("\(old) → \(new)") }

  /// An image that cannot be used.
  mutating func addUnusable(_ name: String, isNew: Bool) {
    unusableImages.add(name)
    if !isNew { stillUnusable.add(name) }
  }

  /// An image that could not be used in the baseline.
  mutating func mendImage(_ name: String) { mendedImages.add(name) }

  /// An image that only the run has.
  mutating func addImage(_ name: String) { newImages.add(name) }

  /// An image that is another one under its old name.
  mutating func replaceImage(_ name: String, _ change: RunChange) {
    changedImages.add(name)
    if replacements.count < 3 { replacements.append(change) }
  }

  mutating func appear() { appeared += 1 }
  mutating func mend() { mended += 1 }

  mutating func missScore(of metric: Int, image: String) {
    missingScores[metric, default: MissingScore(image: image)].points += 1
  }

  /// The qualities that only one of two sets has; empty where the other one is, since then nothing was swept.
  private static func only(_ a: Set<Quality>, _ b: Set<Quality>) -> [Quality] {
    b.isEmpty ? [] : a.subtracting(b).sorted()
  }

  /// The qualities that are nowhere in the run.
  var goneQualities: [Quality] { Self.only(baselineQualities, runQualities) }

  /// The qualities that are nowhere in the baseline.
  var newQualities: [Quality] { Self.only(runQualities, baselineQualities) }

  /// What differs, for the table of changes: images first. Qualities are told where manifests do not tell them.
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
