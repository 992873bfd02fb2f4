import Model
import Workers

/// An image with the points that are left to do.
struct ImageWork {
  /// The image's place in the plan.
  var index: Int
  /// The image.
  var entry: CorpusEntry
  /// Its points, in the order in which to do them.
  var points: ArraySlice<PointKey>

  /// Pixels of the source.
  var pixels: Int { entry.file.pixels }
}

/// Says which point a free slot does next.
///
/// A slot stays with its image while there are points of it. When no image is left to begin, it helps with the
/// one that has most to do. Images are begun as far as the memory budget goes.
///
/// Used by the runner's own thread only.
struct PointScheduler {
  /// What a free slot is to do.
  enum Assignment {
    /// Do this point of this image.
    case point(ImageWork, PointKey)
    /// Wait until another slot has finished something: memory is short.
    case wait
    /// Nothing is left.
    case nothing
  }

  /// The memory that images share.
  var budget: MemoryBudget
  private let nextImage: () throws -> ImageWork?
  private var begun: [Int: ImageWork] = [:]
  private var held: [Int: Int] = [:]
  private var deferred: ImageWork?
  private var isExhausted = false

  /// Schedules the images that `nextImage` gives until it gives nil.
  init(budget: MemoryBudget, nextImage: @escaping () throws -> ImageWork?) {
    self.budget = budget
    self.nextImage = nextImage
  }

  /// What `slot` does next. With `wait` the slot has given back its memory. With `nothing` it keeps it: what others are
  /// at may bring further points of the image that its worker has open.
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

  /// Takes further points of an image that was begun. The slot that did its last one goes on with it.
  mutating func goOn(with work: ImageWork) {
    begun[work.index, default: ImageWork(index: work.index, entry: work.entry, points: [])].points +=
      work.points
  }

  /// Takes away what is left of an image. Returns its points.
  mutating func drop(_ index: Int) -> ArraySlice<PointKey> {
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

  /// The next image that has points, which stays the next one until it is begun.
  private mutating func peek() throws -> ImageWork? {
    while deferred == nil, !isExhausted {
      let next = try nextImage()
      isExhausted = next == nil
      if let next, !next.points.isEmpty { deferred = next }
    }
    return deferred
  }
}
