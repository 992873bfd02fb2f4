package enum ByteSize {
  private static let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"]

  /// The number in the largest unit that keeps it at 1 or more, with at most one decimal: `2 GiB`, `1.5 MiB`.
  package static func text(_ bytes: Int) -> String {
    var value = Double(max(0, bytes))
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths)) \(units[unit])" : "\(tenths) \(units[unit])"
  }
}
