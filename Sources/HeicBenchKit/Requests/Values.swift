import Analysis
import Model
import Reports
import Store

extension SweepOutcome {
  /// A measured point: one image with one codec at one quality.
  public struct Point: Sendable, Hashable {
    /// The image's name.
    public let image: String
    /// The codec with its settings, or the name of the files of another encoder.
    public let codec: String
    /// The quality; nil for a file of another encoder.
    public let quality: Double?
    /// The size of the encoded file.
    public let bytes: Int
    /// The scores by metric.
    public let scores: [String: Double]
    /// The median CPU times of encode and decode, milliseconds; nil where they were not timed.
    public let encodeMilliseconds, decodeMilliseconds: Double?

    init?(_ row: ResultRow) {
      guard row.status == .measured, let variant = row.variant, let bytes = row.encodedBytes else {
        return nil
      }
      (image, codec, quality, self.bytes) = (row.image, variant.name, row.quality?.value, bytes)
      (encodeMilliseconds, decodeMilliseconds) = (row[.encode, .cpu]?.median, row[.decode, .cpu]?.median)
      scores = row.scores
    }
  }

  /// The measured points of the run in the order of `measurements.csv`.
  /// - Throws: if the results cannot be read.
  public func points() throws -> [Point] {
    try HeicBenchError.mapping {
      var points: [Point] = []
      try source.forEachRow { row in if let point = Point(row) { points.append(point) } }
      return points
    }
  }
}

extension CostOutcome {
  /// A measured read: the pixels of one file by one route.
  public struct Read: Sendable, Hashable {
    /// The picture's name.
    public let image: String
    /// The codec with its settings, and its quality; nil for a file as found.
    public let codec: String?, quality: Double?
    /// The route: `full`, `scaled`, `thumbnail` or `region`.
    public let route: String
    /// The median CPU time of the decode, milliseconds.
    public let cpuMilliseconds: Double?
    /// The growth of memory meanwhile; nil if unknown.
    public let peakBytes: Int?
    /// The SSIMULACRA2 score against the whole picture; nil where there is none.
    public let score: Double?

    init?(_ row: ReadRow) {
      let key = row.record.key
      guard let figures = row.record.measurement else { return nil }
      (image, codec, quality) = (key.image.name, key.encoding?.variant.name, key.encoding?.quality.value)
      (route, cpuMilliseconds) = (key.route.rawValue, row.cpu?.median)
      (peakBytes, score) = (figures.peakBytes, figures.ssimulacra2)
    }
  }

  /// The measured reads of the requested pictures, earlier ones of the folder included; none for tiles.
  /// - Throws: if the results cannot be read.
  public func reads() throws -> [Read] {
    try HeicBenchError.mapping {
      try ResultStore(reading: folder).reads().filter { pictures.contains($0.key.image.name) }
        .compactMap { Read(ReadRow($0)) }
    }
  }
}
