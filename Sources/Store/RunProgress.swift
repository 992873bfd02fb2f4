package struct RunProgress: Sendable, Hashable, Codable {
  /// Planned points: usable images × variants × qualities; nil for a search, which finds its qualities as it goes.
  package var planned: Int?
  /// Planned points that exist, measured or not.
  package var done: Int
  /// Images not known to be unusable.
  package var images: Int
  package var isFinished: Bool
  /// Images without a point yet in an unfinished run; nil if there are none.
  package var untouched: Untouched?

  package struct Untouched: Sendable, Hashable, Codable {
    /// The first printable names, as many as fit into a sentence.
    package var names: [String]
    package var count: Int

    package init(names: [String], count: Int) { (self.names, self.count) = (names, count) }
  }

  package init(planned: Int?, done: Int, images: Int, isFinished: Bool, untouched: Untouched? = nil) {
    self.planned = planned
    self.done = done
    self.images = images
    self.isFinished = isFinished
    self.untouched = untouched
  }

  package var isComplete: Bool { planned.map { done >= $0 } ?? false }
}
