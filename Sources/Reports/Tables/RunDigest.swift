import Model
package import Store

/// Facts about a run's rows that the analysis does not cover: the corpus and the failures. It takes row by row and
/// stays small.
package struct RunDigest: Sendable {
  struct Unsupported: Sendable {
    let variant, reason, example: String
    var points = 0
  }

  /// Rows that are listed up to a limit and counted beyond it.
  package struct Listing: Sendable {
    static let limit = 50
    private(set) var first: [ResultRow] = []
    package private(set) var count = 0

    mutating func add(_ row: ResultRow) {
      if count < Self.limit { first.append(row) }
      count += 1
    }
  }

  private(set) var formats: [String: Int] = [:]
  private(set) var imagesWithAlpha = 0
  private(set) var deepImages = 0
  package private(set) var failures = Listing()
  package private(set) var unusable = Listing()
  private var lastImage: String?
  /// By variant and reason.
  private var reasons: [[String]: Unsupported] = [:]
  private var sharedTimes: [CodecVariant: Set<Quality>] = [:]

  init() {}

  /// Adds the next row. Rows of the same image must be adjacent. The kinds of images leave out copies of others.
  mutating func add(_ row: ResultRow, isCopy: Bool = false) {
    guard let variant = row.variant else { return unusable.add(row) }
    if row.image != lastImage, !isCopy { addImage(row) }
    switch row.status {
    case .measured:
      if row.conditions != .exclusive, let quality = row.quality {
        sharedTimes[variant, default: []].insert(quality)
      }
    case .failed: failures.add(row)
    case .unsupported: addUnsupported(variant: variant.name, row: row)
    }
  }

  var unsupported: [Unsupported] {
    reasons.values.sorted { ($0.variant, $0.reason) < ($1.variant, $1.reason) }
  }

  /// True if all wall times of a variant at a quality come from the exclusive timing pass.
  package func hasExclusiveTimes(_ summary: QualitySummary) -> Bool {
    sharedTimes[summary.variant]?.contains(summary.quality) != true
  }

  /// The kinds of images in the corpus, in one line: `20 png, 4 jpeg; 3 with alpha, 1 of more than 8 bits`.
  var kinds: String {
    let byFormat = formats.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var text = byFormat.map { "\(Numerals.grouped($0.value)) \($0.key)" }.joined(separator: ", ")
    let special = [(imagesWithAlpha, "with alpha"), (deepImages, "of more than 8 bits")].filter { $0.0 > 0 }
    if !special.isEmpty {
      text += "; " + special.map { "\(Numerals.grouped($0)) \($1)" }.joined(separator: ", ")
    }
    return text
  }

  private mutating func addUnsupported(variant: String, row: ResultRow) {
    var reason = row.error ?? "no reason given"
    // Limits the number of reasons: they may name the image's size, and a corpus may have as many sizes as images.
    if reasons[[variant, reason]] == nil, reasons.count >= Listing.limit { reason = "other reasons" }
    let new = Unsupported(variant: variant, reason: reason, example: row.image)
    reasons[[variant, reason], default: new].points += 1
  }

  private mutating func addImage(_ row: ResultRow) {
    // A failed point may lack the raster's description; a later row of the image has it.
    lastImage = row.pixels == nil ? nil : row.image
    guard lastImage != nil else { return }
    formats[row.sourceFormat ?? "unknown", default: 0] += 1
    if row.alpha == true { imagesWithAlpha += 1 }
    if row.bitDepth ?? 8 > 8 { deepImages += 1 }
  }
}
