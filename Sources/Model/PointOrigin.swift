/// The reason a point was measured.
package enum PointOrigin: String, Sendable, Hashable, Codable, CaseIterable {
  /// Its quality was requested.
  case grid
  /// Added between two others for a quoted figure.
  case refined
  /// Tried by the search for a target.
  case searched
}
