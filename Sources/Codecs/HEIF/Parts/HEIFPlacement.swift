import CodecKit
import Pixels

/// Cropping, rotation and mirroring of a stored HEIF image, in order (ISO/IEC 23008-12, 6.5.9 to 6.5.12).
struct HEIFPlacement {
  /// A crop or a turn of an image of this size.
  private struct Stage {
    /// The `clap` region, rounded as in libheif.
    var crop: PixelRegion?
    var turn = Orientation.up
    var width, height: Int
  }

  private var stages: [Stage] = []
  private(set) var width: Int
  private(set) var height: Int

  /// Reads an image's properties. Throws `unsupported` for properties that cannot be applied exactly.
  init(width: Int, height: Int, properties: [HEIFBox]) throws(CodecError) {
    (self.width, self.height) = (width, height)
    for box in properties {
      switch box.type {
      case "irot":
        let turn: Orientation =
          switch (box.payload.first ?? 0) & 3 {
          case 0: .up
          case 1: .left
          case 2: .down
          default: .right
          }
        append(turn: turn)
      case "imir": append(turn: (box.payload.first ?? 0) & 1 == 0 ? .downMirrored : .upMirrored)
      case "clap": append(crop: try Self.crop(box, width: self.width, height: self.height))
      default: continue
      }
    }
  }

  var isCropped: Bool { stages.contains { $0.crop != nil } }

  var visiblePart: PixelRegion { stored(PixelRegion(x: 0, y: 0, width: width, height: height)) }

  /// The turns only, for pixels that are already cropped.
  var turns: [Orientation] { stages.filter { $0.crop == nil }.map(\.turn) }

  func stored(_ region: PixelRegion) -> PixelRegion {
    stages.reversed().reduce(region) { region, stage in
      var region = region.stored(as: stage.turn, width: stage.width, height: stage.height)
      region.x +|= stage.crop?.x ?? 0
      region.y +|= stage.crop?.y ?? 0
      return region
    }
  }

  /// Maps a rectangle of the stored image to the picture; nil if it is cropped off completely.
  func shown(_ region: PixelRegion) -> PixelRegion? {
    var region = region
    for stage in stages {
      if let crop = stage.crop {
        guard let kept = region.intersection(crop) else { return nil }
        region = PixelRegion(
          x: kept.x -| crop.x, y: kept.y -| crop.y, width: kept.width, height: kept.height)
      }
      region = region.upright(from: stage.turn, width: stage.width, height: stage.height)
    }
    return region
  }

  private mutating func append(crop: PixelRegion? = nil, turn: Orientation = .up) {
    stages.append(Stage(crop: crop, turn: turn, width: width, height: height))
    if let crop { (width, height) = (crop.width, crop.height) }
    if turn.swapsSides { (width, height) = (height, width) }
  }

  /// Reads a clean aperture; its offset is between centres. Rounds the first column down, as libheif does.
  private static func crop(_ box: HEIFBox, width: Int, height: Int) throws(CodecError) -> PixelRegion {
    var reader = box.reader
    func rational() throws(CodecError) -> Double {
      let (over, under) = (try reader.number(4), try reader.number(4))
      let denominator = Int32(truncatingIfNeeded: under)
      guard denominator != 0 else { throw box.broken }
      return Double(Int32(truncatingIfNeeded: over)) / Double(denominator)
    }
    let (w, h, dx, dy) = (try rational(), try rational(), try rational(), try rational())
    let (left, top) = ((Double(width) - w) * 0.5 + dx, (Double(height) - h) * 0.5 + dy)
    guard w == w.rounded(), h == h.rounded(), abs(left) < 1e9, abs(top) < 1e9 else {
      throw .unsupported("it is not cropped to whole pixels")
    }
    guard let x = Int(exactly: left.rounded(.down)), let y = Int(exactly: top.rounded(.down)),
      let columns = Int(exactly: w), let rows = Int(exactly: h)
    else { throw box.broken }
    let region = PixelRegion(x: x, y: y, width: columns, height: rows)
    guard region.fits(width: width, height: height) else {
      throw .unsupported("its crop extends beyond the picture")
    }
    return region
  }
}
