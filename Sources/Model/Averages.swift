extension [Double] {
  package var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let half = count / 2
    return count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }

  package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}
