import CodecKit
import Foundation
import Metrics
import Model
package import Workers

/// Measures the same images with several builds of the libraries, only as much as is asked for.
///
/// Times are taken in turns, one image and build at a time on one core, so that the machine's drift affects all builds.
package final class BuildMeter: Sendable {
  package enum Subject: Sendable {
    /// Encodes of the plan's images at its only quality; the plan has one variant for each build.
    case encodes(SweepPlan)
    /// Decodes of unchanged files by builds of these names; nil stands for the system's libraries.
    case files([CorpusEntry], builds: [String?])
  }

  /// The results of an encode that do not depend on the machine's speed.
  package struct Encoded: Sendable, Hashable {
    package var bytes: Int
    /// SSIMULACRA2; nil if undefined.
    package var score: Double?
  }

  package struct Times: Sendable, Hashable {
    /// Nil if files were read.
    package var encode: Double?
    package var decode: Double
  }

  package struct Problem: Error, CustomStringConvertible {
    /// One sentence with the build and the image; empty if the work was cancelled.
    package let description: String
    package var wasCancelled = false

    package init(_ description: String, wasCancelled: Bool = false) {
      (self.description, self.wasCancelled) = (description, wasCancelled)
    }
  }

  /// Seconds after which a task is not repeated: more repeats lengthen rounds, and the spread between rounds counts.
  private static let enoughSeconds = 0.05

  private let subject: Subject
  private let configuration: RunnerConfiguration
  private let slot: WorkerSlot

  package init(_ subject: Subject, configuration: RunnerConfiguration) {
    self.subject = subject
    self.configuration = configuration
    let preparation: Preparation
    let metrics: [String]
    switch subject {
    case .encodes(let plan): (preparation, metrics) = (plan.preparation, plan.metrics)
    case .files: (preparation, metrics) = (Preparation(), [])
    }
    slot = WorkerSlot(configuration, preparation: preparation, metrics: metrics)
  }

  /// Stops the work at once; may be called from any thread.
  package func cancel() { slot.cancel() }

  package func close() { slot.retire() }

  /// Encodes every image once with the build at an index.
  /// - Throws: `Problem` or `WorkerStartError`.
  package func encode(_ build: Int) throws -> [Encoded] {
    guard case .encodes(let plan) = subject, let quality = plan.qualities.first else { return [] }
    let description = plan.variants[build]
    return try plan.entries.map { entry in
      let key = plan.point(of: entry, description, quality: quality)
      let report = try slot.measure(key, of: entry.file, repeats: 1, conditions: .single)
      let measurement = try Self.answer(report.response, description.variant.name, entry)
      return Encoded(bytes: measurement.encodedBytes, score: measurement.scores[MetricTraits.headline.id])
    }
  }

  package var count: Int { entries.count }

  /// Times images with two builds in turns: every image once, or as many as can be started within `seconds`; later
  /// rounds continue with the rest.
  /// - Throws: `Problem` or `WorkerStartError`.
  package func round(
    _ before: Int, _ after: Int, within seconds: Double, turns: inout BuildTurns
  ) throws -> (before: [Times], after: [Times]) {
    var times: (before: [Times], after: [Times]) = ([], [])
    let start = MonotonicClock.now()
    repeat {
      let image = turns.image(of: count)
      let isFirst = turns.isFirst()
      let first = try time(isFirst ? before : after, image, &turns)
      let second = try time(isFirst ? after : before, image, &turns)
      times.before.append(isFirst ? first : second)
      times.after.append(isFirst ? second : first)
    } while times.before.count < count && Double(MonotonicClock.now() - start) / 1e9 < seconds
    return times
  }

  private var entries: [CorpusEntry] {
    switch subject {
    case .encodes(let plan): plan.entries
    case .files(let entries, _): entries
    }
  }

  private func time(_ build: Int, _ image: Int, _ turns: inout BuildTurns) throws -> Times {
    let known = turns.seconds(of: build, image: image)
    let times =
      switch subject {
      case .encodes(let plan): try timeEncode(plan, build, plan.entries[image], known)
      case .files(let entries, let builds): try timeRead(builds[build], entries[image], known)
      }
    turns.keep(times.encode ?? times.decode, of: build, image: image)
    return times
  }

  /// Warms up short encodes: a first call loads library pages, and a short one suffers from what ran before it.
  private func timeEncode(
    _ plan: SweepPlan, _ build: Int, _ entry: CorpusEntry, _ known: Double?
  ) throws -> Times {
    let description = plan.variants[build]
    let request = TimeRequest(
      variant: description.variant, libraries: description.libraries.canonicalSpelling,
      quality: plan.qualities[0], warmUps: (known ?? 0) < Self.enoughSeconds ? 1 : 0, minimumRepeats: 1,
      minimumNanoseconds: Int64(Self.enoughSeconds * 1e9), maximumRepeats: 50,
      cores: Array(MachineCores.allowed.suffix(max(1, description.threads))))
    let seconds = configuration.timeout(pixels: entry.header?.pixelCount ?? 0, repeats: 4)
    let series = try Self.answer(
      slot.time(request, of: entry.file, within: seconds), description.variant.name, entry)
    return Times(encode: series.encode.medianCPUSeconds, decode: series.decode.medianCPUSeconds)
  }

  private func timeRead(_ build: String?, _ entry: CorpusEntry, _ known: Double?) throws -> Times {
    let repeats = known.map { Int(max(1, min(10, Self.enoughSeconds / max($0, 1e-6)))) } ?? 1
    let key = Case(image: entry.identity, encoding: nil, route: .full, wanted: .all, build: build)
    let seconds = configuration.timeout(pixels: entry.header?.pixelCount ?? 0, repeats: repeats + 2)
    let request = ReadRequest(path: entry.path, key: key, repeats: repeats, share: .times)
    let name = build.map { "build “\($0)”" } ?? "the system's libraries"
    let figures = try Self.answer(slot.read(request, of: entry.file, within: seconds), name, entry)
    return Times(encode: nil, decode: figures.samples.medianCPUSeconds)
  }

  private static func answer<Value>(
    _ response: Response<Value>, _ build: String, _ entry: CorpusEntry
  ) throws(Problem) -> Value {
    if let value = response.value { return value }
    guard var reason = response.failure?.message else { throw Problem("", wasCancelled: true) }
    if case .unsupported(let words) = response { reason = words }
    throw Problem("\(build) with “\(entry.identity.name)”: \(reason)")
  }
}

extension [TimingSample] {
  /// The median CPU time, seconds; 0 without samples.
  fileprivate var medianCPUSeconds: Double {
    let sorted = map(\.cpuNanoseconds).sorted()
    guard !sorted.isEmpty else { return 0 }
    return (Double(sorted[(sorted.count - 1) / 2]) + Double(sorted[sorted.count / 2])) / 2e9
  }
}
