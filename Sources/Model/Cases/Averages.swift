extension [Double] {
  /// Nil without numbers, or halfway between infinities of opposite signs.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let half = count / 2
    let middle = count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
    return middle.isNaN ? nil : middle
  }

  package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}
