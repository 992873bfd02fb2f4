/// A value of each of many images, as their mean and its interval need them: the values themselves while they are few,
/// their moments alone when they are many. So it takes no more memory for a million images than for a thousand.
struct ImageValues: Sendable {
  /// How many values there are.
  private(set) var count = 0
  /// The values in the order of their images; none where there are more than `Bootstrap.maximumImages`.
  private(set) var few: [Double] = []
  private var sum = 0.0
  /// The mean so far and the sum of squared distances from it (Welford, Note on a method for calculating corrected
  /// sums of squares and products, 1962): squares of the values themselves would cancel each other.
  private var center = 0.0
  private var squares = 0.0

  /// Takes these values.
  init(_ values: some Sequence<Double> = []) {
    for value in values { add(value) }
  }

  /// Adds the value of the next image.
  mutating func add(_ value: Double) {
    count += 1
    if count <= Bootstrap.maximumImages { few.append(value) } else { few = [] }
    sum += value
    let distance = value - center
    center += distance / Double(count)
    squares += distance * (value - center)
  }

  /// The sum over the number; nil without values.
  var mean: Double? { count > 0 ? sum / Double(count) : nil }
  /// The mean square of the distances from the mean, of a sample: over one less than the number. Nil under two values.
  var variance: Double? { count > 1 ? squares / Double(count - 1) : nil }
}
