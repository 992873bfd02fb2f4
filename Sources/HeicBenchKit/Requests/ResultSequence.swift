import Model
import Reports
import Store

/// Values of results in the order of their table. They are read page by page on demand, so that millions take no more
/// memory than a few.
public struct ResultSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// Returns the values from a position on, and the position after them; nil at the end.
  let page: @Sendable (Int) throws -> (values: [Element], next: Int?)

  /// A pass through the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let page: @Sendable (Int) throws -> (values: [Element], next: Int?)
    private var values: [Element].Iterator = [].makeIterator()
    private var position: Int? = 0

    init(_ page: @escaping @Sendable (Int) throws -> (values: [Element], next: Int?)) { self.page = page }

    /// The next value; nil at the end.
    /// - Throws: `HeicBenchError` if the results cannot be read, `CancellationError` in a cancelled task.
    public mutating func next() async throws -> Element? {
      while true {
        if let value = values.next() { return value }
        guard let start = position else { return nil }
        try Task.checkCancellation()
        let read = try await onThread { [page] in try HeicBenchError.mapping { try page(start) } }
        (values, position) = (read.values.makeIterator(), read.next)
      }
    }
  }

  /// Starts a pass from the first value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(page) }
}

extension SweepOutcome {
  /// A measured point: one image with one codec at one quality.
  public struct Point: Sendable, Hashable {
    /// The image's name.
    public let image: String
    /// The codec with its settings, or the name of another encoder's files.
    public let codec: String
    /// The quality; nil for another encoder's file.
    public let quality: Double?
    /// The size of the encoded file.
    public let bytes: Int
    /// The scores by metric.
    public let scores: [String: Double]
    /// The median CPU times of encode and decode, milliseconds; nil if they were not timed.
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
  public var points: ResultSequence<Point> {
    ResultSequence { [store, run] position in
      let page = try store.rows(of: run.id, from: position)
      return (page.rows.compactMap(Point.init), page.next)
    }
  }
}

extension CostOutcome {
  /// A measured read: the pixels of one file by one route.
  public struct Read: Sendable, Hashable {
    /// The picture's name.
    public let image: String
    /// The codec with its settings, and its quality; nil for an unchanged file.
    public let codec: String?, quality: Double?
    /// The route: `full`, `scaled`, `thumbnail` or `region`.
    public let route: String
    /// The median CPU time of the decode, milliseconds.
    public let cpuMilliseconds: Double?
    /// The growth of memory during the decode, bytes; nil if unknown.
    public let peakBytes: Int?
    /// The SSIMULACRA2 score against the whole picture; nil if there is none.
    public let score: Double?

    /// The scores by metric: those of every read, and the additional ones that were requested.
    public let scores: [String: Double]

    init?(_ read: CaseRecord) {
      let key = read.key
      guard let figures = read.figures else { return nil }
      (image, codec, quality) = (key.image.name, key.encoding?.variant.name, key.encoding?.quality.value)
      (route, cpuMilliseconds) = (key.route.rawValue, read.cpu?.median)
      (peakBytes, score) = (figures.figures[.decodePeak], figures[.plain])
      let plain = figures.scores.filter { !$0.key.contains(" ") }
      scores = Dictionary(
        plain.map { ("\($0.key.prefix { $0 != "@" })", $0.value) }, uniquingKeysWith: { $1 })
    }
  }

  /// The measured reads of the requested pictures, including earlier ones in the folder; none for tiles.
  public var reads: ResultSequence<Read> {
    ResultSequence { [folder, pictures] _ in
      let reads = try ResultStore(reading: folder).reads()
      return (reads.filter { pictures.contains($0.key.image.name) }.compactMap { Read($0) }, nil)
    }
  }
}
