package import CodecKit
package import Model
package import Pixels

/// A file with a gain map, split without decoding: a base picture, a map, and their metadata.
package struct GainMapFile: Sendable {
  /// The parts' bytes as stored, without the file's other contents.
  package struct Sizes: Sendable, Hashable {
    package var base, map, metadata: Int
  }

  package let metadata: GainMapMetadata
  /// All kinds of gain map metadata in the file; the first one is applied.
  package let kinds: [GainMapMetadata.Kind]
  package let sizes: Sizes
  /// The map's header.
  package let map: ImageHeader
  /// The base's width divided by the map's.
  package let scale: Double

  private let file: [UInt8]
  /// A file with the map as its picture.
  private let mapFile: [UInt8]
  private let reader: any ImageReader
  private let alternateProfile: ColorProfile?
  private let isHDR: Bool

  /// Finds the parts of a JPEG, HEIC or AVIF file; nil if it has no gain map.
  ///
  /// Throws `malformed` or `unsupported` with the reason that a map cannot be applied: metadata missing or with
  /// impossible values, a missing base or map, or a map that is larger than its base or rotated differently.
  package init?(_ bytes: [UInt8]) throws(CodecError) {
    let parts: Parts?
    if JPEGReader().recognises(bytes) {
      parts = try JPEGContents(bytes).gainMapParts()
      reader = JPEGReader()
    } else if HEIFReader().recognises(bytes) {
      parts = try HEIFItems(bytes, isWhole: true).gainMapParts()
      reader = HEIFReader()
    } else {
      return nil
    }
    guard let parts, let metadata = parts.metadata.first else { return nil }
    let base = try reader.anyHeader(of: bytes)
    map = try reader.header(of: parts.mapFile)
    guard map.width <= base.width, map.height <= base.height else {
      throw .unsupported(
        "its gain map of \(map.width)×\(map.height) pixels is larger than the picture of "
          + "\(base.width)×\(base.height)")
    }
    (self.metadata, kinds, sizes) = (metadata, parts.metadata.map(\.kind), parts.sizes)
    scale = Double(base.width) / Double(map.width)
    (file, mapFile, alternateProfile) = (bytes, parts.mapFile, parts.alternateProfile)
    isHDR = base.hdr != nil
  }

  /// The formats in which this type reads gain maps.
  package static let formats: Set = ["jpeg", "heic", "avif"]

  /// The results of a container's own reader.
  struct Parts {
    /// At least one; the one to apply comes first.
    var metadata: [GainMapMetadata]
    var sizes: Sizes
    var mapFile: [UInt8]
    var alternateProfile: ColorProfile?
  }

  /// 1 for a gray map, 3 for a colour map.
  package var mapChannels: Int { map.layout.isGray ? 1 : 3 }

  /// Decodes base and map of a file that a codec wrote, by the codec's own decoder, which need not be the reader's.
  func decode(by codec: any ImageCodec) throws(CodecError) -> GainMapPicture {
    let (base, map) = (try codec.decode(file), try codec.decode(mapFile))
    return GainMapPicture(
      base: base, orientation: .up, map: GainMap(metadata, image: map, alternateProfile: alternateProfile))
  }

  /// Decodes base and map; a PQ or HLG base is decoded as light.
  package func decode(limits: ReadLimits) throws(CodecError) -> GainMapPicture {
    var own = limits
    if isHDR { own.light = HDRViewing(source: .file) }
    let base = try reader.read(file, limits: own)
    let map = try reader.read(mapFile, limits: limits).image
    guard map.width <= base.image.width, map.height <= base.image.height else {
      throw .malformed("a gain map that is larger than its picture")
    }
    return GainMapPicture(
      base: base.image, orientation: base.orientation,
      map: GainMap(metadata, image: map, alternateProfile: alternateProfile))
  }
}

/// A decoded base and its map, both as stored.
package struct GainMapPicture: Sendable {
  package let base: RasterImage
  package let orientation: Orientation
  package let map: GainMap

  /// The upright picture as shown on a display with this headroom in stops: 16-bit PQ.
  package func applied(atHeadroom headroom: Double) throws(CodecError) -> RasterImage {
    do { return try map.applied(to: base, headroom: headroom).oriented(orientation) } catch {
      throw .malformed(error.description)
    }
  }
}
