/// The reason a point was measured.
package enum PointOrigin: String, Sendable, Hashable, Codable, CaseIterable {
  /// Its quality was requested.
  case grid
  /// The point was added between two others for a figure.
  case refined
  /// The search for a target tried it.
  case searched

  package var member: PointOrigins {
    switch self {
    case .grid: []
    case .refined: .refined
    case .searched: .searched
    }
  }
}

/// The reasons, other than a run's grid, for which a point was measured or used; one bit each, as stored.
package struct PointOrigins: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let refined = PointOrigins(rawValue: 1)
  package static let searched = PointOrigins(rawValue: 2)
}
