import CodecKit
import Pixels

/// Visits an image and all images it is derived from, as a decoder would.
struct HEIFDerivationWalk {
  struct Size: Hashable {
    var width: Int
    var height: Int
  }

  struct Coded {
    var item: Int
    var type: FourCC
    var isGray: Bool
    var bits: Int
  }

  /// Deepest derivation; real files derive at most a crop from an overlay of grids.
  static let maximumDepth = 8
  /// Most images visited; a grid has at most 65,536 tiles.
  static let maximumVisits = 100_000

  private let items: HEIFItems
  private let maximumPixels: Int
  private var budget: Int
  private var visits = 0

  /// Starts a walk. All images together may have four times `maximumPixels`.
  init(items: HEIFItems, maximumPixels: Int) {
    (self.items, self.maximumPixels) = (items, maximumPixels)
    budget = maximumPixels *| 4
  }

  /// Visits an image and, because libheif decodes it too, the alpha of every image on the way. Returns the first coded
  /// image below, which determines depth and channels.
  mutating func visit(_ item: Int, depth: Int = 0) throws(CodecError) -> Coded {
    guard depth < Self.maximumDepth else {
      throw .limitExceeded("images derived from each other more than \(Self.maximumDepth) deep")
    }
    visits +|= 1
    guard visits <= Self.maximumVisits else {
      throw .limitExceeded("put together from more than \(Self.maximumVisits) images")
    }
    guard let type = items.types[item] else { throw .malformed("image \(item) does not exist") }
    try spend(storedSize(of: item))
    for alpha in items.alphas(of: item) {
      _ = try visit(alpha, depth: depth +| 1)
      let (size, alphaSize) = (try transformedSize(of: item), try transformedSize(of: alpha))
      guard depth == 0 || alphaSize == size else {
        throw .unsupported("an image inside has alpha of another size")
      }
    }
    switch type {
    case "hvc1", "av01": return try coded(item, type)
    case "grid", "iovl": if let size = canvas(item, type) { try spend(size) }
    case "iden": break
    default:
      throw .unsupported(
        "an image of type “\(type)”, which is neither HEVC nor AV1 nor put together from such")
    }
    var first: Coded?
    for target in items.sources(of: item) {
      let coded = try visit(target, depth: depth +| 1)
      first = first ?? coded
    }
    guard let first else { throw .malformed("the derived image \(item) stands on no image") }
    return first
  }

  /// Size of an image after its own transformations, in listed order.
  func transformedSize(of item: Int) throws(CodecError) -> Size {
    var size = try storedSize(of: item)
    for property in items.properties[item] ?? [] {
      switch property {
      case .rotation(let turns) where turns & 1 == 1: size = Size(width: size.height, height: size.width)
      case .crop(let width, let height):
        size = Size(width: min(max(width, 1), size.width), height: min(max(height, 1), size.height))
      default: break
      }
    }
    return size
  }

  func check(_ size: Size, _ name: String) throws(CodecError) {
    guard size.width > 0, size.height > 0 else { throw .malformed("\(name) is empty") }
    try Self.check(width: size.width, height: size.height, maximumPixels: maximumPixels)
  }

  static func check(width: Int, height: Int, maximumPixels: Int) throws(CodecError) {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= maximumPixels else {
      throw .limitExceeded("\(width)×\(height) is over the limit of \(maximumPixels) pixels")
    }
  }

  private func storedSize(of item: Int) throws(CodecError) -> Size {
    for case .size(let width, let height) in items.properties[item] ?? [] {
      return Size(width: width, height: height)
    }
    throw .malformed("image \(item) does not tell its size")
  }

  private mutating func spend(_ size: Size) throws(CodecError) {
    try check(size, "an image inside")
    budget = budget -| size.width *| size.height
    guard budget >= 0 else {
      throw .limitExceeded("the images inside unfold into more than \(maximumPixels) × 4 pixels")
    }
  }

  private func coded(_ item: Int, _ type: FourCC) throws(CodecError) -> Coded {
    for case .coding(let isGray, let bits) in items.properties[item] ?? [] {
      return Coded(item: item, type: type, isGray: isGray, bits: bits)
    }
    throw .malformed("image \(item) lacks its decoder configuration")
  }

  /// Canvas in the data of a grid or overlay (ISO/IEC 23008-12, 6.6.2); may differ from the properties' size.
  private func canvas(_ item: Int, _ type: FourCC) -> Size? {
    var reader = BoxScanner(items.data(of: item, count: 20) ?? [])
    guard (try? reader.number(1)) == 0, let flags = try? reader.number(1),
      (try? reader.take(type == "grid" ? 2 : 8)) != nil,
      let width = try? reader.number(flags & 1 == 1 ? 4 : 2),
      let height = try? reader.number(flags & 1 == 1 ? 4 : 2)
    else { return nil }
    return Size(width: width, height: height)
  }
}
