import Model
import Workers

/// An image with its remaining points.
struct ImageWork {
  /// Index in the plan.
  var index: Int
  var entry: CorpusEntry
  /// In the order in which to do them.
  var points: ArraySlice<Case>

  var pixels: Int { entry.file.pixels }
}

/// Chooses the next point for a free slot. Used by the runner's own thread only.
///
/// A slot stays with its image while the image has points. When no image is left to begin, it helps with the one that
/// has most left. Images are begun as far as the memory budget allows.
struct PointScheduler {
  enum Assignment {
    case point(ImageWork, Case)
    /// Memory is short: wait until another slot has finished something.
    case wait
    case nothing
  }

  var budget: MemoryBudget
  private let nextImage: () throws -> ImageWork?
  private var begun: [Int: ImageWork] = [:]
  private var held: [Int: Int] = [:]
  private var deferred: ImageWork?
  private var isExhausted = false

  /// - Parameter nextImage: gives the images to schedule, and nil at the end.
  init(budget: MemoryBudget, nextImage: @escaping () throws -> ImageWork?) {
    self.budget = budget
    self.nextImage = nextImage
  }

  /// The next assignment of `slot`. On `wait` the slot gives back its memory. On `nothing` it keeps it: running points
  /// may bring further points of the image that its worker has open.
  mutating func next(for slot: Int) throws -> Assignment {
    if let index = held[slot], begun[index] != nil { return take(from: index) }
    held[slot] = nil
    if let work = try peek() {
      guard budget.admits(pixels: work.pixels, slot: slot) else { return wait(slot) }
      deferred = nil
      begun[work.index] = work
      return begin(work, slot)
    }
    guard let most = begun.values.max(by: { $0.points.count < $1.points.count }) else {
      return .nothing
    }
    guard budget.admits(pixels: most.pixels, slot: slot) else { return wait(slot) }
    return begin(most, slot)
  }

  /// Adds further points of a begun image. The slot that did its last point continues with it.
  mutating func goOn(with work: ImageWork) {
    begun[work.index, default: ImageWork(index: work.index, entry: work.entry, points: [])].points +=
      work.points
  }

  mutating func drop(_ index: Int) -> ArraySlice<Case> {
    begun.removeValue(forKey: index)?.points ?? []
  }

  private mutating func begin(_ work: ImageWork, _ slot: Int) -> Assignment {
    held[slot] = work.index
    budget.reserve(pixels: work.pixels, slot: slot)
    return take(from: work.index)
  }

  private mutating func wait(_ slot: Int) -> Assignment {
    budget.release(slot: slot)
    return .wait
  }

  private mutating func take(from index: Int) -> Assignment {
    guard var work = begun[index], let point = work.points.popFirst() else { return .nothing }
    begun[index] = work.points.isEmpty ? nil : work
    return .point(work, point)
  }

  /// The next image with points; it stays the next one until begun.
  private mutating func peek() throws -> ImageWork? {
    while deferred == nil, !isExhausted {
      let next = try nextImage()
      isExhausted = next == nil
      if let next, !next.points.isEmpty { deferred = next }
    }
    return deferred
  }
}
