import CMetricKernels
import Pixels

/// Rows of an image as planes of linear sRGB: 0 is black, 1 is the display's white (the reference white for HDR);
/// out-of-gamut colours are not clipped.
final class LinearRows: ImageRows {
  let samples: SampleReader
  private let kernels: MetricKernels
  private let conversion: Conversion

  private enum Conversion {
    case table([Float])
    /// Converts with the image's own profile; the encoded values, 0 to 1, go into the segment first.
    case profile(ColorTransform, EncodedRows, RowSegment)
    case hdr(HDRTransform)
  }

  /// Reads up to `segmentWidth` columns at a time. Throws if the profile cannot be used.
  init(
    _ image: RasterImage, background: Background, segmentWidth: Int, kernels: MetricKernels
  ) throws(MetricError) {
    samples = SampleReader(image, background: background)
    self.kernels = kernels
    switch image.profile {
    case .sRGB: conversion = .table(SRGBCurve.table(maximum: samples.maximum))
    case .icc(let bytes):
      let transform = try Self.transform(bytes)
      let encoded = EncodedRows(image, background: background, full: 1, kernels: kernels)
      conversion = .profile(transform, encoded, RowSegment(width: min(segmentWidth, image.width)))
    case .light(let light): conversion = .hdr(HDRTransform(light, maximum: samples.maximum))
    }
  }

  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int) {
    switch conversion {
    case .table(let table):
      let out = segment.planes(from: offset)
      let colours = Int32(samples.colours)
      samples.withRun(row: y, columns: columns) { run in
        switch run {
        case .bytes(let bytes): kernels.lookUp8(bytes, columns.count, colours, table, out)
        case .words(let words): kernels.lookUp16(words, columns.count, colours, table, out)
        }
      }
    case .hdr(let transform): read(row: y, columns, by: transform, into: segment.planes(from: offset))
    case .profile(let transform, let encoded, let values):
      encoded.read(row: y, columns: columns, into: values, at: 0)
      if transform.profileChannels == 1 {
        // Colour samples under a gray profile: a codec returned gray as RGB.
        kernels.luma(values.planes(), columns.count, 0, values.plane(0))
      }
      transform.convert(
        values.plane(0), stride: values.stride, to: segment.plane(0) + offset, stride: segment.stride,
        count: columns.count)
    }
  }

  private func read(row y: Int, _ columns: Range<Int>, by transform: HDRTransform, into out: MetricPlanes) {
    let (step, last) = (samples.colours, samples.colours - 1)
    samples.withRun(row: y, columns: columns) { run in
      for x in 0..<columns.count {
        func sample(_ channel: Int) -> Int {
          switch run {
          case .bytes(let bytes): Int(bytes[x * step + channel])
          case .words(let words): Int(words[x * step + channel])
          }
        }
        let light = transform.light(sample(0), sample(min(1, last)), sample(last))
        out.plane.0[x] = light.x
        out.plane.1[x] = light.y
        out.plane.2[x] = light.z
      }
    }
  }

  /// Reads rows `top` and `bottom`, halved, into a segment without storing either. Returns false except for opaque
  /// 8-bit samples in sRGB.
  func readHalved(_ top: Int, _ bottom: Int, into segment: RowSegment) -> Bool {
    // Samples with alpha are flattened into a buffer that has no room for two rows.
    guard case .table(let table) = conversion, samples.maximum == 255 else { return false }
    var isRead = false
    samples.withRun(row: top, columns: 0..<width) { top in
      samples.withRun(row: bottom, columns: 0..<width) { bottom in
        guard case .bytes(let top) = top, case .bytes(let bottom) = bottom else { return }
        kernels.lookUpHalved8(top, bottom, width, Int32(samples.colours), table, segment.planes())
        isRead = true
      }
    }
    return isRead
  }

  private static func transform(_ icc: [UInt8]) throws(MetricError) -> ColorTransform {
    do { return try .toLinearSRGB(icc) } catch { throw MetricError(error.description) }
  }
}

/// An unusable colour profile, an unknown metric, or images that cannot be compared.
package struct MetricError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
