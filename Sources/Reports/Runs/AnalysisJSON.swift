import Analysis
import Model
import Store

/// An analysis as JSON: the tables of the summary under the names of their columns, and the curves.
enum AnalysisJSON {
  static func value(_ analysis: Analysis, digest: RunDigest) -> JSONValue {
    let (headline, wording) = (analysis.headline, Wording(analysis))
    return .object([
      ("headline_metric", .text(analysis.options.headlineMetric)),
      ("targets", .array(analysis.options.targets.map { .number($0) })),
      (
        "band",
        .array([analysis.options.band.lowerBound, analysis.options.band.upperBound].map { .number($0) })
      ),
      ("variants", .strings(analysis.variants.map(\.name))),
      ("counts", counts(analysis.counts)),
      ("progress", progress(analysis.progress)),
      ("verdicts", .array(analysis.verdicts.map { verdict($0, wording) })),
      ("warnings", .strings(wording.warnings)),
      ("target_found", .rows(TargetColumns.all(analysis), TargetColumns.Row.rows(of: analysis))),
      ("matched_quality", .rows(MatchedQualityColumns.all(headline: headline), analysis.matchedQualities)),
      ("settings", .rows(SettingColumns.forPrograms(headline: headline), analysis.settings)),
      ("files", .rows(FileColumns.all(headline: headline), analysis.fileComparisons)),
      ("imports", .rows(ImportColumns.all(headline: headline), analysis.importComparisons)),
      ("contrasts", .array(analysis.contrasts.map { contrast($0, wording) })),
      (
        "bd_rates",
        .rows(
          BDRateColumns.all(metrics: analysis.metrics, headlineID: analysis.options.headlineMetric),
          analysis.bdRates)
      ),
      (
        "pareto",
        .rows(ParetoColumns.all(headline: headline), ParetoColumns.Row.rows(of: analysis.paretoFronts))
      ),
      ("sanity", .rows(FindingColumns.sanity, analysis.sanity.violations)),
      (
        "qualities",
        .rows(
          QualitySummaryColumns.all(metrics: analysis.metrics, reference: analysis.reference) {
            digest.hasExclusiveTimes($0)
          }, analysis.qualitySummaries)
      ),
      ("mean_curves", .array(analysis.meanCurves.map(curve))),
    ])
  }

  private static func counts(_ counts: Analysis.Counts) -> JSONValue {
    .object([
      ("images", .integer(counts.images)), ("lossy_images", .integer(counts.lossyImages)),
      ("unusable_images", .integer(counts.unusableImages)), ("pixels", .integer(counts.pixels)),
      ("measured", .integer(counts.measured)), ("unsupported", .integer(counts.unsupported)),
      ("failed", .integer(counts.failed)), ("contended", .integer(counts.contended)),
      ("small_images", .integer(counts.smallImages)), ("gain_map_images", .integer(counts.gainMapImages)),
    ])
  }

  private static func progress(_ progress: RunProgress?) -> JSONValue {
    guard let progress else { return .cell(.empty) }
    return .object([
      ("planned", .cell(Cell(integer: progress.planned))), ("done", .integer(progress.done)),
      ("images", .integer(progress.images)), ("finished", .cell(.flag(progress.isFinished))),
    ])
  }

  private static func verdict(_ verdict: Verdict, _ wording: Wording) -> JSONValue {
    .object([
      ("variant", .text(verdict.variant.name)), ("reference", .text(verdict.reference.name)),
      ("direction", .text(verdict.direction.rawValue)), ("target", .number(verdict.target)),
      ("bytes_change_percent", .number(verdict.bytes?.mean)), ("sentence", .text(wording.sentence(verdict))),
      ("agreement", agreement(verdict.agreement, wording)),
    ])
  }

  private static func agreement(_ agreement: MetricAgreement?, _ wording: Wording) -> JSONValue {
    guard let agreement else { return .cell(.empty) }
    return .object([
      ("metrics", .integer(agreement.metrics)), ("same_winner", .integer(agreement.sameWinner)),
      ("agreeing", .integer(agreement.agreeing)), ("sentence", .text(wording.sentence(agreement))),
      (
        "views",
        .array(
          agreement.views.map { view in
            .object([
              ("metric", .text(view.metric)), ("opinion", .text(view.opinion.rawValue)),
              ("images", .integer(view.images)), ("bd_rate_percent", .number(view.rate.mean)),
              ("headline_bd_rate_percent", .number(view.headlineRate.mean)),
              ("difference_lower_percent", .number(view.difference.interval.lower)),
              ("difference_upper_percent", .number(view.difference.interval.upper)),
            ])
          })
      ),
    ])
  }

  private static func contrast(_ contrast: EqualQualityContrast, _ wording: Wording) -> JSONValue {
    .object([
      ("variant", .text(contrast.variant.name)), ("reference", .text(contrast.reference.name)),
      ("points", .integer(contrast.points)), ("bytes", .integer(contrast.bytes)),
      ("reference_bytes", .integer(contrast.referenceBytes)),
      ("change_percent", .number(contrast.changePercent)), ("score", .number(contrast.score)),
      ("reference_score", .number(contrast.referenceScore)),
      ("explanation", .text(wording.explanation(contrast))),
    ])
  }

  private static func curve(_ curve: MeanCurve) -> JSONValue {
    .object([
      ("variant", .text(curve.variant.name)), ("metric", .text(curve.metric)),
      (
        "points",
        .array(
          curve.points.map { point in
            .object([
              ("score", .number(point.score)), ("bits_per_pixel", .number(point.bitsPerPixel, decimals: 3)),
              ("images", .integer(point.images)),
            ])
          })
      ),
    ])
  }
}
