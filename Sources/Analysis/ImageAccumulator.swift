import Model
import Store

struct ImageAccumulator: Sendable {
  let name: String
  let hash: String?
  private(set) var width: Int?
  private(set) var height: Int?
  private(set) var pixels: Int?
  private(set) var sourceIsLossy = false
  private(set) var sourceBytes: Int?
  /// True if the gain map was left out, of the image or of a file made from it.
  private(set) var hasGainMap = false
  /// True if any row is about a variant, so that the image itself was readable.
  private(set) var isUsable = false
  private(set) var samples: [[PointSample]] = []
  private(set) var present: Set<Int> = []

  init(_ row: ResultRow) {
    name = row.image
    hash = row.imageHash
  }

  var shorterSide: Int? { width.flatMap { width in height.map { min(width, $0) } } }

  func owns(_ row: ResultRow) -> Bool { row.image == name && row.imageHash == hash }

  /// Stands for the image among very many: the probability that two of a million share the same 64 bits, and so are
  /// reported as scattered rows, is three in a hundred million.
  static func digest(_ row: ResultRow) -> Int { [row.image, row.imageHash].hashValue }

  mutating func describe(_ row: ResultRow) {
    width = width ?? row.width
    height = height ?? row.height
    pixels = pixels ?? row.pixels
    if row.sourceIsLossy == true { sourceIsLossy = true }
    sourceBytes = sourceBytes ?? row.sourceBytes
    if !hasGainMap, let remark = row.error { hasGainMap = remark.contains(ImageRecord.gainMapStep) }
  }

  /// Adds a row of a variant. Returns the bytes of an earlier point in the same place if they differ; the later point
  /// replaces it.
  mutating func add(_ sample: PointSample?, variant: Int) -> Int? {
    isUsable = true
    present.insert(variant)
    guard let sample else { return nil }
    while samples.count <= variant { samples.append([]) }
    if let earlier = samples[variant].firstIndex(where: { $0.place == sample.place }) {
      let bytes = samples[variant][earlier].bytes
      samples[variant][earlier] = sample
      return bytes == sample.bytes ? nil : bytes
    }
    samples[variant].append(sample)
    return nil
  }
}
