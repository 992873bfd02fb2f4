import CodecKit
import Codecs
import Foundation
package import Model
import Reports
import Store
import Sweep
import Workers

/// Thumbnails of files, made by the cheapest way that shows the picture well enough.
package struct ThumbnailsRequest: Sendable {
  /// What thumbnails are written as.
  package enum Format: Sendable, Hashable {
    /// Without loss.
    case png
    /// By a codec at a quality.
    case encoded(CodecVariant, Quality)
  }

  /// The sizes that can be asked for: what is larger is no thumbnail.
  package static let sizes = 1...4096

  /// Which files. Lists, limits and parts are not for thumbnails.
  package var images: ImageSource
  /// The folder that thumbnails go to.
  package var output: String
  /// The longest side, pixels.
  package var size = 320
  /// What thumbnails are written as.
  package var format = Format.encoded(CodecVariant(codec: "jpeg"), 0.8)
  /// The SSIMULACRA 2 against the whole picture from which an embedded thumbnail is taken.
  package var score = 70.0
  /// Whether those are made anew that are there.
  package var makesAgain = false
  /// How the work is done.
  package var workers = WorkerSettings()

  /// Makes thumbnails of files in a folder.
  package init(images: [InputPath], output: String) {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Makes what is missing or was made of another picture. Blocks the calling thread.
  /// - Parameters:
  ///   - cancellation: stops the run early; thumbnails that are made by then stay.
  ///   - events: told what goes on, from several threads.
  /// - Throws: `HeicBenchError` where the request, the files or the folder cannot be used, or no worker can be started.
  ///   A file without a thumbnail is no error.
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
    let found = try reader.glance(at: CorpusReader.find(images.sources())).images
    guard !found.isEmpty else { throw ImageInput.nothing(to: "make thumbnails of") }
    return found
  }

  private func style() throws -> ThumbnailStyle {
    guard Self.sizes.contains(size) else {
      throw HeicBenchError(
        .usage, "thumbnails have 1 to \(Self.sizes.upperBound) pixels at their longest side, not \(size)")
    }
    guard score > 0, score <= 100 else {
      throw HeicBenchError(.usage, "thumbnails are taken from a score between 0 and 100 on")
    }
    let written: ThumbnailStyle.Format =
      switch format {
      case .png: .png
      case .encoded(let variant, let quality): .encoded(ReadEncoding(variant: variant, quality: quality))
      }
    return ThumbnailStyle(side: size, format: written, score: score)
  }
}

/// What became of thumbnails.
package struct ThumbnailsOutcome: Sendable {
  /// How many were made.
  package let made: Int
  /// How many were there, made of the same files in the same way.
  package let skipped: Int
  /// How many files have none.
  package let failed: Int
  /// Whether the run was stopped before all were made.
  package let wasInterrupted: Bool
  /// What embedded thumbnails of each kind of file are worth, and what was made, a sentence each.
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
