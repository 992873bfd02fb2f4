/// Why a point of a run was measured.
package enum PointOrigin: String, Sendable, Hashable, Codable, CaseIterable {
  /// Its quality is one of those that were asked for.
  case grid
  /// It was put between two others, where a figure that is quoted needed one.
  case refined
  /// The search for a target tried it.
  case searched
}
