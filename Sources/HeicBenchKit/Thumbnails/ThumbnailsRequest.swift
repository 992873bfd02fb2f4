import CodecKit
import Codecs
import Foundation
package import Model
import Reports
import Store
import Synchronization
import Workers

/// Makes thumbnails of files by the cheapest route that shows the picture well enough.
package struct ThumbnailsRequest: Request {
  /// The files; the limit and the part are ignored.
  package var images: ImageSource
  package var output: String
  /// Longest sides in pixels. If there are several, each has its own folder in `output`; a picture is decoded once for
  /// all.
  package var sizes = [320]
  /// Nil for PNG.
  package var encoding: ReadEncoding? = ReadEncoding(variant: CodecVariant(codec: "jpeg"), quality: 0.8)
  /// The SSIMULACRA2 score against the whole picture from which an embedded thumbnail is used.
  ///
  /// The default is about as close to the best reduction as what thumbnailers make: phone and camera pictures score 64
  /// to 77 if they are reduced in encoded values by bicubic interpolation and saved as JPEG of quality 75, and 56
  /// without any filter.
  package var score = 60.0
  package var makesAgain = false
  package var workers = WorkerSettings()

  package init(images: ImageSource, output: String) {
    (self.images, self.output) = (images, output)
  }

  /// Makes thumbnails that are missing or outdated.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ThumbnailsOutcome {
    try HeicBenchError.mapping {
      for size in sizes { try Limits.thumbnailSide.check(size) }
      guard !sizes.isEmpty, Set(sizes).count == sizes.count else {
        throw HeicBenchError(.usage, "--size must name each size only once, such as 320,1280")
      }
      try Limits.score.check(score)
      return try make(cancellation, events)
    }
  }

  private func make(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws -> ThumbnailsOutcome {
    let style = ThumbnailStyle(sides: sizes, encoding: encoding, score: score)
    let configuration = try workers.configuration(limits: self.images.limits)
    let runner = ThumbnailRunner(style, configuration: configuration)
    cancellation.perform { runner.pool.cancel() }
    defer { cancellation.release() }
    guard let images = try glance(by: runner, notice: { events(.notice($0)) }) else { return .interrupted }
    let folder = try ThumbnailFolder(output, style)
    defer { folder.end() }
    let (wanted, clashes) = folder.sort(images, again: makesAgain)
    let outcome = Mutex(ThumbnailsOutcome())
    let fail = { @Sendable (name: String, message: String) in
      outcome.withLock { $0.failed += 1 }
      events(.failed(file: name, message: message))
    }
    for (image, name) in clashes { fail(image.name, "another image's thumbnail has the name \(name)") }
    let start = ContinuousClock.now
    try runner.run(wanted) { file, made in
      switch made {
      case .failed(let failure): fail(file.name, failure.message)
      case .unsupported(let reason): fail(file.name, reason)
      case .measured(let thumbnail):
        if let problem = try folder.keep(thumbnail, of: file) { return fail(file.name, problem) }
        let made = outcome.withLock { outcome in
          outcome.byRoute[thumbnail.route, default: 0] += thumbnail.files.count
          outcome.pictures += 1
          return outcome.made
        }
        events(.progress(done: made, total: nil))
      }
    }
    try folder.finish()
    events(.ended)
    configuration.tellRemarks { events(.notice($0)) }
    return outcome.withLock { outcome in
      let there = images.count - wanted.count - clashes.count
      outcome.skipped = there * sizes.count
      outcome.wasInterrupted = outcome.pictures + there + outcome.failed < images.count
      outcome.sentences = judgements(runner) + [outcome.summary(after: ContinuousClock.now - start)]
      return outcome
    }
  }

  /// The images, whose first bytes the thumbnail workers read; nil once cancelled.
  private func glance(
    by runner: ThumbnailRunner, notice: (String) -> Void
  ) throws -> [GlancedFile]? {
    let reader = CorpusReader(WorkerDescriber(runner.pool), limits: images.limits)
    do {
      let found = try reader.glance(at: images.files())
      guard !found.images.isEmpty else {
        throw ImageInput.nothing(to: "make thumbnails of", found.passedOver)
      }
      found.passedOver.lines.forEach(notice)
      return found.images
    } catch is CancellationError {
      return nil
    }
  }

  private func judgements(_ runner: ThumbnailRunner) -> [String] {
    runner.judgements.sorted { $0.key < $1.key }.map { kind, reached in
      let told = reached > 0 ? Numerals.fixed(reached, decimals: 1) : "0 or lower"
      // “Or more”: shifts, which may improve the match, are tried only if it is not good enough without.
      let verdict = reached >= score ? "good enough (score \(told) or more)" : "too poor (score \(told))"
      return "\(kind): embedded thumbnails are \(verdict)"
    }
  }
}

