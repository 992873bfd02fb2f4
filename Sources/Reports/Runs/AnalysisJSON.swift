import Analysis
import Model
import Store

/// An analysis as JSON: the tables of the summary under the names of their columns, and the curves.
enum AnalysisJSON {
  static func value(_ report: RunReport) -> JSONValue {
    let (analysis, tables) = (report.analysis, RunTables(report: report))
    let (headline, wording, options) = (analysis.headline, Wording(analysis), analysis.options)
    return [
      "headline_metric": .text(options.headlineMetric),
      "targets": .array(options.targets.map { .number($0) }),
      "band": [.number(options.band.lowerBound), .number(options.band.upperBound)],
      "variants": .strings(analysis.variants.map(\.name)),
      "counts": counts(analysis.counts),
      "progress": analysis.progress.map(progress) ?? .cell(.empty),
      "verdicts": .array(analysis.verdicts.map { verdict($0, wording) }),
      "warnings": .strings(wording.warnings),
      "target_found": rows(tables.target),
      "matched_quality": .rows(MatchedQualityColumns.all(headline: headline), analysis.matchedQualities),
      "settings": .rows(SettingColumns.forPrograms(headline: headline), analysis.settings),
      "files": rows(tables.files),
      "imports": rows(tables.imports),
      "comparisons": .rows(ImageFigureColumns.comparisons, analysis.comparisons),
      "bd_rate_comparisons": .rows(ImageFigureColumns.bdRateComparisons, analysis.bdRateComparisons),
      "contrasts": .array(analysis.contrasts.map { contrast($0, wording) }),
      "bd_rates": rows(tables.bdRates),
      "pareto": rows(tables.pareto),
      "sanity": rows(tables.sanity),
      "qualities": .rows(tables.qualityColumns, analysis.qualitySummaries),
      "times_by_processor": rows(tables.timesByProcessor),
      "quality_times_by_processor": rows(tables.qualitiesByProcessor),
      "mean_curves": .array(analysis.meanCurves.map(curve)),
    ]
  }

  private static func rows(_ table: ReportTable?) -> JSONValue { table?.json ?? [] }

  private static func counts(_ counts: Analysis.Counts) -> JSONValue {
    [
      "images": .integer(counts.images), "copies": .integer(counts.copies),
      "lossy_images": .integer(counts.lossyImages),
      "unusable_images": .integer(counts.unusableImages.count), "pixels": .integer(counts.pixels),
      "measured": .integer(counts.measured), "unsupported": .integer(counts.unsupported),
      "failed": .integer(counts.failed), "contended": .integer(counts.contended),
      "small_images": .integer(counts.smallImages), "gain_map_images": .integer(counts.gainMapImages),
    ]
  }

  private static func progress(_ progress: RunProgress) -> JSONValue {
    [
      "planned": .cell(Cell(integer: progress.planned)), "done": .integer(progress.done),
      "images": .integer(progress.images), "finished": .cell(.flag(progress.isFinished)),
    ]
  }

  private static func verdict(_ verdict: Verdict, _ wording: Wording) -> JSONValue {
    [
      "variant": .text(verdict.variant.name), "reference": .text(verdict.reference.name),
      "direction": .text(verdict.direction.rawValue), "target": .number(verdict.target),
      "bytes_change_percent": .number(verdict.bytes?.mean), "sentence": .text(wording.sentence(verdict)),
      "agreement": verdict.agreement.map { agreement($0, wording) } ?? .cell(.empty),
    ]
  }

  private static func agreement(_ agreement: MetricAgreement, _ wording: Wording) -> JSONValue {
    let views = agreement.views.map { view -> JSONValue in
      [
        "metric": .text(view.metric), "opinion": .text(view.opinion.rawValue),
        "images": .integer(view.images), "bd_rate_percent": .number(view.rate.mean),
        "headline_bd_rate_percent": .number(view.headlineRate.mean),
        "difference_lower_percent": .number(view.difference.interval.lower),
        "difference_upper_percent": .number(view.difference.interval.upper),
      ]
    }
    return [
      "metrics": .integer(agreement.metrics), "same_winner": .integer(agreement.sameWinner),
      "agreeing": .integer(agreement.agreeing), "sentence": .text(wording.sentence(agreement)),
      "views": .array(views),
    ]
  }

  private static func contrast(_ contrast: EqualQualityContrast, _ wording: Wording) -> JSONValue {
    [
      "variant": .text(contrast.variant.name), "reference": .text(contrast.reference.name),
      "points": .integer(contrast.points), "bytes": .integer(contrast.bytes),
      "reference_bytes": .integer(contrast.referenceBytes),
      "change_percent": .number(contrast.changePercent), "score": .number(contrast.score),
      "reference_score": .number(contrast.referenceScore),
      "explanation": .text(wording.explanation(contrast)),
    ]
  }

  private static func curve(_ curve: MeanCurve) -> JSONValue {
    let points = curve.points.map { point -> JSONValue in
      [
        "score": .number(point.score), "bits_per_pixel": .number(point.bitsPerPixel, decimals: 3),
        "images": .integer(point.images),
      ]
    }
    return [
      "variant": .text(curve.variant.name), "metric": .text(curve.metric), "points": .array(points),
    ]
  }
}
