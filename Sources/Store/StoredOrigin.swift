import Model

/// What a point was measured for, or came to serve, besides being in the grid of a run: a bit for each reason.
/// Which qualities are a run's grid is in its manifest.
enum StoredOrigin {
  /// The reason's bit; 0 for the grid, which needs none.
  static func bit(_ origin: PointOrigin) -> Int {
    switch origin {
    case .grid: 0
    case .refined: 1
    case .searched: 2
    }
  }

  /// The reasons behind a number.
  static func origins(_ bits: Int) -> Set<PointOrigin> {
    // Most points are of a grid alone.
    bits == 0 ? [] : Set(PointOrigin.allCases.filter { bit($0) & bits != 0 })
  }
}
