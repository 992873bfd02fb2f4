/// An image as linear sRGB, read row by row, from 0 for black to 1 for white (the reference white for HDR). Colours
/// outside sRGB's gamut stay negative or above 1. Gray has three equal planes. Alpha is separate: colours are not
/// premultiplied.
package struct LinearLight {
  package struct Row: Sendable {
    /// Red, green and blue, with a value for each column.
    package var planes: [[Float]]
    /// Coverage from 0 to 1; all 1 without alpha.
    package var alpha: [Float]
  }

  package let image: RasterImage
  private let conversion: Conversion
  private var rows: [Row] = []

  private enum Conversion {
    case table([Float])
    case channels(ChannelLight)
    case profile(ColorTransform)
    case hdr(HDRTransform)
  }

  /// Prepares an image of any layout, depth and profile. Throws for an unusable colour profile.
  /// - Parameter pixels: The number of pixels of the whole picture if `image` is a part of one.
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
    case .light(let light): conversion = .hdr(HDRTransform(light, maximum: image.format.maximum))
    }
  }

  private static let known = ProfileCache<ChannelLight?>()

  /// The tables of a matrix profile, if the picture has enough pixels to be worth building them.
  private static func channelLight(
    of icc: [UInt8], for image: RasterImage, _ pixels: Int
  ) throws(PixelError) -> ChannelLight? {
    let maximum = image.format.maximum
    guard pixels > maximum else { return nil }
    return try known.value(icc, key: maximum) { () throws(PixelError) in
      ChannelLight(try ColorTransform.toLinearSRGB(icc), maximum: maximum)
    }
  }

  /// A copy with all rows computed, for repeated reading; takes 16 bytes per pixel.
  package func kept() -> LinearLight {
    var kept = self
    kept.rows = (0..<image.height).map(row)
    return kept
  }

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
    case .hdr(let transform): return Row(planes: hdrPlanes(samples, from: start, transform), alpha: alpha)
    }
  }

  private func hdrPlanes<Sample: FixedWidthInteger>(
    _ samples: [Sample], from start: Int, _ transform: HDRTransform
  ) -> [[Float]] {
    let (step, last) = (image.format.layout.channels, image.format.layout.isGray ? 0 : 2)
    let light = (0..<image.width).map { x in
      let at = start + x * step
      return transform.light(Int(samples[at]), Int(samples[at + min(1, last)]), Int(samples[at + last]))
    }
    return (0..<3).map { channel in light.map { $0[channel] } }
  }

  /// ITU-R BT.601 full-range luma: colour samples under a gray profile repeat the gray value three times.
  private static func luma(_ rgb: [[Float]]) -> [Float] {
    rgb[0].indices.map { 0.299 * rgb[0][$0] + 0.587 * rgb[1][$0] + 0.114 * rgb[2][$0] }
  }
}

extension ColorTransform {
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
