package import Model

/// The reads to do: files as found, codecs' encodings of them, and routes.
package struct ReadPlan: Sendable {
  package struct Decoder: Sendable, Hashable {
    var format: String
    /// The build of the libraries; nil for the system's own.
    var build: String?

    package init(_ format: String, build: String? = nil) { (self.format, self.build) = (format, build) }
  }

  /// A file as found, or its encoding by a codec, and the build that reads it.
  struct Source {
    var encoding: ReadEncoding?
    var build: String?
  }

  package var entries: [CorpusEntry]
  /// Empty to read only the files. A build reads its own encodings.
  package var encodings: [ReadEncoding]
  /// Builds that read files as found, in addition to the system's libraries.
  package var builds: [String] = []
  package var preparation: Preparation
  package var sizes: [WantedPixels]
  package var region: WantedPixels?
  /// Times that a decode is timed.
  package var repeats: Int
  /// The libraries that read each format, in canonical spelling. A build reads the formats with an entry here.
  package var libraries: [Decoder: String] = [:]

  package var count: Int { entries.reduce(0) { $0 + sources(of: $1).count } * routes.count }

  package var keys: [Case] {
    entries.flatMap { entry in sources(of: entry).flatMap { keys(of: entry, $0) } }
  }

  /// Every route with every size that it supports; those of one route are adjacent.
  var routes: [(route: ReadRoute, wanted: WantedPixels)] {
    let sides = sizes.filter { if case .side = $0 { true } else { false } }
    return sizes.map { (.full, $0) } + [(.ycbcr, .all)] + sides.map { (.scaled, $0) }
      + sides.map { (.thumbnail, $0) } + (region.map { [(.region, $0)] } ?? []) + [(.firstTile, .all)]
  }

  /// The sources for one file: as found, for the system's libraries and for builds, and as encoded by codecs.
  func sources(of entry: CorpusEntry) -> [Source] {
    let builds = builds.filter { reads($0, entry) }
    return [Source()] + builds.map { Source(build: $0) }
      + encodings.map { Source(encoding: $0, build: $0.variant.build) }
  }

  /// True if a build has its own libraries for a file as found.
  package func reads(_ build: String, _ entry: CorpusEntry) -> Bool {
    entry.header.map { libraries[Decoder($0.format, build: build)] != nil } ?? false
  }

  func keys(of entry: CorpusEntry, _ source: Source) -> [Case] {
    let format = source.encoding?.variant.codec ?? entry.header?.format
    let preparation = preparation.canonicalSpelling
    let libraries = format.flatMap { self.libraries[Decoder($0, build: source.build)] }
    return routes.map {
      Case(
        image: entry.identity, encoding: source.encoding, format: format ?? "", preparation: preparation,
        route: $0.route, wanted: $0.wanted,
        libraries: libraries ?? "", build: source.build)
    }
  }
}
