import Analysis
import Model
import Reports
import Store

/// The report on generation loss: generations.csv, generations.md and generations.svg.
struct GenerationsReport {
  static let files = FeatureFiles(
    table: "generations.csv", named: "generations", hasPage: false, charts: [GenerationsChart.name])

  private let records: [CaseRecord]
  private let losses: [GenerationLoss]
  private let metrics: [MetricTraits]
  private let headline: MetricTraits
  private let score: Double?

  /// - Parameter score: the score that first generations reach; nil if qualities were not searched.
  init(
    _ records: [CaseRecord], metrics: [MetricTraits], headline: MetricTraits, score: Double?
  ) {
    (self.records, self.metrics, self.headline, self.score) = (records, metrics, headline, score)
    losses = GenerationLoss.all(records, headline: headline.id, isSearched: score != nil)
  }

  var feature: FeatureReport {
    FeatureReport(
      Self.files, title: "Generation loss", anchor: "generations", sentences: losses.compactMap(sentence),
      blocks: blocks,
      table: StreamedTable(GenerationColumns.rows(metrics), GenerationColumns.Row.all(records)))
  }

  /// `HEIC at 0.5 loses 3.2 SSIMULACRA2 from the first to the fifth generation (95 % 2.1 to 4.3, 24 images); …`
  private func sentence(_ loss: GenerationLoss) -> String? {
    guard let first = loss.steps.first, let last = loss.steps.last, last.generation > 1,
      let figure = last.loss, let start = first.scores[headline.id], let end = last.scores[headline.id]
    else { return nil }
    let digits = max(headline.decimals - 1, 1)
    let place =
      loss.quality.map { " at quality \($0)" }
      ?? score.map { " from \(headline.title) \(Numerals.short($0))" }
    let interval =
      figure.interval.map {
        ", 95 % \(Numerals.plain($0.lower, digits)) to \(Numerals.plain($0.upper, digits))"
      } ?? ""
    var text =
      "\(loss.variant.title)\(place ?? "") goes from \(headline.title) \(Numerals.plain(start, digits)) to "
      + "\(Numerals.plain(end, digits)) in \(last.generation) generations "
      + "(\(Numerals.plain(-figure.mean, digits)) points\(interval), \(Numerals.counted(loss.images, "image")))"
    if loss.images < loss.outOf { text += " of \(loss.outOf)" }
    if last.settled > 0 {
      text +=
        "; \(Numerals.counted(last.settled, "image")) no longer \(last.settled == 1 ? "changes" : "change")"
    }
    return text + "."
  }

  private var blocks: [ReportBlock] {
    let start =
      score.map {
        "Every image and codec begins at the lowest quality that reaches \(headline.title) \(Numerals.short($0))."
      }
      ?? "Equal quality numbers are not equal quality: compare codecs where their first generations score alike."
    let steps = losses.flatMap { loss in
      loss.steps.map { GenerationColumns.StepRow(loss: loss, step: $0) }
    }
    let blocks: [ReportBlock] = [
      .paragraph(
        "Each generation is encoded from the pixels that the one before decodes to, at the same quality, and scored "
          + "against the original. The first is what a sweep measures. \(start)"),
      .list(losses.compactMap(sentence)),
      .table(ReportTable("Loss", GenerationColumns.steps(metrics, headline: headline), steps)),
      .charts([GenerationsChart(losses, headline: headline).chart].compactMap { $0 }),
    ]
    let problems = GenerationColumns.Row.all(records).filter { $0.problem != nil }
    guard !problems.isEmpty else { return blocks }
    let title = "What has no chain"
    return blocks + [.heading(title), .table(ReportTable(title, GenerationColumns.problems, problems))]
  }
}
