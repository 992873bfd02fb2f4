import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Store
import Sweep
import Workers

/// What a sweep measures: every image with every codec at every quality. The defaults are those of `heicbench`.
public struct SweepRequest: Sendable {
  /// Which points are timed once more, with nothing of ours beside them.
  public enum Timing: Sendable, Hashable {
    /// None: CPU times come from the sweep itself.
    case none
    /// All, refined ones too.
    case all
    /// Those at these of the sweep's qualities.
    case qualities([Quality])
  }

  /// In which order points are measured.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    /// All images at the few qualities that the headline takes, then all images at the others: there is an answer early,
    /// which gets sharper. Images are opened twice, where that takes next to nothing.
    case coarseFirst = "coarse"
    /// Image by image: each is opened once.
    case byImage = "image"
  }

  /// Which images.
  public var images: ImageSource
  /// Which codecs with which settings; the first is what the others are compared with. Empty for JPEG and HEIC.
  public var codecs: [CodecVariant] = []
  /// Other builds of the libraries, which codecs name as in `heic@new`.
  public var builds: [LibraryBuild] = []
  /// Whether the files of a build are scored through its own decoder; otherwise the system's scores all files.
  package var scoresThroughBuilds = false
  /// Which qualities, in any order; the default is 0.1 to 1.0 in steps of 0.1.
  public var qualities: [Quality] = (1...10).compactMap { Quality(thousandths: $0 * 100) }
  /// What to search for in place of sweeping qualities, for every image and codec: the lowest quality that reaches a
  /// score, such as `ssimulacra2=80`, or the highest that fits a size, such as `bytes=200kB`; nil sweeps.
  public var target: String?
  /// Whether points between the qualities are measured where a quoted figure needs them.
  public var refines = true
  /// Which metrics; the default is all there are.
  public var metrics: [String] = MetricSuite.standard.map(\.id)
  /// Which metrics of one's own.
  public var metricCommands: [MetricCommand] = []
  /// The colour under transparent pixels where a codec keeps no alpha: red, green and blue.
  public var background: [UInt8] = [255, 255, 255]
  /// How many pixels become one in each direction before anything else, in linear light, 1 to 64.
  public var downscale = 1
  /// How often each encode and decode is timed.
  public var repeats = 1
  /// Which points are timed once more.
  public var timing = Timing.none
  /// In which order points are measured. The results are the same.
  package var order = Order.coarseFirst
  /// The most seconds that can be given: a year.
  package static let longestBudget = 31_536_000.0
  /// Seconds after which the run stops by itself and reports what is there; nil goes on to the end.
  public var budget: Double?
  /// Where variants are compared.
  public var judgement = Judgement()
  /// How the work is done.
  public var workers = WorkerSettings()
  /// The folder of the results. What was measured into it before is not measured again.
  public var output: String
  /// What of earlier results in the folder is taken as it is.
  public var reuse = Reuse.all
  /// A folder to keep every encoded file in; nil keeps none.
  public var keptFiles: String?
  /// What the page shows beside plots and tables.
  public var page = PageSettings()
  /// A gate that the outcome is going to be put through: what is wrong with its baseline and thresholds is said
  /// before anything is measured. ``GateRequest/run(on:)-(SweepOutcome)`` compares.
  public var gate: GateRequest?
  /// How this run is called in its records: a program's name and its arguments.
  package var command = CommandLine.arguments

  /// Sweeps over images, with the results in a folder.
  public init(images: [InputPath], output: String = "results") {
    self.images = ImageSource(images)
    self.output = output
  }

  /// Measures what is missing and writes the results. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - cancellation: stops the run early; what is finished by then is kept.
  ///   - events: told what goes on, from several threads.
  /// - Throws: `HeicBenchError` where the request, the images or the results folder cannot be used, or no worker can
  ///   be started. A point that fails is no error.
  public func run(
    cancellation: Cancellation, events: @escaping @Sendable (SweepEvent) -> Void = { _ in }
  ) throws -> SweepOutcome {
    try HeicBenchError.mapping {
      try SweepRun(self, cancellation: cancellation, events: events).run()
    }
  }

  /// Measures what is missing and writes the results, on a thread of its own. Cancelling the task stops the run early.
  ///
  /// - Parameter events: told what goes on, from several threads.
  /// - Throws: as ``run(cancellation:events:)`` does.
  public func run(events: @escaping @Sendable (SweepEvent) -> Void = { _ in }) async throws -> SweepOutcome {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        do {
          try PlainThread.start(stackSize: Self.stackSize) {
            continuation.resume(with: Result { try run(cancellation: cancellation, events: events) })
          }
        } catch {
          continuation.resume(throwing: HeicBenchError(error) ?? error)
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// As much as a main thread has.
  private static let stackSize = 8 << 20
}

extension SweepRequest {
  /// What is searched for: a score of any metric there is, or a size; nil for a sweep.
  func searchedTarget() throws -> QualityTarget? {
    let own = try metricTraits().filter { !MetricSuite.standard.contains($0) }
    return try target.map { try QualityTarget(parsing: $0, metrics: MetricSuite.standard + own) }
  }

  /// What readers have to know about the scores, in the order of the columns: of the metrics asked for, and of that
  /// of the target.
  func metricTraits(_ target: QualityTarget? = nil) throws(MetricError) -> [MetricTraits] {
    let metrics = try MetricSuite(metrics).traits + metricCommands.map(\.traits)
    guard let wanted = target?.metric, !metrics.contains(where: { $0.id == wanted.id }) else {
      return metrics
    }
    return metrics + [wanted]
  }

  /// The qualities to time among those of the sweep; nil for all of them and what was refined.
  /// - Throws: `HeicBenchError` where none is left.
  func timedQualities() throws -> [Quality]? {
    guard case .qualities(let wanted) = timing else { return nil }
    let sweep = QualityList(qualities)
    let timed = sweep.qualities.filter(wanted.contains)
    guard !timed.isEmpty else {
      throw HeicBenchError(
        .usage,
        "--time-qualities \(QualityList(wanted)) has none of the sweep’s qualities, which are \(sweep)")
    }
    return timed
  }

  /// Throws where a number is out of its range.
  func check() throws {
    let problem: String? =
      if qualities.isEmpty, target == nil {
        "there is no quality to measure"
      } else if !(1...64).contains(downscale) {
        "images can be shrunk 1 to 64 times, not \(downscale)"
      } else if !(1...1000).contains(repeats) {
        "encodes can be timed 1 to 1000 times, not \(repeats)"
      } else if background.count != 3 {
        "a background has red, green and blue"
      } else if let budget, !(budget > 0 && budget <= Self.longestBudget) {
        "a budget is more than 0 seconds and at most a year"
      } else if output.isEmpty {
        "there is no folder for the results"
      } else {
        nil
      }
    if let problem { throw HeicBenchError(.usage, problem) }
  }
}

extension QualityTarget {
  /// Reads `ssimulacra2=80` or `bytes=200kB`.
  /// - Throws: `HeicBenchError` that says what is allowed.
  init(parsing text: String, metrics: [MetricTraits]) throws {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if halves.count == 2, halves[0] == "bytes", let size = ByteCount(halves[1]) {
      self.init(.bytes(size.bytes))
      return
    }
    if let target = QualityTarget(text, metrics: metrics) {
      if case .score(let metric, let score) = target.goal, let highest = metric.scale?.highest,
        score > highest
      {
        throw HeicBenchError(
          .usage, "--target \(text): \(metric.title) is at most \(Numerals.short(highest))")
      }
      self = target
      return
    }
    let names = ["bytes"] + metrics.map(\.id)
    if halves.count == 1, Double(text) != nil {
      throw HeicBenchError(
        .usage, "--target \(text): write what it is a value of, such as ssimulacra2=\(text) or bytes=200kB")
    }
    throw HeicBenchError(
      .usage,
      names.contains(halves[0])
        ? "--target \(text): write a number after the =, such as ssimulacra2=80 or bytes=200kB"
        : "--target \(text): there is no “\(halves[0])”\(suggestion(for: halves[0], among: names)); "
          + "there are \(names.joined(separator: ", "))")
  }
}
