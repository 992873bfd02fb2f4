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

  /// How much is there, for a run that is not finished; nil for one that is.
  package var phrase: String? {
    guard !isFinished else { return nil }
    guard let planned else { return "\(counted(done, "point")); the search is not finished" }
    guard done < planned else { return "all \(counted(planned, "planned point")), but not finished" }
    return "\(done) of \(counted(planned, "planned point")); not finished"
  }
}

/// `1 image`, `24 images`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
