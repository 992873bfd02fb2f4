import CodecKit
import Codecs
import Foundation
package import Model
import Reports
import Store
import Synchronization
import Workers

/// Thumbnails of files, made by the cheapest route that shows the picture well enough.
package struct ThumbnailsRequest: Request {
  /// The files; the limit and the part are ignored.
  package var images: ImageSource
  package var output: String
  /// Longest side, pixels.
  package var size = 320
  /// The encode of the thumbnails; nil for PNG.
  package var encoding: ReadEncoding? = ReadEncoding(variant: CodecVariant(codec: "jpeg"), quality: 0.8)
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
    try Limits.thumbnailSide.check(size)
    try Limits.score.check(score)
    let style = ThumbnailStyle(side: size, encoding: encoding, score: score)
    let configuration = try workers.configuration(limits: images.limits)
    let images = try glancedImages()
    let folder = try ThumbnailFolder(output, style)
    let (wanted, clashes) = folder.sort(images, again: makesAgain)
    let counts = Mutex((byRoute: [ReadRoute: Int](), failed: 0))
    let fail = { @Sendable (name: String, message: String) in
      counts.withLock { $0.failed += 1 }
      events(.failed(file: name, message: message))
    }
    for (image, name) in clashes { fail(image.name, "another image's thumbnail has the name \(name)") }
    let runner = ThumbnailRunner(style, registry: .standard, configuration: configuration)
    cancellation.perform { runner.cancel() }
    defer {
      cancellation.release()
      folder.end()
    }
    let start = ContinuousClock.now
    try runner.run(wanted) { file, outcome in
      switch outcome {
      case .failed(let failure): fail(file.name, failure.message)
      case .unsupported(let reason): fail(file.name, reason)
      case .measured(let thumbnail):
        do { try folder.write(thumbnail, of: file) } catch let error as OutputError
          where error.concernsItsNameAlone
        {
          return fail(file.name, error.description)
        }
        let made = counts.withLock { counts in
          counts.byRoute[thumbnail.route, default: 0] += 1
          return counts.byRoute.values.reduce(0, +)
        }
        events(.progress(done: made, total: nil))
      }
    }
    try folder.finish()
    events(.ended)
    let (byRoute, failed) = counts.withLock { $0 }
    return ThumbnailsOutcome(
      byRoute, skipped: images.count - wanted.count - clashes.count, failed: failed, total: images.count,
      seconds: (ContinuousClock.now - start) / .seconds(1),
      judgements: runner.judgements.sorted { $0.key < $1.key }.map { kind, reached in
        let told = reached > 0 ? Numerals.fixed(reached, decimals: 1) : "next to nothing"
        return "\(kind): scores \(told), \(reached >= score ? "taken" : "not taken")"
      })
  }

  private func glancedImages() throws -> [GlancedFile] {
    let reader = CorpusReader(registry: .standard, limits: images.limits)
    let found = try reader.glance(at: images.files()).images
    guard !found.isEmpty else { throw ImageInput.nothing(to: "make thumbnails of") }
    return found
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
    _ byRoute: [ReadRoute: Int], skipped: Int, failed: Int, total: Int, seconds: Double, judgements: [String]
  ) {
    made = byRoute.values.reduce(0, +)
    (self.skipped, self.failed) = (skipped, failed)
    wasInterrupted = made + skipped + failed < total
    let ways: [(ReadRoute, String)] = [
      (.thumbnail, "from embedded ones"), (.scaled, "at a reduced size"), (.full, "by decoding all"),
    ]
    let parts = ways.compactMap { route, words in byRoute[route].map { "\($0) \(words)" } }
    var text = Numerals.counted(made, "thumbnail")
    if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
    if made > 0, seconds > 0 {
      text += "; \(Numerals.fixed(Double(made) / seconds, decimals: 1)) a second"
    }
    if skipped > 0 { text += "; \(skipped) were there already" }
    if failed > 0 { text += "; \(failed) failed" }
    sentences = judgements + [text + "."]
  }
}
