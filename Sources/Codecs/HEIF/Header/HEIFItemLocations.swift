import CodecKit

/// Locations of item data (ISO/IEC 14496-12, 8.11.3).
struct HEIFItemLocations {
  private struct Extent {
    var isInItemData: Bool
    var offset: Int
    var length: Int
    /// True if the item has no other extent.
    var isWhole: Bool
    var total: Int
  }

  private var extents: [Int: Extent] = [:]
  var itemData: ArraySlice<UInt8>?

  init() {}

  /// Reads an `iloc` box, keeping only each item's first extent: the descriptions read here have just one.
  init(_ box: HEIFBox) throws(CodecError) {
    var (version, _, reader) = try box.full()
    guard let widths = reader.number(2), let count = reader.number(version < 2 ? 2 : 4) else {
      throw box.broken
    }
    let (offsetWidth, lengthWidth) = (widths >> 12, widths >> 8 & 15)
    let (baseWidth, indexWidth) = (widths >> 4 & 15, version > 0 ? widths & 15 : 0)
    for _ in 0..<count {
      guard let item = reader.number(version < 2 ? 2 : 4),
        let method = version > 0 ? reader.number(2).map({ $0 & 15 }) : 0,
        reader.number(2) != nil, let base = reader.number(baseWidth), let extentCount = reader.number(2)
      else { throw box.broken }
      guard extentCount > 0 else { continue }
      guard reader.number(indexWidth) != nil, let offset = reader.number(offsetWidth),
        let length = reader.number(lengthWidth),
        // Skipped in one step: eight bytes of file could claim 65,535 empty extents.
        let others = reader.take((extentCount - 1) * (indexWidth + offsetWidth + lengthWidth))
      else { throw box.broken }
      let total = Self.length(of: others, skipping: indexWidth + offsetWidth, lengthWidth)
      let (start, overflow) = base.addingReportingOverflow(offset)
      if method <= 1, !overflow {
        extents[item] = Extent(
          isInItemData: method == 1, offset: start, length: length, isWhole: extentCount == 1,
          total: length &+ total)
      }
    }
  }

  /// Sum of extent lengths; hostile lengths may wrap around, harmlessly.
  private static func length(of extents: ArraySlice<UInt8>, skipping offset: Int, _ width: Int) -> Int {
    guard width > 0 else { return 0 }
    var reader = BoxScanner(extents)
    var total = 0
    while reader.take(offset) != nil, let length = reader.number(width) { total &+= length }
    return total
  }

  /// Start of an item's data, equal for items that share data; nil if unknown.
  func start(of item: Int) -> Int? {
    extents[item].map { $0.isInItemData ? -1 - $0.offset : $0.offset }
  }

  /// Bytes of an item's data as stated, clamped to the file's size; 0 if unknown.
  func bytes(of item: Int, fileBytes: Int) -> Int {
    guard let total = extents[item]?.total else { return 0 }
    return min(max(total, 0), fileBytes)
  }

  /// At most `count` first bytes of an item's data; nil if not found.
  func data(of item: Int, in file: [UInt8], count: Int) -> ArraySlice<UInt8>? {
    guard let extent = extents[item], let source = extent.isInItemData ? itemData : file[...],
      extent.offset <= source.count
    else { return nil }
    let bytes = source.dropFirst(extent.offset)
    // Zero length means all that follows.
    return bytes.prefix(extent.length == 0 ? count : min(count, extent.length))
  }

  /// All of an item's data; nil if missing, cut off or in several pieces.
  func data(of item: Int, in file: [UInt8]) -> ArraySlice<UInt8>? {
    guard let extent = extents[item], extent.isWhole,
      let bytes = data(of: item, in: file, count: .max), extent.length == 0 || bytes.count == extent.length
    else { return nil }
    return bytes
  }
}