package struct ThumbnailsOutcome: Sendable {
  fileprivate var byRoute: [ReadRoute: Int] = [:]
  fileprivate var pictures = 0
  /// Number of thumbnails that already existed, made from the same files in the same way.
  package fileprivate(set) var skipped = 0
  /// Number of images of which no thumbnail could be made.
  package fileprivate(set) var failed = 0
  package fileprivate(set) var wasInterrupted = false
  /// Sentences with the scores of embedded thumbnails by kind of file, and a summary.
  package fileprivate(set) var sentences: [String] = []

  fileprivate static var interrupted: ThumbnailsOutcome {
    var outcome = ThumbnailsOutcome()
    outcome.wasInterrupted = true
    return outcome
  }

  package var made: Int { byRoute.values.reduce(0, +) }

  fileprivate func summary(after time: Duration) -> String {
    let seconds = time / .seconds(1)
    let ways: [(ReadRoute, String)] = [
      (.thumbnail, "from embedded thumbnails"), (.scaled, "at a reduced decoding size"),
      (.full, "by full decodes"),
    ]
    let parts = ways.compactMap { route, words in byRoute[route].map { "\($0) \(words)" } }
    var text = Numerals.counted(made, "thumbnail")
    if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
    if made > 0, seconds > 0 {
      text += "; \(Numerals.fixed(Double(made) / seconds, decimals: 1)) per second"
    }
    if skipped > 0 { text += "; \(skipped) already there" }
    if failed > 0 { text += "; \(failed) failed" }
    return text + "."
  }
}

/// Makes thumbnails of files in workers. It judges the first file of a kind, which takes as long as hundreds of
/// thumbnails; others of that kind wait for the result.
final class ThumbnailRunner: Sendable {
  /// The most kinds of files remembered; a folder of photographs has few.
  private static let mostKinds = 256

  let pool: WorkerPool
  private let style: ThumbnailStyle
  private let configuration: RunnerConfiguration
  private let known = Mutex<[String: Double]>([:])

  init(_ style: ThumbnailStyle, configuration: RunnerConfiguration) {
    (self.style, self.configuration) = (style, configuration)
    pool = WorkerPool(configuration)
  }

  /// Scores of the embedded thumbnails against their pictures, by kind of file.
  var judgements: [String: Double] { known.withLock { $0 } }

  /// Makes the thumbnails of `files` and hands each to `sink`, from several threads; returns early once cancelled.
  /// - Throws: The sink's errors, or `WorkerStartError` if no worker can be started.
  func run(
    _ files: [GlancedFile], sink: @escaping @Sendable (GlancedFile, Outcome<MadeThumbnails>) throws -> Void
  ) throws {
    let counts = Dictionary(grouping: files, by: Self.kind).mapValues(\.count)
    try pool.run(files, pixels: \.pixels, kind: Self.kind) { [self] file, slot, isLast in
      if let problem = file.problem {
        try sink(file, .failed(problem))
        return .unanswered
      }
      let question = ThumbnailQuestion(
        path: Data(file.path), name: file.name, style: style, known: judgements,
        judges: counts[Self.kind(file)] ?? 0 > 1)
      let response = try slot.ask(
        question, encodes: style.encoding == nil ? 0 : style.sides.count,
        within: configuration.timeout(pixels: file.pixels, repeats: 1))
      guard let outcome = response.outcome else { return .done }
      if let failure = outcome.failure, failure.isWorthRetrying, !isLast { return .again(file) }
      guard case .measured(let thumbnail) = outcome else {
        try sink(file, outcome)
        return .unanswered
      }
      if let judgement = thumbnail.judgement {
        known.withLock { if $0.count < Self.mostKinds { $0[judgement.kind] = judgement.score } }
      }
      try sink(file, outcome)
      return .done
    }
  }

  /// A file's kind by its first bytes, which decides which files wait for each other. Workers know more, so
  /// judgements are stored by their kinds.
  private static func kind(_ file: GlancedFile) -> String? {
    file.kind.map { "\($0) \(file.camera ?? "")" }
  }
}
