import Model
import Store

struct ImageAccumulator: Sendable {
  let name: String
  let hash: String?
  /// True if an image with another name has the same content, which counts only once.
  let isCopy: Bool
  private(set) var width: Int?
  private(set) var height: Int?
  private(set) var pixels: Int?
  private(set) var sourceIsLossy = false
  private(set) var sourceBytes: Int?
  /// True if the gain map of the image, or of a file made from it, was left out.
  private(set) var hasGainMap = false
  /// Other remarks on the image, or on a file made from it.
  private(set) var remarks: Set<String> = []
  private var latestRemarks: [String] = []
  /// True if any row belongs to a variant, which shows that the image was readable.
  private(set) var isUsable = false
  private(set) var samples: [[PointSample]] = []
  private(set) var present: Set<Int> = []

  init(_ row: ResultRow, isCopy: Bool) {
    (name, hash) = (row.image, row.imageHash)
    self.isCopy = isCopy
  }

  var shorterSide: Int? { width.flatMap { width in height.map { min(width, $0) } } }

  func owns(_ row: ResultRow) -> Bool { row.image == name && row.imageHash == hash }

  mutating func describe(_ row: ResultRow) {
    width = width ?? row.width
    height = height ?? row.height
    pixels = pixels ?? row.pixels
    if row.sourceIsLossy == true { sourceIsLossy = true }
    sourceBytes = sourceBytes ?? row.sourceBytes
    if row.remarks != latestRemarks {
      remarks.formUnion(row.remarks)
      latestRemarks = row.remarks
    }
    if !hasGainMap, let remark = row.error { hasGainMap = remark.contains(ImageRecord.gainMapStep) }
  }

  /// Adds a row of a variant. Returns the bytes of an earlier point in the same place if they differ; the new point
  /// replaces the earlier one.
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
