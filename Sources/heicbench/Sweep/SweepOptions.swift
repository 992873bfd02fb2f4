import Analysis
import Metrics
import Model
import Sweep

/// All options of a sweep.
struct SweepOptions {
  let corpus: CorpusOptions
  let coding: CodingOptions
  let runner: RunnerOptions
  let target: TargetOption
  let timing: TimingOptions
  let refinement: RefinementOption
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

  /// What the analysis is asked for.
  func analysisOptions(_ target: QualityTarget?) throws -> AnalysisOptions {
    try judgement.options(metrics: runMetrics(target), target: target)
  }

  /// The metrics of the run: those asked for, and that of the target.
  func runMetrics(_ target: QualityTarget?) throws -> [MetricTraits] {
    let metrics = try coding.metricTraits()
    guard let wanted = target?.metric, !metrics.contains(where: { $0.id == wanted.id }) else {
      return metrics
    }
    return metrics + [wanted]
  }

  /// The gate, where one was asked for.
  var gateSession: GateSession? {
    baseline.map { GateSession(baseline: $0, options: gate, judgement: judgement) }
  }
}
