import CodecKit
import Foundation
package import Model
package import Pixels

/// Scores with external programs: writes both images losslessly and takes the last number that each program prints. If
/// a program fails, only its score is missing, and the reason is kept.
package struct ExternalScorer {
  private let metrics: [ExternalMetric]
  private let writer: any ImageWriter
  private let files: (reference: String, distorted: String)
  private let programs: ProgramStarter
  private var reference: ImageIdentity?

  /// Uses the setup's commands and folder; nil if there are none. Must run before the first thread and the sandbox.
  init?(_ setup: WorkerSetup, writer: any ImageWriter) throws(Refusal) {
    guard !setup.externalMetrics.isEmpty, let folder = setup.scratchFolder else { return nil }
    metrics = setup.externalMetrics
    self.writer = writer
    let files = Self.files(in: folder, of: setup.build)
    self.files = files
    let commands = metrics.map { metric in
      metric.words.map {
        $0.replacingOccurrences(of: "{reference}", with: files.reference)
          .replacingOccurrences(of: "{distorted}", with: files.distorted)
      }
    }
    do { programs = try ProgramStarter(commands, folder: folder) } catch {
      throw Refusal("the helper that runs metric programs \(error)")
    }
  }

  /// The paths of both images. The workers of a slot share the folder, and each remembers which original it has written
  /// there, so each has its own files.
  static func files(in folder: String, of build: String?) -> (reference: String, distorted: String) {
    let prefix = build.map { "\(folder)/\($0)-" } ?? "\(folder)/"
    return (prefix + "reference.png", prefix + "distorted.png")
  }

  /// The scores of `decoded` against a picture, and the reasons for missing ones, by identifier. `identity`
  /// tells pictures apart, since each is written once; `seconds` limits each program.
  package mutating func scores(
    of decoded: RasterImage, against picture: RasterImage, named identity: ImageIdentity,
    within seconds: Double
  ) -> (scores: [String: Double], failed: [String: String]) {
    var (scores, failed): ([String: Double], [String: String]) = ([:], [:])
    do {
      if reference != identity {
        // A write that fails leaves neither the earlier picture nor this one.
        reference = nil
        try write(picture, to: files.reference)
        reference = identity
      }
      try write(decoded, to: files.distorted)
    } catch {
      for metric in metrics {
        failed[metric.id] = "got no images, because they could not be written: \(error)"
      }
      return (scores, failed)
    }
    for (index, metric) in metrics.enumerated() {
      do {
        switch Self.score(in: try programs.output(of: index, within: seconds)) {
        case .number(let score): scores[metric.id] = score
        case .notFinite(let word): failed[metric.id] = "printed \(word), which is not a finite number"
        case .nothing: failed[metric.id] = "printed no number"
        }
      } catch {
        failed[metric.id] = "\(error)"
      }
    }
    return (scores, failed)
  }

  /// Each program’s score of two identical pictures, which is its value for “no difference”.
  mutating func scoresOfIdentical(
    within seconds: Double
  ) throws(Refusal) -> (scores: [String: Double], failed: [String: String]) {
    guard let picture = Self.trial else { throw Refusal("there is no picture to try programs with") }
    let identity = ImageIdentity(name: "a picture to try programs with", contentHash: "")
    return scores(of: picture, against: picture, named: identity, within: seconds)
  }

  /// A picture with smooth and fine parts, large enough for multi-scale metrics.
  private static let trial: RasterImage? = {
    let side = 256
    var bytes: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side { for c in 0..<3 { bytes.append(UInt8((x * (c + 1) + x * y / 64 + y) / 2 % 256)) } }
    }
    return RasterImage(width: side, height: side, layout: .rgb, bytes: bytes)
  }()

  /// Samples of 9 to 15 bits are written as 16: libjxl 0.7 reads them 64 times too bright if an `sBIT` chunk declares
  /// ten significant bits.
  private func write(_ image: RasterImage, to path: String) throws {
    let whole = image.format.bitDepth > 8 ? image.scaledDepth(to: 16) : image
    try ScratchFile.write(try writer.write(whole), to: path)
  }

  enum Score: Equatable {
    case number(Double)
    /// A word for a number that is not finite: `nan`, `inf`, or digits beyond the range.
    case notFinite(String)
    case nothing
  }

  /// The last number in a text, with or without an exponent. If that number is not finite, there is no score: an
  /// earlier number would mean something else.
  static func score(in text: [UInt8]) -> Score {
    let words = String(decoding: text, as: UTF8.self).split { character in
      !(character.isASCII && (character.isLetter || character.isNumber)) && !"+-.".contains(character)
    }
    for word in words.reversed() {
      let bare = String(word.lowercased().filter { !"+-.".contains($0) })
      if ["nan", "inf", "infinity"].contains(bare) { return .notFinite(String(word.prefix(20))) }
      let numbers = word.split { !"+-.0123456789eE".contains($0) }.reversed()
      guard let (spelling, number) = numbers.lazy.compactMap(Self.number).first else { continue }
      return number.isFinite ? .number(number) : .notFinite(String(spelling.prefix(20)))
    }
    return .nothing
  }

  /// Parses a number after stripping a sentence's full stop or a stray “e”.
  private static func number(_ part: Substring) -> (spelling: String, number: Double)? {
    let trimmed = part.drop { "eE.".contains($0) }.reversed().drop { "eE.+-".contains($0) }.reversed()
    let spelling = String(trimmed)
    return Double(spelling).map { (spelling, $0) }
  }
}
