import CHEIFShim
import CodecKit
import Model
import Pixels

struct HEIFEncoding {
  /// The longest side that every libheif reads back. By default it refuses more than 32,768, and even exactly that in a
  /// grid, which is how it writes odd sizes. From 65,536 up, both codecs lose columns.
  static let maximumSide = 32_767

  let compression: heif_compression_format
  /// The encoder's name in libheif. Settings mean something else in other encoders of the format.
  let encoder: String
  let missingEncoder: String
  /// From 0 to 100.
  let quality: Int
  let isLossless: Bool
  let bitDepth: Int
  let parameters: [(name: String, value: String)]
  var thumbnailSide = 0
  /// Nil for libheif's default, which is silence; level 0 shows x265's errors.
  var logLevel: Int?

  /// - Parameter jpeg: The raster's source file, to be encoded as heif-enc would; nil to encode the raster itself.
  func file(of raster: RasterImage, asProgramOf jpeg: [UInt8]? = nil) throws(CodecError) -> [UInt8] {
    try Self.checkSides(of: raster)
    let context = try HEIFContext()
    guard let encoder = context.encoder(for: compression, named: encoder) else {
      throw .unsupported(missingEncoder)
    }
    if let logLevel { try encoder.setLogLevel(logLevel) }
    if isLossless { try encoder.setLossless() }
    try encoder.setQuality(quality)
    for parameter in parameters { try encoder.set(parameter.name, parameter.value) }
    let points = HEIFColour.codePoints(of: raster.profile)
    let image =
      if let jpeg { try JPEGToHEIF.image(of: jpeg, raster) } else {
        try RasterToHEIF(bitDepth: bitDepth, isLossless: isLossless, points: points).image(of: raster)
      }
    try context.add(image, with: encoder, thumbnailSide: thumbnailSide, statesCodePoints: points != nil)
    return try context.fileBytes()
  }

  /// The file that heif-enc makes from a JPEG; nil if heif-enc encodes the raster itself.
  func program(_ jpeg: [UInt8], _ raster: RasterImage) throws(CodecError) -> [UInt8]? {
    guard !raster.format.layout.isGray, !isLossless, bitDepth == 8 else { return nil }
    return try file(of: raster, asProgramOf: jpeg)
  }

  private static func checkSides(of raster: RasterImage) throws(CodecError) {
    guard max(raster.width, raster.height) <= maximumSide else {
      throw .unsupported("libheif does not accept sides of more than \(maximumSide) pixels")
    }
  }

  /// A file of separately coded tiles, edge tiles padded with their last column and row.
  func gridFile(of raster: RasterImage, tileSize: Int) throws(CodecError) -> [UInt8] {
    try Self.checkSides(of: raster)
    guard let pyramid = TilePyramid(width: raster.width, height: raster.height, tileSize: tileSize) else {
      throw .invalidSetting("heic: cannot make a grid of \(tileSize)-pixel tiles")
    }
    let level = pyramid.levels[0]
    var tiles: [HEIFTile] = []
    for place in pyramid.places(of: level) {
      guard let cut = raster.cropped(to: pyramid.region(place, in: level)),
        let tile = cut.extended(toWidth: tileSize, height: tileSize)
      else { throw .unsupported("a tile lies outside the picture") }
      tiles.append(try HEIFTile(file: file(of: tile)))
    }
    return try HEIFGridFile(
      tiles, columns: level.columns, width: raster.width, height: raster.height
    ).bytes
  }

  /// The raster of a file from our own encoder, with its embedded profile.
  static func raster(of bytes: [UInt8]) throws(CodecError) -> RasterImage {
    // The source is already within the run's limit, which may be higher than a reader's default.
    let limit = (maximumSide + 1) * (maximumSide + 1)
    let decoded = try HEIFDecoder(info: HEIFFileInfo(bytes, maximumPixels: limit)).decode(bytes)
    if let icc = decoded.icc { return decoded.raster.tagged(.icc(icc)) }
    let points = decoded.codePoints ?? .sRGB
    let profile = try SourceColour.profile(points, for: decoded.raster.format.layout)
    return decoded.raster.tagged(profile ?? .sRGB)
  }

  /// The named settings and the chroma sampling, as libheif's parameters.
  static func parameters(_ names: [String], _ settings: EncodeSettings) -> [(name: String, value: String)] {
    names.map { ($0, settings[$0]) } + [("chroma", settings.flag("lossless") ? "444" : settings["chroma"])]
  }
}

protocol HEIFCodec: ImageCodec {}

extension HEIFCodec {
  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    try HEIFEncoding.raster(of: bytes)
  }

  /// Bytes of all boxes except the coded data.
  package func containerBytes(of file: [UInt8]) -> Int? {
    guard let boxes = try? HEIFBox.list(in: file[...]) else { return nil }
    return file.count - boxes.filter { $0.type == "mdat" }.reduce(0) { $0 + $1.payload.count }
  }

  package func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8] {
    try TilePacking.cut(file, width: width, height: height)
  }
}
