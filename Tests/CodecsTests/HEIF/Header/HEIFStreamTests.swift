import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// The stream decides a picture's size, range and memory, whatever the boxes around it say.
struct HEIFStreamTests {
  private typealias File = HEIFSyntheticFile
  private let reader = HEIFReader()

  /// A coded picture to build files from: its data, and its properties except the size.
  private struct Coded {
    var type: String
    var properties: [[UInt8]]
    var data: [UInt8]
  }

  private func coded(
    _ codec: any ImageCodec, width: Int, height: Int, layout: ChannelLayout = .rgb
  ) throws -> Coded {
    let image = try #require(SyntheticImage.waves(width: width, height: height, layout: layout))
    let bytes = try codec.encode(image, settings(of: codec, native: 80))
    let items = try HEIFItems(bytes, isWhole: true)
    let data = try #require(items.data(of: items.primary))
    let kept = (items.propertyBoxes[items.primary] ?? []).filter {
      ["hvcC", "av1C", "colr"].contains($0.type)
    }
    return Coded(
      type: "\(try #require(items.types[items.primary]))",
      properties: kept.map { File.box("\($0.type)", Array($0.payload)) }, data: Array(data))
  }

  private func item(_ id: Int, _ coded: Coded, _ width: Int, _ height: Int) -> File.Item {
    File.Item(
      id: id, type: coded.type, properties: [File.size(width, height)] + coded.properties, data: coded.data)
  }

  private func file(_ codec: any ImageCodec, _ items: [File.Item]) -> [UInt8] {
    File(brand: codec.traits.id, items: items).bytes
  }

  private static let requests: [DecodePart] = [
    .full, .scaled(longestSide: 64), .region(PixelRegion(x: 0, y: 0, width: 8, height: 8)), .firstTile,
    .thumbnail(longestSide: 16), .ycbcr,
  ]

