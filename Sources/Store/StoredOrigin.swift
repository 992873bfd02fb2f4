import Model

/// The reasons a point was measured or used for other than a run's grid, one bit each.
enum StoredOrigin {
  /// The reason's bit; 0 for the grid.
  static func bit(_ origin: PointOrigin) -> Int {
    switch origin {
    case .grid: 0
    case .refined: 1
    case .searched: 2
    }
  }

  static func origins(_ bits: Int) -> Set<PointOrigin> {
    known.indices.contains(bits) ? known[bits] : reasons(bits)
  }

  /// A table for all written numbers, since every point needs a look-up.
  private static let known = (0...PointOrigin.allCases.reduce(0) { $0 | bit($1) }).map(reasons)

  private static func reasons(_ bits: Int) -> Set<PointOrigin> {
    Set(PointOrigin.allCases.filter { bit($0) & bits != 0 })
  }
}
