/// An image as linear sRGB, read row by row: red, green and blue light from 0 for black to 1 for white.
/// Colours outside sRGB's gamut keep their negative values and those above 1. Gray has three equal planes.
/// Alpha is kept apart: colours are those of the stored samples, as if they were opaque.
package struct LinearLight {
  /// One row of light.
  package struct Row: Sendable {
    /// Red, green and blue, each as many values as the image has columns.
    package var planes: [[Float]]
    /// Coverage from 0 to 1; all 1 where the image has no alpha.
    package var alpha: [Float]
  }

  /// The image.
  package let image: RasterImage
  private let conversion: Conversion
  /// All rows, where they are kept.
  private var rows: [Row] = []

  /// How encoded samples become light.
  private enum Conversion {
    /// Through a table of sRGB's transfer function.
    case table([Float])
    /// As the sum of what each channel adds, for a profile by matrix and curves.
    case channels(ChannelLight)
    /// Through the image's own profile, by Little CMS.
    case profile(ColorTransform)
  }

  /// Prepares an image of any layout, depth and profile.
  ///
  /// Throws `profile` when the colour profile cannot be used.
  /// - Parameter pixels: those of the picture that `image` is a part of; nil where it is all of it.
  package init(_ image: RasterImage, pixels: Int? = nil) throws(PixelError) {
    self.image = image
    switch image.profile {
    case .sRGB: conversion = .table(SRGBCurve.table(maximum: image.format.maximum))
    case .icc(let bytes):
      if let channels = try Self.channelLight(of: bytes, for: image, pixels ?? image.pixelCount) {
        conversion = .channels(channels)
      } else {
        conversion = .profile(try ColorTransform.toLinearSRGB(bytes))
      }
    }
  }

  private static let known = ProfileCache<ChannelLight?>()

  /// The tables of a profile, where it is one by matrix and the picture has pixels enough to make them for.
  private static func channelLight(
    of icc: [UInt8], for image: RasterImage, _ pixels: Int
  ) throws(PixelError) -> ChannelLight? {
    let maximum = image.format.maximum
    guard pixels > maximum else { return nil }
    return try known.value(icc, maximum: maximum) { () throws(PixelError) in
      ChannelLight(try ColorTransform.toLinearSRGB(icc), maximum: maximum)
    }
  }

  /// The same with all rows found, for those who read them more than once: 16 bytes a pixel.
  package func kept() -> LinearLight {
    var kept = self
    kept.rows = (0..<image.height).map(row)
    return kept
  }

  /// The light of row `y`.
  package func row(_ y: Int) -> Row {
    if !rows.isEmpty { return rows[y] }
    return switch image.samples {
    case .bytes(let samples): row(y, samples)
    case .words(let samples): row(y, samples)
    }
  }

  private func row<Sample: FixedWidthInteger>(_ y: Int, _ samples: [Sample]) -> Row {
    let (width, channels) = (image.width, image.format.layout.channels)
    let start = y * width * channels
    func plane(_ channel: Int, _ value: (Sample) -> Float) -> [Float] {
      [Float](unsafeUninitializedCapacity: width) { target, count in
        samples.withUnsafeBufferPointer { source in
          for x in 0..<width { target[x] = value(source[start + x * channels + channel]) }
        }
        count = width
      }
    }
    let full = Float(image.format.maximum)
    let colours = image.format.layout.isGray ? [0] : [0, 1, 2]
    let alpha =
      image.format.layout.hasAlpha
      ? plane(channels - 1) { Float($0) / full } : [Float](repeating: 1, count: width)
    switch conversion {
    case .table(let table):
      let light = colours.map { channel in plane(channel) { table[Int($0)] } }
      return Row(planes: light.count == 1 ? [light[0], light[0], light[0]] : light, alpha: alpha)
    case .channels(let channels):
      let step = image.format.layout.channels
      return Row(
        planes: channels.planes(
          samples, from: start, count: width, step: step, isGray: image.format.layout.isGray),
        alpha: alpha)
    case .profile(let transform):
      let scale = 1 / full
      var encoded = colours.map { channel in plane(channel) { Float($0) * scale } }
      if transform.profileChannels == 1, encoded.count == 3 { encoded = [Self.luma(encoded)] }
      if transform.profileChannels == 3, encoded.count == 1 {
        encoded = [encoded[0], encoded[0], encoded[0]]
      }
      return Row(planes: transform.convert(encoded, to: 3), alpha: alpha)
    }
  }

  /// ITU-R BT.601, full range: colour samples under a gray profile are three times the same.
  private static func luma(_ rgb: [[Float]]) -> [Float] {
    rgb[0].indices.map { 0.299 * rgb[0][$0] + 0.587 * rgb[1][$0] + 0.114 * rgb[2][$0] }
  }
}

extension ColorTransform {
  /// Converts whole planes of equal length into `count` planes.
  package func convert(_ planes: [[Float]], to count: Int) -> [[Float]] {
    let width = planes.first?.count ?? 0
    guard width > 0 else { return [[Float]](repeating: [], count: count) }
    var result = [Float](repeating: 0, count: width * count)
    planes.flatMap(\.self).withUnsafeBufferPointer { from in
      result.withUnsafeMutableBufferPointer { to in
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        convert(from, stride: width, to: to, stride: width, count: width)
      }
    }
    return (0..<count).map { Array(result[$0 * width..<($0 + 1) * width]) }
  }
}
