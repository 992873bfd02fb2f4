package import CodecKit
package import Model
package import Pixels

/// Turns sources into rasters that all codecs of a sweep can carry, so that every codec gets the same pixels. The order
/// is orientation, alpha, downscaling, depth: alpha before downscaling so that hidden colours under transparent pixels
/// do not bleed, and depth last so that rounding happens once.
package struct Preprocessor: Sendable {
  package let preparation: Preparation

  package init(_ preparation: Preparation) { self.preparation = preparation }

  /// Prepares an image. Throws a `Failure` of the kind `source` if it is downscaled below one pixel.
  package func prepare(
    _ source: SourceImage
  ) throws(Failure) -> (image: RasterImage, steps: [String]) {
    var image = source.image
    var steps = source.notes
    if source.orientation != .up {
      image = image.oriented(source.orientation)
      steps.append(ImageRecord.orientationStep(source.orientation))
    }
    if image.format.layout.hasAlpha { image = try settleAlpha(of: image, &steps) }
    if preparation.downscale > 1 { image = try downscale(image, &steps) }
    let depth = min(max(preparation.maximumBitDepth, 8), 16)
    if image.format.bitDepth > depth {
      let rounded = image.scaledDepth(to: depth)
      steps += Self.rounding(from: image.format, to: rounded.format)
      image = rounded
    }
    return (image, steps)
  }

  /// The step that reduces the depth of samples; none if the depth stays.
  package static func rounding(from old: PixelFormat, to new: PixelFormat) -> [String] {
    new.bitDepth < old.bitDepth ? ["\(old.bitDepth) bits rounded to \(new.bitDepth)"] : []
  }

  private func settleAlpha(of image: RasterImage, _ steps: inout [String]) throws(Failure) -> RasterImage {
    if image.isOpaque {
      steps.append(ImageRecord.opaqueAlphaStep)
      return image.droppingAlpha()
    }
    if preparation.keepsAlpha { return image }
    // The background is an SDR colour; read as PQ, its white would have 10,000 cd/m².
    guard preparation.light == nil else {
      throw Failure(
        kind: .source,
        message: "has transparent pixels, which an HDR run keeps but one of its codecs cannot store")
    }
    steps.append("alpha flattened on \(preparation.backgroundSpelling)")
    return image.flattened(on: preparation.background)
  }

  private func downscale(_ image: RasterImage, _ steps: inout [String]) throws(Failure) -> RasterImage {
    do {
      let small = try image.downscaled(by: preparation.downscale)
      steps.append("downscaled by \(preparation.downscale)")
      return small
    } catch {
      throw Failure(kind: .source, message: error.description)
    }
  }
}

extension Preparation {
  /// The preparation whose rasters all codecs carry unchanged: alpha only if all keep it, and no more bits than every
  /// codec accepts.
  package init(
    for supports: [PixelSupport], background: [UInt8] = [255, 255, 255], downscale: Int = 1,
    light: HDRViewing? = nil
  ) {
    let depth = supports.map(\.maximumBitDepth).min() ?? 8
    self.init(
      keepsAlpha: !supports.isEmpty && supports.allSatisfy(\.alpha), maximumBitDepth: min(max(depth, 8), 16),
      background: background, downscale: downscale, light: light)
  }

  package init(
    for variants: [CodecVariant], registry: CodecRegistry, background: [UInt8] = [255, 255, 255],
    downscale: Int = 1
  ) {
    self.init(
      for: variants.compactMap { registry.codec($0.codec)?.support(for: $0) }, background: background,
      downscale: downscale)
  }

  var backgroundSpelling: String {
    "#" + background.hexadecimal
  }
}
