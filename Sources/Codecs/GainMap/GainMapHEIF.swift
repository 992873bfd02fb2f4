import CodecKit
import Pixels

/// Writer of HEIC and AVIF files with a gain map (ISO/IEC 23008-12, `tmap`).
enum GainMapHEIF {
  /// Joins a base and a map, each the picture of a file, without changing their coded bytes: the base as the picture,
  /// the map as a hidden picture, and the tone-mapped picture derived from both.
  /// - Parameter pictures: Base and map with the size to show; anything beyond it in a file is padding.
  static func file(
    _ pictures: [(file: [UInt8], width: Int, height: Int)], _ metadata: GainMapMetadata
  ) throws(CodecError) -> [UInt8] {
    var properties = HEIFProperties()
    var associations: [(item: Int, indices: [HEIFProperties.Index])] = []
    var parts: [HEIFTile] = []
    for (file, width, height) in pictures {
      let part = try HEIFTile(file: file)
      parts.append(part)
      var indices = [properties.add(HEIFBoxes.size(part.width, part.height))]
      indices.append(properties.add(HEIFBoxes.box(part.configuration), isEssential: true))
      indices.append(properties.add(pixelInformation(try channel(of: part))))
      if parts.count == 1 {
        // The base's light is part of the formula; libheif does not state sRGB, only matrix and range.
        let coding = part.colour.map { Array($0.payload.dropFirst(8)) } ?? [0, 6, 0x80]
        indices.append(properties.add(colour(transfer: 13, coding)))
      } else if let colour = part.colour {
        indices.append(properties.add(HEIFBoxes.box(colour)))
      }
      if (width, height) != (part.width, part.height) {
        let shown = PixelRegion(x: 0, y: 0, width: width, height: height)
        indices.append(
          properties.add(HEIFBoxes.cleanAperture(shown, part.width, part.height), isEssential: true))
      }
      associations.append((item: parts.count, indices: indices))
    }
    let toneMapped = [
      HEIFBoxes.size(pictures[0].width, pictures[0].height),
      pixelInformation((isGray: false, bits: 16)),
      colour(transfer: 16, [0, 0, 0x80]),
    ]
    associations.append((item: 3, indices: toneMapped.map { properties.add($0) }))
    return HEIFBoxes.file(
      of: parts, properties.box(associations: associations), derived: ("tmap", [0] + metadata.isoBytes))
  }

  private static func channel(of part: HEIFTile) throws(CodecError) -> (isGray: Bool, bits: Int) {
    guard case .coding(let isGray, let bits)? = try HEIFProperty(part.configuration) else {
      return (false, 8)
    }
    return (isGray, bits)
  }

  /// The `pixi` box (ISO/IEC 23008-12, 6.5.6), without which AVIF readers refuse a file.
  private static func pixelInformation(_ samples: (isGray: Bool, bits: Int)) -> [UInt8] {
    let bits = [UInt8](repeating: UInt8(samples.bits), count: samples.isGray ? 1 : 3)
    return HEIFBoxes.fullBox("pixi", [UInt8(bits.count)] + bits)
  }

  /// The `colr` box of a transfer function with the primaries of sRGB, and the bytes of matrix and range.
  private static func colour(transfer: Int, _ coding: [UInt8]) -> [UInt8] {
    HEIFBoxes.box("colr", FourCC("nclx").bytes + HEIFBoxes.short(1) + HEIFBoxes.short(transfer) + coding)
  }
}
