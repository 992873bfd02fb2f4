public import BenchModel

/// Makes an image smaller in linear light. As `--downscale` it washes the artefacts out of a lossy source.
public enum BoxDownscale {
  /// Means of `n × n` pixels in linear light, in the image's own profile, layout and depth. Columns and rows
  /// that fill no whole box are dropped. With alpha, colours count as much as they are opaque.
  ///
  /// Throws `invalidArgument` unless `n` is at least 1 and at most the shorter side, and `profile` when the
  /// colour profile cannot be used.
  public static func downscale(_ image: RasterImage, by n: Int) throws(MetricError) -> RasterImage {
    guard n >= 1, n <= min(image.width, image.height) else {
      throw .invalidArgument(
        "cannot downscale \(image.width) × \(image.height) pixels by \(n): 1 to "
          + "\(min(image.width, image.height)) is possible")
    }
    guard n > 1 else { return image }
    let light = try LinearLight(image)
    let (width, height) = (image.width / n, image.height / n)
    let weights = light.alpha ?? [Float](repeating: 1, count: image.pixelCount)
    let coverage = boxSums(weights, nil, of: image.width, width: width, height: height, n: n)
    var planes = light.planes.map {
      boxSums($0, weights, of: image.width, width: width, height: height, n: n)
    }
    for index in planes.indices {
      for pixel in planes[index].indices where coverage[pixel] > 0 { planes[index][pixel] /= coverage[pixel] }
    }
    let encoded = try encode(planes, profile: image.profile, layout: image.format.layout)
    let alpha = light.alpha == nil ? nil : coverage.map { $0 / Float(n * n) }
    return try interleave(encoded, alpha, like: image, width: width, height: height)
  }

  /// Sums of `values`, times `weights`, over boxes.
  private static func boxSums(
    _ values: [Float], _ weights: [Float]?, of rowLength: Int, width: Int, height: Int, n: Int
  ) -> [Float] {
    var sums = [Float](repeating: 0, count: width * height)
    for y in 0..<(height * n) {
      let (from, to) = (y * rowLength, y / n * width)
      for x in 0..<(width * n) {
        let value = values[from + x]
        sums[to + x / n] += weights.map { $0[from + x] * value } ?? value
      }
    }
    return sums
  }

  /// Linear sRGB planes as encoded values of a profile, 0 to 1: three planes, or one for gray.
  private static func encode(
    _ planes: [[Float]], profile: ColorProfile, layout: ChannelLayout
  ) throws(MetricError) -> [[Float]] {
    let wanted = layout.isGray ? 1 : 3
    guard case .icc(let bytes) = profile else {
      return planes.prefix(wanted).map { $0.map { Float(SRGBCurve.encoded(Double($0))) } }
    }
    let transform = try ColorTransform(bytes, direction: .fromLinearSRGB)
    let encoded = transform.convert(planes)
    // Colour samples under a gray profile are three times the same.
    return (0..<wanted).map { encoded[min($0, encoded.count - 1)] }
  }

  private static func interleave(
    _ planes: [[Float]], _ alpha: [Float]?, like image: RasterImage, width: Int, height: Int
  ) throws(MetricError) -> RasterImage {
    let full = Float(image.format.maximum)
    let channels = planes + (alpha.map { [$0] } ?? [])
    var values: [UInt16] = []
    values.reserveCapacity(width * height * channels.count)
    for pixel in 0..<(width * height) {
      for channel in channels {
        let value = (channel[pixel] * full).rounded()
        values.append(value.isNaN ? 0 : UInt16(min(max(value, 0), full)))
      }
    }
    let samples: RasterImage.Samples =
      image.format.bitDepth == 8 ? .bytes(values.map { UInt8(truncatingIfNeeded: $0) }) : .words(values)
    guard
      let result = RasterImage(
        width: width, height: height, format: image.format, profile: image.profile, samples: samples)
    else { throw .invalidArgument("the downscaled image has no valid size") }
    return result
  }
}
