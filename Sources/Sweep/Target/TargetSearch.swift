package import CodecKit
package import Model
package import Workers

/// Finds, for every image and variant, the quality that just reaches a target: about five encodes each instead
/// of a whole sweep. Every encode is a point like any other and recorded as one.
package final class TargetSearch: Sendable {
  private let plan: SweepPlan
  private let seeker: TargetSeeker
  private let runner: SweepRunner

  /// Prepares a search.
  /// - Parameters:
  ///   - plan: images and variants; its qualities do not count, and the target's metric is added to its own.
  ///   - target: what to reach.
  ///   - registry: where the codecs' quality scales are read.
  ///   - configuration: how workers are started.
  ///   - sink: where every point goes.
  ///   - known: what earlier runs measured at a point; called from several threads.
  ///   - end: when to stop, on `MonotonicClock`; nil goes on to the end.
  ///   - progress: told after every search; its points are searches.
  package init(
    plan: SweepPlan, target: QualityTarget, registry: CodecRegistry, configuration: RunnerConfiguration,
    sink: any RecordSink, known: @escaping @Sendable (PointKey) -> Measurement?, end: Int64? = nil,
    progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }
  ) {
    var plan = plan
    (plan.refinement, plan.coarse) = (nil, nil)
    plan.qualities = [Quality(native: 50)].compactMap { $0 }
    if let metric = target.metric?.id, !plan.metrics.contains(metric) { plan.metrics.append(metric) }
    let ranges = plan.variants.compactMap { description in
      registry.codec(description.variant.codec).map { (description.variant, $0.traits.nativeQuality) }
    }
    self.plan = plan
    seeker = TargetSeeker(
      target: target, ranges: Dictionary(ranges, uniquingKeysWith: { first, _ in first }), known: known)
    runner = SweepRunner(
      plan: plan, configuration: configuration, sink: sink, finished: NothingFinished(), seeker: seeker,
      end: end, progress: progress)
  }

  /// Searches, and returns what was found in the plan's order, with the totals of all its points. Images that
  /// could not be used and searches that were cancelled have no result. Blocks the calling thread; throws as
  /// `SweepRunner.run` does.
  package func run() throws -> (results: [TargetResult], summary: SweepSummary) {
    let summary = try runner.run()
    let results = plan.entries.lazy.filter { $0.problem == nil }
      .flatMap { [plan, seeker] in plan.points(of: $0).compactMap(seeker.result) }
    return (Array(results), summary)
  }

  /// Stops the search at once. May be called from any thread.
  package func cancel() { runner.cancel() }

  /// What a search has to do depends on scores, so no search is known to be finished before it was done.
  private struct NothingFinished: FinishedPoints {
    func finished(
      _ image: ImageIdentity, preparation: String, metric: String?
    ) throws -> [PointKey: FinishedPoint] { [:] }
  }
}
