import CodecKit
package import Model
import Pixels

/// The rules for accepting a worker's answers. A worker reads hostile files, so every part of an answer is checked once
/// before anything else uses it. Each question contains the check of its answer.
package struct AnswerCheck {
  package struct Invalid: Error, CustomStringConvertible {
    /// The part that is wrong; nil if it answers another question.
    package var detail: String?
    package init(detail: String? = nil) { self.detail = detail }

    package var description: String {
      "gave an answer that does not match the request" + (detail.map { ": \($0)" } ?? "")
    }
  }

  private static let mostTexts = 256
  private static let mostCharacters = 2000

  package let setup: WorkerSetup

  init(_ setup: WorkerSetup) { self.setup = setup }

  package func require(_ isTrue: Bool, _ what: String) throws(Invalid) {
    if !isTrue { throw Invalid(detail: what) }
  }

  package func check(width: Int, height: Int) throws(Invalid) {
    try require([width, height].allSatisfy(Bound.side.contains), "the picture's size")
    try require(width * height <= setup.limits.maximumPixels, "the picture's size")
  }

  package func check(hash: String) throws(Invalid) {
    let digits = hash.utf8
    try require(digits.count == 64 && digits.allSatisfy(Self.isHexadecimal), "the hash")
  }

  package func check(peak: Int?) throws(Invalid) {
    try require(peak.map { $0 == 0 || Bound.bytes.contains($0) } ?? true, "its memory")
  }

  /// Each name becomes a column of the store, so a worker must not invent any. A lossless score may be infinite.
  package func check(_ scores: [String: Double], asked: [String]? = nil) throws(Invalid) {
    let asked = asked ?? setup.metrics + setup.externalMetrics.map(\.id)
    for (name, score) in scores {
      try require(asked.contains(name), "a score that was not requested")
      try require(score.isFinite || score == .infinity, "a score that is not a number")
    }
  }

  package func check(_ series: TimingSeries, repeats: ClosedRange<Int>) throws(Invalid) {
    for operation in TimedOperation.allCases { try check(series[operation], repeats: repeats) }
  }

  package func check(_ samples: [TimingSample], repeats: ClosedRange<Int>) throws(Invalid) {
    try require(repeats.contains(samples.count), "\(samples.count) times")
    for sample in samples {
      let isTrue = Bound.time.contains(sample.wallNanoseconds) && Bound.time.contains(sample.cpuNanoseconds)
      try require(isTrue, "its times")
    }
  }

  package func checked(failedScores: [String: String]) throws(Invalid) -> [String: String] {
    let external = setup.externalMetrics.map(\.id)
    try require(failedScores.keys.allSatisfy(external.contains), "a score that was not requested")
    return failedScores.mapValues(clean)
  }

  package func check(_ record: inout ImageRecord, of file: ImageFile) throws(Invalid) {
    guard record.identity == file.identity, record.preparation == setup.preparation.canonicalSpelling
    else { throw Invalid() }
    try require(record.fileBytes >= 0 && record.fileBytes < Bound.bytes.upperBound, "the file's size")
    if let header = record.header {
      try require(Bound.side.contains(header.width) && Bound.side.contains(header.height), "the image's size")
      try require(Bound.depth.contains(header.bitDepth), "the image's depth")
    }
    if record.problem == nil || record.preparedWidth != nil || record.preparedHeight != nil {
      let sides = [record.preparedWidth ?? 0, record.preparedHeight ?? 0]
      try require(sides.allSatisfy(Bound.side.contains), "the prepared size")
      // A downscaled source may have been larger than the result, never smaller.
      try require(record.preparedPixels ?? .max <= setup.limits.maximumPixels, "the prepared size")
      try require((record.preparedFormat?.bitDepth).map(Bound.depth.contains) == true, "the prepared depth")
    }
    if let format = record.header?.format { record.header?.format = clean(format) }
    record.profile = record.profile.map(clean)
    record.steps = try clean(record.steps)
    record.problem = record.problem.map { clean($0).recorded }
  }

  package func clean(_ texts: [String]) throws(Invalid) -> [String] {
    try require(texts.count <= Self.mostTexts, "\(texts.count) texts")
    return texts.map(clean)
  }

  package func clean(_ failure: Failure) -> Failure {
    Failure(kind: failure.kind, message: clean(failure.message))
  }

  package func clean(_ text: String) -> String { PlainText.line(text, limit: Self.mostCharacters) }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}
