import CodecKit
import Pixels

/// Locations of item data (ISO/IEC 14496-12, 8.11.3).
struct HEIFItemLocations {
  fileprivate struct Extent {
    var isInItemData: Bool
    var offset: Int
    var length: Int
    var isWhole: Bool
    var total: Int
  }

  fileprivate var extents: [Int: Extent] = [:]
  fileprivate let itemData: ArraySlice<UInt8>?

  /// Reads an `iloc` box, keeping only each item's first extent, because the descriptions read here have just one.
  init(_ box: HEIFBox?, itemData: ArraySlice<UInt8>?) throws(CodecError) {
    self.itemData = itemData
    guard let box else { return }
    var (version, _, reader) = try box.full()
    let widths = try reader.number(2)
    let (offsetWidth, lengthWidth) = (widths >> 12, widths >> 8 & 15)
    let (baseWidth, indexWidth) = (widths >> 4 & 15, version > 0 ? widths & 15 : 0)
    let idWidth = version < 2 ? 2 : 4
    for _ in try reader.number(idWidth).indices {
      let item = try reader.number(idWidth)
      let method = version > 0 ? try reader.number(2) & 15 : 0
      try reader.take(2)
      let (base, extentCount) = (try reader.number(baseWidth), try reader.number(2))
      guard extentCount > 0 else { continue }
      _ = try reader.number(indexWidth)
      let (offset, length) = (try reader.number(offsetWidth), try reader.number(lengthWidth))
      // Skips the others in one step: eight bytes of file could claim 65,535 empty extents.
      let others = try reader.take((extentCount -| 1) *| (indexWidth +| offsetWidth +| lengthWidth))
      let total = Self.length(of: others, skipping: indexWidth +| offsetWidth, lengthWidth)
      if method <= 1 {
        extents[item] = Extent(
          isInItemData: method == 1, offset: base +| offset, length: length, isWhole: extentCount == 1,
          total: length +| total)
      }
    }
  }

  /// Sum of extent lengths.
  private static func length(of extents: ArraySlice<UInt8>, skipping offset: Int, _ width: Int) -> Int {
    guard width > 0 else { return 0 }
    var reader = BoxScanner(extents)
    var total = 0
    while (try? reader.take(offset)) != nil, let length = try? reader.number(width) { total +|= length }
    return total
  }
}

extension HEIFItems {
  /// Start of an item's data, equal for items that share data; nil if unknown.
  func start(of item: Int) -> Int? {
    locations.extents[item].map { $0.isInItemData ? -1 -| $0.offset : $0.offset }
  }

  /// Bytes of an item's data as stated, clamped to the file's size; 0 if unknown.
  func bytes(of item: Int) -> Int { min(max(locations.extents[item]?.total ?? 0, 0), file.count) }

  /// The first bytes of an item's data, at most `count`; nil if not found.
  func data(of item: Int, count: Int) -> ArraySlice<UInt8>? {
    guard let extent = locations.extents[item],
      let source = extent.isInItemData ? locations.itemData : file[...],
      let data = ByteReader(source).rest(from: extent.offset)
    else { return nil }
    // Zero length means everything that follows.
    return data.beginning(extent.length == 0 ? count : min(count, extent.length))
  }

  /// All of an item's data; nil if missing, truncated or in several pieces.
  func data(of item: Int) -> ArraySlice<UInt8>? {
    guard let extent = locations.extents[item], extent.isWhole, let bytes = data(of: item, count: .max),
      extent.length == 0 || bytes.count == extent.length
    else { return nil }
    return bytes
  }
}
