import CodecKit
import Model
import Pixels

/// A codec that also writes gain maps. In an HDR run, `gainmap=1/2` makes it code a tone-mapped SDR base and a map with
/// half its sides, joined in one file that decodes to HDR light.
struct GainMapCodec: ImageCodec {
  private let codec: any ImageCodec
  private let container: Container

  /// A map's sides as a fraction of the picture's.
  private enum Share: String, CaseIterable {
    case whole = "1/1", half = "1/2", quarter = "1/4"

    /// The number of picture pixels per map pixel, in each direction.
    var step: Int {
      switch self {
      case .whole: 1
      case .half: 2
      case .quarter: 4
      }
    }
  }

  /// The kind of file that joins base and map.
  enum Container: Sendable { case jpeg, heic, avif }

  init(_ codec: any ImageCodec, _ container: Container) {
    (self.codec, self.container) = (codec, container)
  }

  var traits: CodecTraits { codec.traits.adding(Self.settings) }

  private static let settings: [SettingSpecification] = [
    .choice(
      "gainmap", ["none"] + Share.allCases.map(\.rawValue), "none",
      "for HDR runs: an SDR base with a gain map whose sides are this fraction of the base's"
    ).ofHDR,
    .choice("map-channels", ["1", "3"], "1", "with gainmap: 1 for a luminance gain, 3 for one per primary")
      .ofHDR.beside("gainmap", "1/1", "1/2", "1/4"),
    .integer(
      "map-quality", 0...100, "0",
      "with gainmap: the map's quality on the codec's own scale; 0 for the base's"
    ).ofHDR.beside("gainmap", "1/1", "1/2", "1/4"),
  ]

  func support(for variant: CodecVariant) -> PixelSupport {
    var support = codec.support(for: variant)
    if variant.hasGainMap { (support.alpha, support.maximumBitDepth) = (false, 16) }
    return support
  }

  func validate(_ variant: CodecVariant) throws(CodecError) {
    try codec.validate(variant)
    if variant.hasGainMap, let other = ["grid", "thumbnail"].first(where: { variant.settings[$0] != nil }) {
      throw .invalidSetting("\(variant.codec): gainmap and \(other) cannot be combined; leave one out")
    }
  }

  func lowestQuality(like native: Int, _ variant: CodecVariant) -> Int {
    codec.lowestQuality(like: native, variant)
  }

  func encodeByProgram(
    _ file: [UInt8], of image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8]? {
    try settings.variant.hasGainMap ? nil : codec.encodeByProgram(file, of: image, settings)
  }

  func encodeReporting(
    _ image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> (file: [UInt8], settings: String)? {
    try settings.variant.hasGainMap ? nil : codec.encodeReporting(image, settings)
  }

  func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    guard settings.variant.hasGainMap else { return try codec.encode(image, settings) }
    guard case .light = image.profile else {
      throw .unsupported("a gain map needs HDR light, which this picture does not have")
    }
    let base = image.forScreen
    let map = try map(from: base, to: image, settings)
    var own = settings
    if let quality = settings.integer("map-quality"), quality > 0 { own.nativeQuality = quality }
    let coded = (
      base: try codec.encode(padded(base), settings), map: try codec.encode(padded(map.image), own)
    )
    guard container != .jpeg else {
      return try GainMapJPEG.file(base: coded.base, map: coded.map, map.metadata)
    }
    return try GainMapHEIF.file(
      [(coded.base, base.width, base.height), (coded.map, map.image.width, map.image.height)], map.metadata)
  }

  /// libheif codes HEVC with even sides from 64 up directly, and makes a grid of other sizes.
  private func padded(_ image: RasterImage) -> RasterImage {
    guard container == .heic else { return image }
    func side(_ side: Int) -> Int { max(side + side % 2, 64) }
    return image.extended(toWidth: side(image.width), height: side(image.height)) ?? image
  }

  private func map(
    from base: RasterImage, to image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> GainMap {
    guard let share = Share(rawValue: settings["gainmap"]) else {
      throw .invalidSetting("gainmap has no value “\(settings["gainmap"])”")
    }
    func side(_ side: Int) -> Int {
      let shared = (side + share.step - 1) / share.step
      // Even sides for HEVC: a crop of the map would otherwise have to end between samples.
      return container == .heic && share != .whole ? max(shared & ~1, min(2, side)) : shared
    }
    do {
      return try GainMap(
        from: base, to: image, width: side(image.width), height: side(image.height),
        channels: settings.integer("map-channels") ?? 1)
    } catch { throw .unsupported(error.description) }
  }

  /// Decodes a file; a file with a gain map is decoded at its full headroom, to PQ.
  func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    guard let picture = try gainMapFile(bytes) else { return try codec.decode(bytes) }
    return try picture.decode(by: codec).applied(atHeadroom: picture.metadata.maximumHeadroom)
  }

  func gainMapBase(
    of file: [UInt8]
  ) throws(CodecError) -> (picture: RasterImage, bytes: Int, mapBytes: Int)? {
    guard let parts = try gainMapFile(file) else { return nil }
    return (try codec.decode(file), parts.sizes.base, parts.sizes.map)
  }

  /// The parts of a file that we wrote; nil, at no cost to decoding, for a file without a map.
  private func gainMapFile(_ bytes: [UInt8]) throws(CodecError) -> GainMapFile? {
    let (mark, reach) = container == .jpeg ? (GainMapJPEG.name, 2048) : (Array("tmap".utf8), 64)
    return bytes.prefix(reach).firstRange(of: mark) == nil ? nil : try GainMapFile(bytes)
  }

  func containerBytes(of file: [UInt8]) -> Int? { codec.containerBytes(of: file) }

  func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8] {
    try codec.cutting(file, toWidth: width, height: height)
  }
}
