package import Model

/// What is to be read: files as they were found, what codecs make of them, and by which routes.
package struct ReadPlan: Sendable {
  /// What reads a format.
  package struct Decoder: Sendable, Hashable {
    /// The format, or the codec.
    var format: String
    /// The build of the libraries; nil for the system's own.
    var build: String?

    /// Names a decoder.
    package init(_ format: String, build: String? = nil) { (self.format, self.build) = (format, build) }
  }

  /// A file as it was found, or what a codec makes of it, and the build that reads it.
  struct Source {
    var encoding: ReadEncoding?
    var build: String?
  }

  /// The files.
  package var entries: [CorpusEntry]
  /// What codecs make of each; empty for the files alone. Those of a build are read by it.
  package var encodings: [ReadEncoding]
  /// Builds that read files as they were found, besides the system's libraries.
  package var builds: [String]
  /// How sources become the rasters that codecs get.
  package var preparation: Preparation
  /// Wanted sizes.
  package var sizes: [WantedPixels]
  /// The wanted part; nil for none.
  package var region: WantedPixels?
  /// How often a decode is timed.
  package var repeats: Int
  /// The libraries that take part in reading each format, canonically spelled. A build reads those formats of which
  /// there is an entry.
  package var libraries: [Decoder: String]

  /// Plans reads.
  package init(
    entries: [CorpusEntry], encodings: [ReadEncoding], builds: [String] = [], preparation: Preparation,
    sizes: [WantedPixels], region: WantedPixels?, repeats: Int, libraries: [Decoder: String] = [:]
  ) {
    (self.entries, self.encodings, self.builds) = (entries, encodings, builds)
    self.preparation = preparation
    (self.sizes, self.region, self.repeats) = (sizes, region, repeats)
    self.libraries = libraries
  }

  /// Reads in all.
  package var count: Int { entries.reduce(0) { $0 + sources(of: $1).count } * routes.count }

  /// Everything that is read, in order.
  package var keys: [ReadKey] {
    entries.flatMap { entry in sources(of: entry).flatMap { keys(of: entry, $0) } }
  }

  /// Every route with every size that it can be asked for, those of one route side by side.
  var routes: [(route: ReadRoute, wanted: WantedPixels)] {
    let sides = sizes.filter { if case .side = $0 { true } else { false } }
    return sizes.map { (.full, $0) } + [(.ycbcr, .all)] + sides.map { (.scaled, $0) }
      + sides.map { (.thumbnail, $0) } + (region.map { [(.region, $0)] } ?? []) + [(.firstTile, .all)]
  }

  /// What is read of one file: as the system's libraries and builds read it, and what codecs make of it.
  func sources(of entry: CorpusEntry) -> [Source] {
    let builds = builds.filter { reads($0, entry) }
    return [Source()] + builds.map { Source(build: $0) }
      + encodings.map { Source(encoding: $0, build: $0.variant.build) }
  }

  /// Whether a build has libraries of its own for a file as it was found.
  package func reads(_ build: String, _ entry: CorpusEntry) -> Bool {
    entry.header.map { libraries[Decoder($0.format, build: build)] != nil } ?? false
  }

  /// All that is read of one source.
  func keys(of entry: CorpusEntry, _ source: Source) -> [ReadKey] {
    let format = source.encoding?.variant.codec ?? entry.header?.format
    let libraries = format.flatMap { self.libraries[Decoder($0, build: source.build)] }
    return routes.map {
      ReadKey(
        image: entry.identity, encoding: source.encoding, route: $0.route, wanted: $0.wanted,
        libraries: libraries ?? "", build: source.build)
    }
  }
}
