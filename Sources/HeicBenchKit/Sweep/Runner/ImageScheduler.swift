import Workers

/// Chooses the image for a free session. Used only on the runner's own thread.
///
/// A session stays with its image while the image has waiting points. When no image is left to begin, the session helps
/// with the image that has most. Images begin only if the memory budget allows.
struct ImageScheduler {
  enum Choice: Equatable {
    case image(Int)
    /// Memory is short: wait until another session has finished something.
    case wait
    case nothing
  }

  var budget: MemoryBudget
  private var held: [Int: Int] = [:]
  /// The next image, until it can be begun.
  private var deferred: Int?
  private var isExhausted = false

  init(budget: MemoryBudget) { self.budget = budget }

  /// The image for `session`, by its index. On `wait` the session gives back its memory. On `nothing` it keeps its
  /// memory: running points may add points of the image that its worker has open.
  /// - Parameters:
  ///   - waiting: The points of each image; no list is empty.
  ///   - nextImage: Adds the points of another image and returns its index; nil at the end.
  mutating func next<Points: Collection>(
    for session: Int, among waiting: [Int: Points], pixels: (Int) -> Int, nextImage: () throws -> Int?
  ) rethrows -> Choice {
    if let index = held[session], waiting[index] != nil {
      if deferred == index { deferred = nil }
      return .image(index)
    }
    held[session] = nil
    if deferred == nil, !isExhausted {
      deferred = try nextImage()
      isExhausted = deferred == nil
    }
    guard let index = deferred ?? waiting.max(by: { $0.value.count < $1.value.count })?.key else {
      return .nothing
    }
    guard budget.reserve(pixels: pixels(index), slot: session) else { return .wait }
    deferred = nil
    held[session] = index
    return .image(index)
  }
}
