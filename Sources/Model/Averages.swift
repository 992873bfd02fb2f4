extension [Double] {
  /// The median, for an even number the mean of the middle two; nil without values.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let half = count / 2
    return count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }

  /// The arithmetic mean; nil without values.
  package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}
