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

  /// States how far a run came.
  package init(planned: Int?, done: Int, images: Int, isFinished: Bool) {
    self.planned = planned
    self.done = done
    self.images = images
    self.isFinished = isFinished
  }

  /// Whether all planned points are there.
  package var isComplete: Bool { planned.map { done >= $0 } ?? false }
}
