import CodecKit
import Foundation
import Model
import Workers

/// Measures the same images with several builds of the libraries, and only what is requested.
///
/// Builds take turns, one image at a time on one core, so that the machine's drift affects all of them equally. Images
/// come in random order, and none repeats before all have been measured. The build that goes first is random, too.
final class BuildMeter {
  enum Subject {
    /// Encodes of the plan's images at its only quality; the plan has one variant for each build.
    case encodes(SweepPlan)
    /// Decodes of unchanged files by builds with these names; nil for the system's libraries.
    case files([CorpusEntry], builds: [String?])
  }

  struct Problem: Error {
    /// One sentence with the build and the image; nil if the work was cancelled.
    let message: String?
  }

  /// CPU seconds.
  typealias Times = [TimedOperation: Double]

  /// Seconds after which a task is not repeated: more repeats would lengthen rounds, but the spread between rounds is
  /// what counts.
  private static let enoughSeconds = 0.05

  let entries: [CorpusEntry]
  private let subject: Subject
  private let configuration: RunnerConfiguration
  private let pool: WorkerPool
  private var encoded: [Int: [Figures]] = [:]
  private var generator = SeededGenerator(seed: 1)
  private var left: [Int] = []
  /// The time that an image last took with a build, by build and image.
  private var known: [Int: [Int: Double]] = [:]

  func tellRemarks(_ notice: (String) -> Void) { configuration.tellRemarks(notice) }

  init(_ subject: Subject, configuration: RunnerConfiguration, cancellation: Cancellation) {
    (self.subject, self.configuration) = (subject, configuration)
    switch subject {
    case .encodes(let plan):
      entries = plan.entries
      pool = WorkerPool(
        configuration, preparation: plan.preparation, metrics: plan.metrics, sessions: 1)
    case .files(let files, _):
      entries = files
      pool = WorkerPool(configuration, sessions: 1)
    }
    cancellation.perform { [pool] in pool.cancel() }
  }

  private var slot: WorkerSlot { pool.sessions[0] }

  func close() { pool.retire() }

  /// Encodes every image once with the build at an index.
  /// - Throws: `Problem` or `WorkerStartError`.
  func encode(_ build: Int) throws -> [Figures] {
    if let known = encoded[build] { return known }
    guard case .encodes(let plan) = subject, let quality = plan.qualities.first else { return [] }
    let description = plan.variants[build]
    let figures = try entries.map { entry in
      let key = plan.point(of: entry, description, quality: quality)
      let response = try slot.measure(key, of: entry.file, repeats: 1, conditions: .single)
      return try Self.answer(response, description.variant.name, entry)
    }
    encoded[build] = figures
    return figures
  }

  /// Times images with two builds alternately: every image once, or as many as can be started within `seconds`; later
  /// rounds continue with the rest.
  /// - Throws: `Problem` or `WorkerStartError`.
  func round(
    _ before: Int, _ after: Int, within seconds: Double
  ) throws -> (before: [Times], after: [Times]) {
    var times: (before: [Times], after: [Times]) = ([], [])
    let start = MonotonicClock.now()
    repeat {
      if left.isEmpty { left = entries.indices.shuffled(using: &generator) }
      let image = left.removeLast()
      let isFirst = Bool.random(using: &generator)
      let first = try time(isFirst ? before : after, image)
      let second = try time(isFirst ? after : before, image)
      times.before.append(isFirst ? first : second)
      times.after.append(isFirst ? second : first)
    } while times.before.count < entries.count && MonotonicClock.seconds(since: start) < seconds
    return times
  }

  private func time(_ build: Int, _ image: Int) throws -> Times {
    let last = known[build]?[image]
    let times =
      switch subject {
      case .encodes(let plan): try timeEncode(plan, build, entries[image], last)
      case .files(_, let builds): try timeRead(builds[build], entries[image], last)
      }
    known[build, default: [:]][image] = times[.encode] ?? times[.decode]
    return times
  }

  /// Warms up before short encodes: a first call loads library pages, and what ran before slows a short one.
  private func timeEncode(
    _ plan: SweepPlan, _ build: Int, _ entry: CorpusEntry, _ known: Double?
  ) throws -> Times {
    let description = plan.variants[build]
    let request = TimeQuestion(
      description, plan.qualities[0], warmUps: (known ?? 0) < Self.enoughSeconds ? 1 : 0, repeats: 1...50,
      seconds: Self.enoughSeconds)
    let seconds = configuration.timeout(pixels: entry.header?.pixelCount ?? 0, repeats: 4)
    let series = try Self.answer(
      slot.time(request, of: entry.file, within: seconds), description.variant.name, entry)
    return Self.medians([.encode: series.encode, .decode: series.decode])
  }

  private func timeRead(_ build: String?, _ entry: CorpusEntry, _ known: Double?) throws -> Times {
    let repeats = known.map { Int(max(1, min(10, Self.enoughSeconds / max($0, 1e-6)))) } ?? 1
    let seconds = configuration.timeout(pixels: entry.header?.pixelCount ?? 0, repeats: repeats + 2)
    let request = TimeFileQuestion(file: entry.file, repeats: repeats)
    let name = build.map { "build “\($0)”" } ?? "the system's libraries"
    let samples = try Self.answer(slot.ask(request, build: build, within: seconds), name, entry)
    return Self.medians([.decode: samples])
  }

  private static func medians(_ samples: [TimedOperation: [TimingSample]]) -> Times {
    samples.compactMapValues { $0.map { Double($0.cpuNanoseconds) / 1e9 }.median }
  }

  private static func answer<Value>(
    _ response: Response<Value>, _ build: String, _ entry: CorpusEntry
  ) throws(Problem) -> Value {
    if let value = response.value { return value }
    guard var reason = response.failure?.message else { throw Problem(message: nil) }
    if case .failed(let failure) = response { reason = failure.message }
    throw Problem(message: "\(build) with “\(entry.identity.name)”: \(reason)")
  }
}
