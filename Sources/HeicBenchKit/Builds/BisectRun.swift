import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Workers

struct BisectRun {
  let request: BisectRequest
  let cancellation: Cancellation
  let events: @Sendable (BisectEvent) -> Void

  func run() throws -> BisectOutcome {
    let entries = try entries()
    let names = request.builds.map(\.name)
    let subject = Numerals.counted(entries.count, request.readsFilesAsFound ? "file" : "image")
    let meter = try meter(entries)
    defer {
      cancellation.release()
      meter.close()
    }
    cancellation.perform { meter.cancel() }
    let comparer = BuildComparer(meter, request, events)
    var bisections: [Bisection] = []
    do {
      for quantity in request.followed {
        comparer.begin()
        bisections.append(
          try Bisection(quantity, count: names.count, threshold: request.threshold) {
            try comparer.compare(quantity, $0, $1)
          })
      }
    } catch let problem as BuildMeter.Problem {
      return BisectOutcome(
        [], builds: names, subject: subject, problem: problem.wasCancelled ? nil : problem.description,
        wasInterrupted: problem.wasCancelled)
    }
    return BisectOutcome(bisections, builds: names, subject: subject)
  }

  /// The readable images; unreadable ones are reported and left out.
  private func entries() throws -> [CorpusEntry] {
    var entries = try request.images.entries(to: "measure")
    for entry in entries {
      guard let problem = entry.problem else { continue }
      events(.failed(file: entry.identity.name, message: problem.message))
    }
    entries.removeAll { $0.problem != nil }
    guard !entries.isEmpty else { throw ImageInput.nothing(to: "measure") }
    return entries
  }

  private func meter(_ entries: [CorpusEntry]) throws -> BuildMeter {
    var configuration = try request.workers.configuration(limits: request.images.limits)
    configuration.jobs = 1
    configuration.scoresThroughBuild = request.scoresThroughBuilds
    let parts = request.codec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let settings = parts.count == 2 ? ":\(parts[1])" : ""
    let spellings =
      request.readsFilesAsFound
      ? [] : request.builds.map { "\(parts[0])\($0.isSystem ? "" : "@" + $0.name)\(settings)" }
    let builds = try TriedBuilds(
      request.builds.filter { !$0.isSystem }, spellings: spellings, system: .standard)
    configuration.builds = builds.builds
    guard !request.readsFilesAsFound else {
      return BuildMeter(
        .files(entries, builds: request.builds.map { $0.isSystem ? nil : $0.name }),
        configuration: configuration)
    }
    let builder = PlanBuilder(
      registry: .standard, builds: builds, scoresThroughBuild: configuration.scoresThroughBuild)
    let plan = builder.plan(
      entries: entries, variants: try builder.describe(spellings.compactMap { CodecVariant(unchecked: $0) }),
      qualities: QualityList([request.quality]),
      metrics: request.followed.contains(.score) ? [MetricTraits.headline.id] : [])
    return BuildMeter(.encodes(plan), configuration: configuration)
  }
}
