import CodecKit
import Foundation
import Model
import Synchronization
import Workers

/// Makes thumbnails of files in workers. The first file of a kind is judged, which takes as long as hundreds of
/// thumbnails; others of its kind wait for the result.
final class ThumbnailRunner: Sendable {
  /// The most kinds of files remembered; a folder of photographs has few.
  private static let mostKinds = 256

  private let style: ThumbnailStyle
  private let registry: CodecRegistry
  private let configuration: RunnerConfiguration
  private let known = Mutex<[String: Double]>([:])
  private let pool: WorkerPool

  /// - Parameter registry: codecs whose readers check the workers' output.
  init(_ style: ThumbnailStyle, registry: CodecRegistry, configuration: RunnerConfiguration) {
    (self.style, self.registry, self.configuration) = (style, registry, configuration)
    pool = WorkerPool(configuration, preparation: Preparation())
  }

  /// Scores of the embedded thumbnails against their pictures, by kind of file.
  var judgements: [String: Double] { known.withLock { $0 } }

  /// Makes the thumbnails of `files` and hands each to `sink`, from several threads; returns early once cancelled.
  /// - Throws: the sink's errors, or `WorkerStartError` if no worker can be started.
  func run(
    _ files: [GlancedFile], sink: @escaping @Sendable (GlancedFile, Outcome<MadeThumbnail>) throws -> Void
  ) throws {
    try pool.run(files, pixels: \.pixels, kind: \.kind) { [self] file, slot, isLast in
      if let problem = file.problem {
        try sink(file, .failed(problem))
        return .unanswered
      }
      let request = ThumbnailRequest(path: Data(file.path), style: style, known: known.withLock { $0 })
      let response = try slot.ask(
        request, encodes: style.encoding == nil ? 0 : 1,
        within: configuration.timeout(pixels: file.pixels, repeats: 1))
      guard let outcome = response.outcome else { return .done }
      switch outcome {
      case .failed(let failure):
        if failure.isWorthRetrying, !isLast { return .again(file) }
        try sink(file, .failed(failure))
      case .unsupported: try sink(file, outcome)
      case .measured(let thumbnail):
        remember(thumbnail.judgement)
        try sink(file, checked(thumbnail))
        return .done
      }
      return .unanswered
    }
  }

  func cancel() { pool.cancel() }

  private func remember(_ judgement: MadeThumbnail.Judgement?) {
    guard let judgement else { return }
    known.withLock { if $0.count < Self.mostKinds { $0[judgement.kind] = judgement.score } }
  }

  /// Checks a worker's output before it becomes a file: workers read hostile files.
  private func checked(_ thumbnail: MadeThumbnail) -> Outcome<MadeThumbnail> {
    let bytes = [UInt8](thumbnail.bytes)
    let format = style.encoding?.variant.codec ?? "png"
    guard let header = try? registry.reader(for: bytes)?.header(of: bytes), header.format == format,
      header.width == thumbnail.width, header.height == thumbnail.height
    else {
      return .failed(Failure(kind: .broken, message: "the worker made something else than a thumbnail"))
    }
    return .measured(thumbnail)
  }
}
