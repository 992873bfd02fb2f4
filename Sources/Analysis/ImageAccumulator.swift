internal import Model
import Store

/// The rows of the image that is streaming by.
struct ImageAccumulator: Sendable {
  let name: String
  let hash: String?
  private(set) var width: Int?
  private(set) var height: Int?
  private(set) var pixels: Int?
  private(set) var sourceIsLossy = false
  private(set) var sourceBytes: Int?
  /// Whether its gain map was left out, or that of a file made of it.
  private(set) var hasGainMap = false
  /// Whether any row is about a variant, so that the image itself could be read.
  private(set) var isUsable = false
  /// The measured points of each variant of the run, in any order.
  private(set) var samples: [[PointSample]] = []
  /// The variants that have a row of any status.
  private(set) var present: Set<Int> = []

  init(_ row: ResultRow) {
    name = row.image
    hash = row.imageHash
  }

  /// The shorter side in pixels; nil where it is not known.
  var shorterSide: Int? { width.flatMap { width in height.map { min(width, $0) } } }

  /// Whether the row is about this image.
  func owns(_ row: ResultRow) -> Bool { row.image == name && row.imageHash == hash }

  /// Takes what the row says about the image itself.
  mutating func describe(_ row: ResultRow) {
    width = width ?? row.width
    height = height ?? row.height
    pixels = pixels ?? row.pixels
    if row.sourceIsLossy == true { sourceIsLossy = true }
    sourceBytes = sourceBytes ?? row.sourceBytes
    if !hasGainMap, let remark = row.error { hasGainMap = remark.contains(ImageRecord.gainMapStep) }
  }

  /// Takes a row of a variant, and returns the bytes of an earlier point of the same place that differs. The
  /// later one counts.
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
