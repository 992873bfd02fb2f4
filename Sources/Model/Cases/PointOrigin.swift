/// The reason a point was measured.
package enum PointOrigin: String, Sendable, Hashable, Codable, CaseIterable {
  /// Its quality was requested.
  case grid
  /// Added between two others for a quoted figure.
  case refined
  /// Tried by the search for a target.
  case searched

  package var member: PointOrigins {
    switch self {
    case .grid: []
    case .refined: .refined
    case .searched: .searched
    }
  }
}

/// The reasons a point was measured or used for other than a run's grid, one bit each, as they are stored.
package struct PointOrigins: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let refined = PointOrigins(rawValue: 1)
  package static let searched = PointOrigins(rawValue: 2)
}
