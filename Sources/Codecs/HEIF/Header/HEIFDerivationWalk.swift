import CodecKit
import Pixels

/// Visits an image and all images it is derived from, as a decoder would.
struct HEIFDerivationWalk {
  struct Size: Hashable {
    var width: Int
    var height: Int

    /// True if the shape matches a picture's to within a sample, so that one can be scaled to the other.
    func hasShape(of picture: Size) -> Bool {
      let (across, down) = (width *| picture.height, height *| picture.width)
      return abs(across -| down) <= max(picture.width, picture.height)
    }
  }

  struct Coded {
    var item: Int
    var type: FourCC
    var isGray: Bool
    var bits: Int
    var stream: HEIFStream
    var colour: HEIFSampleColour

    /// True if samples have a limited range but no matrix, in which case libheif does not expand the range.
    var isLimited: Bool { colour.isFullRange == false && (isGray || colour.isIdentity) }
  }

  /// The deepest derivation allowed; real files derive at most a crop from an overlay of grids.
  static let maximumDepth = 8
  /// The maximum number of images to visit; a grid has at most 65,536 tiles.
  static let maximumVisits = 100_000

  /// The maximum number of units of coded data to look at.
  static let maximumUnits = 1_000_000

  private let items: HEIFItems
  private let maximumPixels: Int
  private var budget: Int
  private var visits = 0
  private var units = 0
  /// Positions of the bits that state the limited range of directly coded RGB, which libheif 1.15 would reduce even
  /// further.
  private(set) var rangeBits: Set<Int> = []

  /// Starts a walk. All images together may have up to four times `maximumPixels`.
  init(items: HEIFItems, maximumPixels: Int) {
    (self.items, self.maximumPixels) = (items, maximumPixels)
    budget = maximumPixels *| 4
  }

  /// Visits an image and, because libheif decodes it too, the alpha of every image on the way. Returns the first coded
  /// image found, which determines depth and channels.
  /// - Parameter isTile: True if the image is a tile of a grid.
  mutating func visit(_ item: Int, depth: Int = 0, isTile: Bool = false) throws(CodecError) -> Coded {
    guard depth < Self.maximumDepth else {
      throw .limitExceeded("derived images nested more than \(Self.maximumDepth) deep")
    }
    visits +|= 1
    guard visits <= Self.maximumVisits else {
      throw .limitExceeded("assembled from more than \(Self.maximumVisits) images")
    }
    guard let type = items.types[item] else { throw .malformed("image \(item) does not exist") }
    try spend(storedSize(of: item))
    for alpha in items.alphas(of: item) {
      _ = try visit(alpha, depth: depth +| 1)
      let (size, alphaSize) = (try transformedSize(of: item), try transformedSize(of: alpha))
      guard depth == 0 || alphaSize == size else {
        throw .unsupported("an image within it has alpha of a different size")
      }
    }
    switch type {
    case "hvc1", "av01": return try coded(item, type, isTile: isTile)
    case "grid", "iovl": try checkCanvas(of: item, type)
    case "iden": break
    default:
      throw .unsupported(
        "an image of type “\(type)”, which is neither HEVC nor AV1 nor derived from these")
    }
    var first: Coded?
    for target in items.sources(of: item) {
      let coded = try visit(target, depth: depth +| 1, isTile: type == "grid")
      first = first ?? coded
    }
    guard let first else { throw .malformed("the derived image \(item) has no source image") }
    if type == "grid" { try checkTiles(of: item) }
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
    throw .malformed("image \(item) does not state its size")
  }

  private mutating func spend(_ size: Size) throws(CodecError) {
    try check(size, "an image within it")
    budget = budget -| size.width *| size.height
    guard budget >= 0 else {
      throw .limitExceeded("the images within it expand to more than \(maximumPixels) × 4 pixels")
    }
  }

  private mutating func coded(_ item: Int, _ type: FourCC, isTile: Bool) throws(CodecError) -> Coded {
    let (size, stream) = (try storedSize(of: item), items.stream(of: item))
    try stream.check(width: size.width, height: size.height, isTile: isTile)
    for header in stream.headers {
      try check(Size(width: header.width, height: header.height), "an image within it")
    }
    units +|= stream.units
    guard units <= Self.maximumUnits else {
      throw .limitExceeded("coded in more than \(Self.maximumUnits) units")
    }
    let colour = items.sampleColour(of: item, stream)
    for case .coding(let isGray, let bits) in items.properties[item] ?? [] {
      if !isGray, colour.isIdentity, colour.isFullRange == false { rangeBits.formUnion(colour.rangeBits) }
      return Coded(item: item, type: type, isGray: isGray, bits: bits, stream: stream, colour: colour)
    }
    throw .malformed("image \(item) lacks its decoder configuration")
  }

  private mutating func checkCanvas(of item: Int, _ type: FourCC) throws(CodecError) {
    guard let canvas = canvas(item, type) else { return }
    try spend(canvas)
    let stated = try storedSize(of: item)
    guard max(abs(canvas.width -| stated.width), abs(canvas.height -| stated.height)) <= 64 else {
      throw .malformed(
        "the \(type == "grid" ? "grid" : "overlay") is \(canvas.width)×\(canvas.height), "
          + "but the file says \(stated.width)×\(stated.height)")
    }
  }

  /// Throws `malformed` if tiles leave a part of the canvas without pixels.
  private func checkTiles(of grid: Int) throws(CodecError) {
    guard let canvas = canvas(grid, "grid") else { return }
    let description = ByteReader(items.data(of: grid, count: 4) ?? [])
    guard let rows = description.byte(at: 2), let columns = description.byte(at: 3) else { return }
    var sizes: [Size] = []
    for tile in items.sources(of: grid) { sizes.append(try transformedSize(of: tile)) }
    guard let first = sizes.first, sizes.allSatisfy({ $0 == first }) else {
      throw .malformed("the tiles of a grid differ in size")
    }
    guard first.height *| (rows +| 1) >= canvas.height, first.width *| (columns +| 1) >= canvas.width else {
      throw .malformed("tiles that do not cover the picture")
    }
  }

  /// The canvas size in the data of a grid or overlay (ISO/IEC 23008-12, 6.6.2); it may differ from the properties'
  /// size.
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
