/// Finished points of an image under one preparation. Points are grouped by setup, since a resumed run of millions of
/// points looks at each one.
package struct FinishedImage: Sendable, Hashable {
  package struct Setup: Sendable, Hashable {
    package let variant: CodecVariant
    /// `Case.libraries`.
    package let libraries: String
    package fileprivate(set) var points: [Quality: FinishedPoint] = [:]
  }

  package let image: ImageIdentity
  /// `Preparation.canonicalSpelling`.
  package let preparation: String
  package private(set) var setups: [Setup] = []

  package init(image: ImageIdentity, preparation: String) {
    (self.image, self.preparation) = (image, preparation)
  }

  package init(image: ImageIdentity, preparation: String, among points: [Case: FinishedPoint]) {
    self.init(image: image, preparation: preparation)
    for (key, point) in points where key.image == image && key.preparation == preparation {
      let place = place(variant: key.variant, libraries: key.libraries)
      self[at: place][key.quality] = point
    }
  }

  /// The index of a setup for `subscript(at:)`; adds the setup if it is new.
  package mutating func place(variant: CodecVariant, libraries: String) -> Int {
    if let place = setups.firstIndex(where: { $0.variant == variant && $0.libraries == libraries }) {
      return place
    }
    setups.append(Setup(variant: variant, libraries: libraries))
    // Enough for most images, without growing step by step.
    setups[setups.endIndex - 1].points.reserveCapacity(16)
    return setups.endIndex - 1
  }

  package subscript(at place: Int) -> [Quality: FinishedPoint] {
    get { setups[place].points }
    _modify { yield &setups[place].points }
  }

  package func points(_ variant: CodecVariant, libraries: String) -> [Quality: FinishedPoint] {
    setups.first { $0.variant == variant && $0.libraries == libraries }?.points ?? [:]
  }

  package func filter(
    _ isIncluded: (Setup, Quality, FinishedPoint) throws -> Bool
  ) rethrows -> FinishedImage {
    var some = self
    for place in setups.indices {
      some[at: place] = try setups[place].points.filter { try isIncluded(setups[place], $0.key, $0.value) }
    }
    return some
  }
}
