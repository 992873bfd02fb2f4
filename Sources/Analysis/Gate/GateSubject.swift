/// The measurements that a gate compares by themselves.
package enum GateSubject: String, Sendable, Hashable, CaseIterable {
  /// Points of a sweep.
  case points
  /// Cost of getting pixels out of files.
  case reads
  /// Cost of cutting pictures into tiles.
  case tiles

  package var noun: String {
    switch self {
    case .points: "point"
    case .reads: "read"
    case .tiles: "cut"
    }
  }

  /// Allowance for rounding in a baseline file. Scores of points are rounded alike before they are compared.
  var slack: Double { self == .points ? 1e-9 : 1e-3 }
}
