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
    known.indices.contains(bits) ? known[bits] : reasons(bits)
  }

  /// The reasons behind all numbers that are written, which are looked up for every point.
  private static let known = (0...PointOrigin.allCases.reduce(0) { $0 | bit($1) }).map(reasons)

  private static func reasons(_ bits: Int) -> Set<PointOrigin> {
    Set(PointOrigin.allCases.filter { bit($0) & bits != 0 })
  }
}
