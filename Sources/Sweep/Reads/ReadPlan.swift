package import Model

/// What is to be read: files as they were found, what codecs make of them, and by which routes.
package struct ReadPlan: Sendable {
  /// The files.
  package var entries: [CorpusEntry]
  /// What codecs make of each; empty for the files alone.
  package var encodings: [ReadEncoding]
  /// How sources become the rasters that codecs get.
  package var preparation: Preparation
  /// Wanted sizes.
  package var sizes: [WantedPixels]
  /// The wanted part; nil for none.
  package var region: WantedPixels?
  /// How often a decode is timed.
  package var repeats: Int
  /// The libraries behind each format, canonically spelled.
  package var libraries: [String: String]

  /// Plans reads.
  package init(
    entries: [CorpusEntry], encodings: [ReadEncoding], preparation: Preparation, sizes: [WantedPixels],
    region: WantedPixels?, repeats: Int, libraries: [String: String] = [:]
  ) {
    (self.entries, self.encodings, self.preparation) = (entries, encodings, preparation)
    (self.sizes, self.region, self.repeats) = (sizes, region, repeats)
    self.libraries = libraries
  }

  /// Reads in all.
  package var count: Int { entries.count * (1 + encodings.count) * routes.count }

  /// Everything that is read, in order.
  package var keys: [ReadKey] {
    entries.flatMap { entry in ([nil] + encodings).flatMap { keys(of: entry, $0) } }
  }

  /// Every route with every size that it can be asked for, those of one route side by side.
  var routes: [(route: ReadRoute, wanted: WantedPixels)] {
    let sides = sizes.filter { if case .side = $0 { true } else { false } }
    return sizes.map { (.full, $0) } + [(.ycbcr, .all)] + sides.map { (.scaled, $0) }
      + sides.map { (.thumbnail, $0) } + (region.map { [(.region, $0)] } ?? []) + [(.firstTile, .all)]
  }

  /// All that is read of one file.
  func keys(of entry: CorpusEntry, _ encoding: ReadEncoding?) -> [ReadKey] {
    let format = encoding?.variant.codec ?? entry.header?.format
    return routes.map {
      ReadKey(
        image: entry.identity, encoding: encoding, route: $0.route, wanted: $0.wanted,
        libraries: format.flatMap { libraries[$0] } ?? "")
    }
  }
}
