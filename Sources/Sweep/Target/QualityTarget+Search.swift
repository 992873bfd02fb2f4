import Model

extension QualityTarget {
  var searched: QualitySearch.Target {
    switch goal {
    case .score(let traits, let score): .atLeast(traits.higherIsBetter ? score : -score)
    case .bytes(let bytes): .atMost(Double(bytes))
    }
  }

  /// The value that a search goes by; nil where the metric is not defined for the image.
  func value(of measurement: Measurement) -> Double? {
    switch goal {
    case .bytes: Double(measurement.encodedBytes)
    case .score(let traits, _): measurement.scores[traits.id].map { traits.higherIsBetter ? $0 : -$0 }
    }
  }
}
