import Model

extension TimingSeries {
  /// The median wall time of the encodes, seconds; 0 without samples.
  var medianEncodeSeconds: Double {
    let sorted = encode.map(\.wallNanoseconds).sorted()
    guard !sorted.isEmpty else { return 0 }
    let (lower, upper) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    return (Double(lower) + Double(upper)) / 2e9
  }

  /// Appends further repeats of the same point.
  func followed(by more: TimingSeries) -> TimingSeries {
    var all = self
    for operation in TimedOperation.allCases { all[operation] += more[operation] }
    return all
  }
}
