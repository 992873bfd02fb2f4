/// How far a run came: what was planned, and what of it is there.
package struct RunProgress: Sendable, Hashable, Codable {
  /// Points that were planned: usable images, times variants, times qualities; nil for a search, which finds
  /// its qualities as it goes.
  package var planned: Int?
  /// Planned points that are there, measured or not.
  package var done: Int
  /// Images of the run that can be used, as far as that is known.
  package var images: Int
  /// Whether the run came to its end.
  package var isFinished: Bool
  /// The first images, by printable name, of which an unfinished run has no point yet, and how many there are; nil where
  /// there are none.
  package var untouched: Untouched?

  /// Images without a point.
  package struct Untouched: Sendable, Hashable, Codable {
    /// The first of them, as many as a sentence has room for.
    package var names: [String]
    /// How many there are.
    package var count: Int

    /// Names the first of so many images.
    package init(names: [String], count: Int) { (self.names, self.count) = (names, count) }
  }

  /// States how far a run came.
  package init(planned: Int?, done: Int, images: Int, isFinished: Bool, untouched: Untouched? = nil) {
    self.planned = planned
    self.done = done
    self.images = images
    self.isFinished = isFinished
    self.untouched = untouched
  }

  /// Whether all planned points are there.
  package var isComplete: Bool { planned.map { done >= $0 } ?? false }
}
