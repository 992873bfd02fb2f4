package import Model

extension FinishedImage {
  /// A point; nil if it is not finished.
  package subscript(key: Case) -> FinishedPoint? {
    guard key.image == image, key.preparation == preparation else { return nil }
    return points(key.variant, libraries: key.libraries)[key.quality]
  }

  /// The number of points.
  package var count: Int { setups.reduce(0) { $0 + $1.points.count } }
  package var isEmpty: Bool { count == 0 }

  package var keys: [Case] {
    setups.flatMap { setup in
      setup.points.keys.map {
        Case(
          image: image, preparation: preparation, variant: setup.variant, quality: $0,
          libraries: setup.libraries)
      }
    }
  }
}
