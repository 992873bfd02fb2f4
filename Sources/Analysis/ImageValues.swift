/// One value per image, as needed for a mean and its interval: the values themselves while they are few, only their
/// moments beyond. So a million images take no more memory than a thousand.
package struct ImageValues: Sendable {
  private(set) var count = 0
  /// Values in the order of their images; empty above `Bootstrap.maximumImages`.
  private(set) var few: [Double] = []
  private var sum = 0.0
  /// Running mean and sum of squared distances from it (Welford, Note on a method for calculating corrected sums of
  /// squares and products, 1962); squares of the values themselves would cancel.
  private var center = 0.0
  private var squares = 0.0

  package init(_ values: some Sequence<Double> = []) {
    for value in values { add(value) }
  }

  package mutating func add(_ value: Double) {
    count += 1
    if count <= Bootstrap.maximumImages { few.append(value) } else { few = [] }
    sum += value
    let distance = value - center
    center += distance / Double(count)
    squares += distance * (value - center)
  }

  /// Sum over count; nil without values.
  package var mean: Double? { count > 0 ? sum / Double(count) : nil }
  /// Sample variance, over count − 1; nil for fewer than two values.
  package var variance: Double? { count > 1 ? squares / Double(count - 1) : nil }
}
