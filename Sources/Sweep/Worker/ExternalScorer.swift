import BenchModel
import CodecKit
import Foundation
import Pixels

/// Scores with other people's programs: writes both images losslessly and takes the last number that each
/// program prints. A program that fails costs its score and leaves a remark.
struct ExternalScorer {
  private let metrics: [ExternalMetric]
  private let writer: any ImageWriter
  private let folder: String
  private var reference: ImageIdentity?

  /// Scores with the setup's commands, in its scratch folder; nil where there are none.
  init?(_ setup: WorkerSetup, writer: any ImageWriter) {
    guard !setup.externalMetrics.isEmpty, let folder = setup.scratchFolder else { return nil }
    metrics = setup.externalMetrics
    self.writer = writer
    self.folder = folder
  }

  /// Adds the scores of `decoded` against the open image. Each program may take so many seconds.
  mutating func score(
    _ decoded: RasterImage, against image: OpenImage, within seconds: Double,
    into measurement: inout BenchModel.Measurement
  ) {
    let files = (reference: folder + "/reference.png", distorted: folder + "/distorted.png")
    do {
      if reference != image.identity {
        try write(image.raster, to: files.reference)
        reference = image.identity
      }
      try write(decoded, to: files.distorted)
    } catch {
      measurement.remarks.append("the images could not be written for other programs: \(error)")
      return
    }
    for metric in metrics {
      let words = metric.words.map {
        $0.replacingOccurrences(of: "{reference}", with: files.reference)
          .replacingOccurrences(of: "{distorted}", with: files.distorted)
      }
      do {
        let output = try CommandRun.output(of: words, within: seconds)
        if let score = Self.lastNumber(in: output) {
          measurement.scores[metric.id] = score
        } else {
          measurement.remarks.append("\(metric.id): printed no number")
        }
      } catch {
        measurement.remarks.append("\(metric.id): \(error)")
      }
    }
  }

  private func write(_ image: RasterImage, to path: String) throws {
    try Data(try writer.write(image)).write(to: URL(filePath: path))
  }

  /// The last finite decimal number in a text, with or without an exponent.
  static func lastNumber(in text: [UInt8]) -> Double? {
    let parts = String(decoding: text, as: UTF8.self).split { !"+-.0123456789eE".contains($0) }
    return parts.reversed().lazy.compactMap { part -> Double? in
      // A full stop may end a sentence, and a word may end in an e.
      let trimmed = part.drop { "eE.".contains($0) }.reversed().drop { "eE.+-".contains($0) }.reversed()
      return Double(String(trimmed)).flatMap { $0.isFinite ? $0 : nil }
    }.first
  }
}
