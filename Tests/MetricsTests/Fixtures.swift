import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

/// The identifiers of every metric.
let everyMetric = MetricTraits.standard.map(\.id)

/// Scores with every metric.
func allScores(
  _ reference: RasterImage, _ candidate: RasterImage, tuning: MetricTuning = MetricTuning(.best)
) throws -> [String: Double] {
  try MetricSuite(everyMetric).prepare(reference, tuning: tuning).score(candidate)
}

/// The image with noise on top, the same for the same seed.
func noisy(_ image: RasterImage, amplitude: Int, seed: UInt64 = 7) throws -> RasterImage {
  var generator = SeededGenerator(seed: seed)
  func moved(_ sample: Int, maximum: Int) -> Int {
    let step = (2 * generator.unit() - 1) * Double(amplitude * maximum) / 255
    return min(max(sample + Int(step.rounded()), 0), maximum)
  }
  let samples: RasterImage.Samples =
    switch image.samples {
    case .bytes(let all): .bytes(all.map { UInt8(moved(Int($0), maximum: 255)) })
    case .words(let all): .words(all.map { UInt16(moved(Int($0), maximum: image.format.maximum)) })
    }
  return try #require(
    RasterImage(
      width: image.width, height: image.height, format: image.format, profile: image.profile, samples: samples
    ))
}

/// A reference with waves and a distorted candidate.
func wavePair(
  width: Int, height: Int, layout: ChannelLayout = .rgb, amplitude: Int = 6
) throws -> (reference: RasterImage, candidate: RasterImage) {
  let reference = try #require(SyntheticImage.waves(width: width, height: height, layout: layout))
  return (reference, try noisy(reference, amplitude: amplitude))
}

/// The same image with every sample scaled to another depth; exact if the depth's maximum is a multiple of 255, like
/// 65535.
func widened(_ image: RasterImage, to bitDepth: Int) throws -> RasterImage {
  guard case .bytes(let bytes) = image.samples else { return image }
  let format = PixelFormat(layout: image.format.layout, bitDepth: bitDepth)
  let words = bytes.map { UInt16((Int($0) * format.maximum + 127) / 255) }
  return try #require(
    RasterImage(
      width: image.width, height: image.height, format: format, profile: image.profile, samples: .words(words)
    ))
}

/// A file of the shared folder, decoded.
func sharedImage(_ file: String) throws -> RasterImage { try image("\(SharedFolder.path)/\(file)") }

/// A file, decoded.
func image(_ path: String) throws -> RasterImage {
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
  let reader = try #require(CodecRegistry.standard.reader(for: bytes))
  return try reader.read(bytes, limits: ReadLimits()).image
}
