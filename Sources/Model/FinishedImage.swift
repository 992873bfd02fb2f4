/// What is finished of an image under a preparation. Points are kept by what is the same for many of them, since a
/// run of millions of points that is resumed looks at each.
package struct FinishedImage: Sendable, Hashable {
  /// The points under one variant and one set of libraries.
  package struct Setup: Sendable, Hashable {
    package let variant: CodecVariant
    /// `PointKey.libraries`.
    package let libraries: String
    package fileprivate(set) var points: [Quality: FinishedPoint] = [:]
  }

  package let image: ImageIdentity
  /// `Preparation.canonicalSpelling`.
  package let preparation: String
  /// The setups with points, in the order in which they came.
  package private(set) var setups: [Setup] = []

  /// Nothing is finished.
  package init(image: ImageIdentity, preparation: String) {
    (self.image, self.preparation) = (image, preparation)
  }

  /// Those of some points that are the image's.
  package init(image: ImageIdentity, preparation: String, among points: [PointKey: FinishedPoint]) {
    self.init(image: image, preparation: preparation)
    for (key, point) in points where key.image == image && key.preparation == preparation {
      let place = place(variant: key.variant, libraries: key.libraries)
      self[at: place][key.quality] = point
    }
  }

  /// Where points of a setup are, for `subscript(at:)`.
  package mutating func place(variant: CodecVariant, libraries: String) -> Int {
    if let place = setups.firstIndex(where: { $0.variant == variant && $0.libraries == libraries }) {
      return place
    }
    setups.append(Setup(variant: variant, libraries: libraries))
    return setups.endIndex - 1
  }

  /// The points at a place.
  package subscript(at place: Int) -> [Quality: FinishedPoint] {
    get { setups[place].points }
    _modify { yield &setups[place].points }
  }

  /// The points of a variant with libraries, by quality.
  package func points(_ variant: CodecVariant, libraries: String) -> [Quality: FinishedPoint] {
    setups.first { $0.variant == variant && $0.libraries == libraries }?.points ?? [:]
  }

  /// A point; nil where it is not finished.
  package subscript(key: PointKey) -> FinishedPoint? {
    guard key.image == image, key.preparation == preparation else { return nil }
    return points(key.variant, libraries: key.libraries)[key.quality]
  }

  /// How many points there are.
  package var count: Int { setups.reduce(0) { $0 + $1.points.count } }
  /// Whether nothing is finished.
  package var isEmpty: Bool { count == 0 }

  /// The keys of all points.
  package var keys: [PointKey] {
    setups.flatMap { setup in
      setup.points.keys.map {
        PointKey(
          image: image, preparation: preparation, variant: setup.variant, quality: $0,
          libraries: setup.libraries)
      }
    }
  }

  /// Those points that a condition holds for.
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
