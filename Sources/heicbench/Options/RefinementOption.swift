import Analysis
import ArgumentParser
import Model

/// Whether points are measured beside the grid.
struct RefinementOption: ParsableArguments {
  /// What `--refine` takes.
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  @Option(
    help: ArgumentHelp(
      "on: after the qualities, measure those too that the figures at the scores of --at and at the ends of --band "
        + "need, beyond the lowest and highest quality where a score lies there; off: the qualities alone, and no figure "
        + "where they are too far apart.", valueName: "on|off"))
  var refine = Mode.on

  /// What is to be exact; nil where nothing is refined, or the metric that decides is not scored.
  func goal(
    _ options: AnalysisOptions, metrics: [MetricTraits]
  ) -> (goal: Refinement, metric: MetricTraits)? {
    guard refine == .on, let metric = metrics.first(where: { $0.id == options.headlineMetric }) else {
      return nil
    }
    return (
      Refinement(metric: metric.id, targets: options.targets, band: options.band), metric
    )
  }
}