  @Test(arguments: [HEICCodec(), AVIFCodec()] as [any ImageCodec])
  func anotherSizeIsRefusedByEveryRoute(codec: any ImageCodec) throws {
    let large = try coded(codec, width: 512, height: 512)
    let honest = file(codec, [item(1, large, 512, 512)])
    #expect(try reader.read(honest, limits: ReadLimits()).image.width == 512)
    let lie = file(codec, [item(1, large, 128, 128)])
    let fault = CodecError.malformed("the stream is 512×512, but the file says 128×128")
    #expect(throws: fault) { try reader.header(of: lie) }
    for request in Self.requests where request != .ycbcr {
      #expect(throws: fault, "\(request)") { try reader.decode(lie, request, limits: ReadLimits()) }
    }
    // Nor may the picture be larger than stated.
    #expect(throws: CodecError.malformed("the stream is 512×512, but the file says 4096×512")) {
      try reader.read(file(codec, [item(1, large, 4096, 512)]), limits: ReadLimits())
    }
  }

  @Test(arguments: [HEICCodec(), AVIFCodec()] as [any ImageCodec])
  func tilesAlphaAndThumbnailsToo(codec: any ImageCodec) throws {
    let (large, small) = (try coded(codec, width: 256, height: 256), try coded(codec, width: 64, height: 64))
    let fault = CodecError.malformed("the stream is 256×256, but the file says 64×64")
    var grid = File.Item(
      id: 1, type: "grid", properties: [File.size(128, 64)], sources: [2, 3],
      data: File.grid(rows: 1, columns: 2, width: 128, height: 64))
    let lie = file(codec, [grid, item(2, small, 64, 64), item(3, large, 64, 64)])
    #expect(throws: fault) { try reader.read(lie, limits: ReadLimits()) }
    // A gap in the canvas would show uninitialized memory.
    let gap = file(codec, [grid, item(2, small, 64, 64), item(3, small, 72, 64)])
    #expect(throws: CodecError.self) { try reader.read(gap, limits: ReadLimits()) }
    grid.properties = [File.size(512, 512)]
    grid.data = File.grid(rows: 1, columns: 2, width: 512, height: 512)
    #expect(throws: CodecError.malformed("tiles that do not cover the picture")) {
      try reader.read(
        file(codec, [grid, item(2, small, 64, 64), item(3, small, 64, 64)]), limits: ReadLimits())
    }
    var alpha = item(2, large, 64, 64)
    alpha.properties.append(File.alphaKind)
    alpha.alphaOf = 1
    #expect(throws: fault) {
      try reader.read(file(codec, [item(1, small, 64, 64), alpha]), limits: ReadLimits())
    }
    var thumbnail = item(2, large, 64, 64)
    thumbnail.thumbnailOf = 1
    let withThumbnail = file(codec, [item(1, large, 256, 256), thumbnail])
    #expect(try reader.read(withThumbnail, limits: ReadLimits()).image.width == 256)
    let error = #expect(throws: CodecError.self) {
      try reader.decode(withThumbnail, .thumbnail(longestSide: 16), limits: ReadLimits())
    }
    #expect(error.map { "\($0)".contains("the stream is 256×256, but the file says 64×64") } == true)
  }

  /// The limit applies to what is decoded.
  @Test func theLimitGoesByTheLarger() throws {
    let codec = AVIFCodec()
    let picture = try coded(codec, width: 100, height: 100)
    let padded = file(codec, [item(1, picture, 60, 100)])
    #expect(throws: CodecError.limitExceeded("100×100 is over the limit of 9000 pixels")) {
      try reader.read(padded, limits: ReadLimits(maximumPixels: 9000))
    }
  }

  // MARK: Range

  /// The levels of a limited range, spread over the full range.
  private func spread(_ image: RasterImage) -> [Int] {
    let maximum = Double(image.format.maximum)
    let step = (maximum + 1) / 256
    return values(image).map { sample in
      Int(min(max(((Double(sample) - 16 * step) * maximum / (219 * step)).rounded(), 0), maximum))
    }
  }

  private func values(_ image: RasterImage) -> [Int] {
    switch image.samples {
    case .bytes(let bytes): bytes.map(Int.init)
    case .words(let words): words.map(Int.init)
    }
  }

  /// A file of a losslessly coded picture with a limited range. Its colour box says so; without the box, its own
  /// headers do.
  private func limited(
    _ codec: any ImageCodec, _ image: RasterImage, hasBox: Bool
  ) throws -> [UInt8] {
    let depth = "\(image.format.bitDepth)"
    let bytes = try codec.encode(
      image, settings(of: codec, native: 90, ["lossless": "true", "depth": depth]))
    let items = try HEIFItems(bytes, isWhole: true)
    var coded = Coded(type: "\(items.types[1] ?? "none")", properties: [], data: [])
    coded.data = Array(items.data(of: 1) ?? [])
    coded.properties = (items.propertyBoxes[1] ?? []).filter { ["hvcC", "av1C"].contains($0.type) }
      .map { File.box("\($0.type)", Array($0.payload)) }
    let matrix = image.format.layout.isGray ? 1 : 0
    if hasBox {
      let numbers = [1, 13, matrix].flatMap { File.number($0, 2) }
      coded.properties.append(File.box("colr", Array("nclx".utf8) + numbers + [0]))
    }
    var file = file(codec, [item(1, coded, image.width, image.height)])
    guard !hasBox else { return file }
    let copy = try HEIFItems(file)
    let colour = copy.sampleColour(of: 1, copy.stream(of: 1))
    try #require(colour.isFullRange == true && !colour.rangeBits.isEmpty)
    for bit in colour.rangeBits { file[bit / 8] &= ~(128 >> UInt8(bit % 8)) }
    return file
  }

  @Test(arguments: [8, 10]) func grayAndRGBOfHEICAreSpread(depth: Int) throws {
    for layout in [ChannelLayout.gray, .rgb] {
      let image = try #require(SyntheticImage.waves(width: 64, height: 64, layout: layout, bitDepth: depth))
      let found = try reader.read(limited(HEICCodec(), image, hasBox: true), limits: ReadLimits()).image
      #expect(found.format == image.format)
      #expect(values(found) == spread(image), "\(layout)")
    }
  }

  @Test(arguments: [true, false]) func grayAndRGBOfAVIFAreSpread(hasBox: Bool) throws {
    for layout in [ChannelLayout.gray, .rgb] {
      // RGB with sRGB's code points has no bit for its range.
      guard hasBox || layout == .gray else { continue }
      let image = try #require(SyntheticImage.waves(width: 64, height: 64, layout: layout))
      let found = try reader.read(limited(AVIFCodec(), image, hasBox: hasBox), limits: ReadLimits()).image
      #expect(found.format == image.format)
      #expect(values(found) == spread(image), "\(layout)")
    }
  }

  /// The original picture compared with other people's files.
  @Test(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)))
  func limitedGrayOfOthers() throws {
    let truth = try PNGReader().read(SharedFolder.bytes("field/limited/mono.truth.png"), limits: ReadLimits())
      .image.collapsedToGray()
    for name in ["mono-limited", "mono-full"] {
      let found = try reader.read(SharedFolder.bytes("field/limited/\(name).heic"), limits: ReadLimits())
        .image
      #expect(found.format.layout == .gray)
      #expect(meanDifference(found, truth) < 0.004, "\(name)")
    }
  }

  // MARK: Alpha

  @Test(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)))
  func alphaOfTilesIsRead() throws {
    let truth = try PNGReader().read(
      SharedFolder.bytes("field/alpha/grid-alpha-in-tiles.truth.png"), limits: ReadLimits()
    ).image
    let bytes = try SharedFolder.bytes("field/alpha/grid-alpha-in-tiles.heic")
    #expect(try reader.header(of: bytes).layout == .rgba)
    let image = try reader.read(bytes, limits: ReadLimits()).image
    #expect(image.format == truth.format && meanDifference(image, truth) < 0.02)
    let region = PixelRegion(x: 10, y: 20, width: 70, height: 60)
    let part = try reader.decode(bytes, .region(region), limits: ReadLimits()).raster
    #expect(part == image.cropped(to: region))
  }

  @Test(arguments: [HEICCodec(), AVIFCodec()] as [any ImageCodec])
  func alphaOfAnotherSizeIsScaledOrToldOf(codec: any ImageCodec) throws {
    let main = try coded(codec, width: 256, height: 128)
    func picture(_ width: Int, _ height: Int) throws -> SourceImage {
      var alpha = item(2, try coded(codec, width: width, height: height, layout: .gray), width, height)
      alpha.properties.append(File.alphaKind)
      alpha.alphaOf = 1
      let bytes = file(codec, [item(1, main, 256, 128), alpha])
      let source = try reader.read(bytes, limits: ReadLimits())
      #expect(try reader.header(of: bytes).layout == source.image.format.layout)
      return source
    }
    let scaled = try picture(128, 64)
    #expect(scaled.image.format.layout == .rgba)
    #expect(scaled.notes == ["alpha of 128×64 scaled to the picture's size"])
    let waves = try #require(SyntheticImage.waves(width: 128, height: 64, layout: .gray))
    let alpha = values(scaled.image).enumerated().filter { $0.offset % 4 == 3 }.map(\.element)
    let small = values(waves)
    // Close to the mean of four samples, within what the codec loses.
    var apart = 0
    for (index, value) in alpha.enumerated() {
      let (x, y) = (index % 256 / 2, index / 256 / 2)
      apart += abs(value - small[y * 128 + x])
    }
    #expect(alpha.count == 256 * 128 && apart / alpha.count < 12)
    let left = try picture(64, 128)
    #expect(left.image.format.layout == .rgb && left.notes == ["alpha image with a different shape left out"])
  }
}
