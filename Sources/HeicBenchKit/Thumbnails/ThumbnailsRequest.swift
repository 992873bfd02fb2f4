import CodecKit
import Codecs
import Foundation
package import Model
import Reports
import Store
import Workers

/// Thumbnails of files, made by the cheapest route that shows the picture well enough.
package struct ThumbnailsRequest: Request {
  package enum Format: Sendable, Hashable {
    case png
    case encoded(CodecVariant, Quality)
  }

  /// The files; the limit and the part are ignored.
  package var images: ImageSource
  package var output: String
  /// Longest side, pixels.
  package var size = 320
  package var format = Format.encoded(CodecVariant(codec: "jpeg"), 0.8)
  /// SSIMULACRA2 score against the whole picture from which an embedded thumbnail is used.
  package var score = 70.0
  package var makesAgain = false
  package var workers = WorkerSettings()

  package init(images: [InputPath], output: String) {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes thumbnails that are missing or outdated.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ThumbnailsOutcome {
    try HeicBenchError.mapping { try make(cancellation, events) }
  }

  private func make(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> ThumbnailsOutcome {
    let style = try style()
    let configuration = try workers.configuration(limits: images.limits)
    let images = try glancedImages()
    let folder = try ThumbnailFolder(output, style)
    let tally = ThumbnailTally(events)
    let wanted = folder.wanted(images, again: makesAgain, tally)
    defer {
      cancellation.release()
      folder.end()
    }
    let runner = ThumbnailRunner(style, registry: .standard, configuration: configuration)
    cancellation.perform { runner.cancel() }
    let start = ContinuousClock.now
    try runner.run(wanted) { file, outcome in
      switch outcome {
      case .failed(let failure): tally.fail(file.name, failure.message)
      case .unsupported(let reason): tally.fail(file.name, reason)
      case .measured(let thumbnail):
        do {
          try folder.write(thumbnail, of: file)
          tally.count(thumbnail.route)
        } catch let error as OutputError where error.concernsItsNameAlone {
          tally.fail(file.name, error.description)
        }
      }
    }
    try folder.finish()
    events(.ended)
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    return ThumbnailsOutcome(
      tally.counts, total: images.count, seconds: elapsed, judgements: runner.judgements, score: score)
  }

  private func glancedImages() throws -> [GlancedFile] {
    let reader = CorpusReader(registry: .standard, limits: images.limits)
    let found = try reader.glance(at: images.files()).images
    guard !found.isEmpty else { throw ImageInput.nothing(to: "make thumbnails of") }
    return found
  }

  private func style() throws -> ThumbnailStyle {
    try Limits.thumbnailSide.check(size)
    try Limits.score.check(score)
    let written: ThumbnailStyle.Format =
      switch format {
      case .png: .png
      case .encoded(let variant, let quality): .encoded(ReadEncoding(variant: variant, quality: quality))
      }
    return ThumbnailStyle(side: size, format: written, score: score)
  }
}

package struct ThumbnailsOutcome: Sendable {
  package let made: Int
  /// Number of existing thumbnails, made of the same files in the same way.
  package let skipped: Int
  package let failed: Int
  package let wasInterrupted: Bool
  /// The scores of embedded thumbnails by kind of file, and a summary, a sentence each.
  package let sentences: [String]

  init(
    _ counts: ThumbnailTally.Counts, total: Int, seconds: Double, judgements: [String: Double], score: Double
  ) {
    (made, skipped, failed) = (counts.made, counts.skipped, counts.failed)
    wasInterrupted = counts.done < total
    let kinds = judgements.sorted { $0.key < $1.key }.map { kind, reached in
      let verdict = reached >= score ? "taken" : "not taken"
      let told = reached > 0 ? Numerals.fixed(reached, decimals: 1) : "next to nothing"
      return "\(kind): scores \(told), \(verdict)"
    }
    sentences = kinds + [counts.sentence(seconds: seconds)]
  }
}
