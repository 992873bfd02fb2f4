import Metrics
import Sweep

/// All options of a sweep.
struct SweepOptions {
  let corpus: CorpusOptions
  let coding: CodingOptions
  let runner: RunnerOptions
  let target: TargetOption
  let timing: TimingOptions
  let judgement: JudgementOptions
  let output: OutputOptions
  let page: PageOptions
  /// A baseline to compare with afterwards; nil without a gate.
  let baseline: String?
  let gate: GateOptions

  /// What to search for, if anything: a score of any metric there is, or a size.
  func searchedTarget() throws -> QualityTarget? {
    let own = try coding.metricTraits().filter { !MetricSuite.standard.contains($0) }
    return try target.target(metrics: MetricSuite.standard + own)
  }

  /// The gate, where one was asked for.
  var gateSession: GateSession? {
    baseline.map { GateSession(baseline: $0, options: gate, judgement: judgement) }
  }
}
