internal import Model
import Store

/// Names in the order in which they came, of which the first few are told.
struct NameList: Sendable {
  private static let limit = 5
  private(set) var count = 0
  private(set) var first: [String] = []

  /// Adds a name that was not added before.
  mutating func add(_ name: String) {
    count += 1
    if first.count < Self.limit { first.append(name) }
  }

  /// The names, with how many more there are.
  var phrase: String {
    first.joined(separator: ", ") + (count > first.count ? " and \(count - first.count) more" : "")
  }
}

/// What one of two runs has and the other has not, and what is not the same thing any more under its name.
struct GateInventory: Sendable {
  /// Points of a variant that are no longer there.
  struct Loss: Sendable {
    var points = 0
    /// The first image of them.
    let image: String
    var qualities: Set<Quality> = []

    init(image: String) { self.image = image }
  }

  /// Points without a score that the other side has.
  struct MissingScore: Sendable {
    var points = 0
    /// The first image of them.
    let image: String

    init(image: String) { self.image = image }
  }

  /// By the baseline's variant.
  private(set) var losses: [Int: Loss] = [:]
  private(set) var goneImages = NameList()
  private(set) var newImages = NameList()
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
    for point in before?.points ?? [] where !point.isRefined { baselineQualities.insert(point.quality) }
    for point in after?.points ?? [] where !point.isRefined { runQualities.insert(point.quality) }
  }

  mutating func lose(_ point: GatePoint, of image: String) {
    losses[point.variant, default: Loss(image: image)].points += 1
    losses[point.variant]?.qualities.insert(point.quality)
  }

  /// An image that only the baseline has.
  mutating func loseImage(_ name: String) { goneImages.add(name) }

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
  private static func only(_ a: Set<Quality>, _ b: Set<Quality>) -> String {
    b.isEmpty ? "" : a.subtracting(b).sorted().map(\.description).joined(separator: ", ")
  }

  /// The qualities that are nowhere in the run, with commas between.
  var goneQualities: String { Self.only(baselineQualities, runQualities) }

  /// The qualities that are nowhere in the baseline, with commas between.
  var newQualities: String { Self.only(runQualities, baselineQualities) }

  /// How the table of changes calls qualities. Where both manifests are known, these tell them in full.
  static let qualitiesChange = "qualities on one side only"

  /// What differs, for the table of changes: images first.
  var changes: [RunChange] {
    var changes = replacements
    if changedImages.count > replacements.count {
      let more = counted(changedImages.count - replacements.count, "further image")
      changes.append(RunChange(what: "source of \(more)", before: "–", after: "–"))
    }
    if goneImages.count > 0 {
      changes.append(RunChange(what: "images that are gone", before: goneImages.phrase, after: "–"))
    }
    if newImages.count > 0 {
      changes.append(RunChange(what: "new images", before: "–", after: newImages.phrase))
    }
    if !goneQualities.isEmpty || !newQualities.isEmpty {
      let (gone, new) = (goneQualities, newQualities)
      changes.append(
        RunChange(
          what: Self.qualitiesChange, before: gone.isEmpty ? "–" : gone, after: new.isEmpty ? "–" : new)
      )
    }
    return changes
  }
}
