import Analysis
import Model
import Reports
import Store

struct TargetTable {
  struct Place: Hashable {
    let image: ImageIdentity
    let variant: CodecVariant
  }

  let target: QualityTarget
  let metrics: [MetricTraits]
  private var results: [(place: Place, result: TargetResult)] = []
  /// The answers from all points of the run, which the reports' sums use too.
  private var findings: [Place: TargetFinding] = [:]
  private var problems: [Place: [Quality: String]] = [:]

  /// Reads a run's results, without unusable images and cancelled searches. Throws for a reversed metric.
  init(_ strategy: TargetStrategy, _ sweep: SweepRun, run: RunID) throws {
    (target, metrics) = (strategy.target, sweep.manifest.metrics)
    let finished: any FinishedPoints = sweep.kept ?? sweep.store
    for entry in sweep.plan.entries where entry.problem == nil {
      let points = try finished.finished(
        entry.identity, preparation: sweep.plan.preparation.canonicalSpelling, metric: target.metric?.id)
      for description in sweep.plan.variants {
        let known = points.points(description.variant, libraries: description.librariesInKey)
        guard let result = strategy.result(description.variant, known: known) else { continue }
        results.append((Place(image: entry.identity, variant: description.variant), result))
      }
    }
    var directions = DirectionCheck(metrics: metrics)
    try sweep.store.forEachRow(of: run) { row in
      add(row)
      directions.add(row)
    }
    if let metric = target.metric { try directions.refuseReversed([metric.id]) }
  }

  private mutating func add(_ row: ResultRow) {
    guard let variant = row.variant else { return }
    let image = ImageIdentity(name: row.image, contentHash: row.imageHash ?? "")
    let place = Place(image: image, variant: variant)
    if row.status != .measured, let quality = row.quality {
      let reason = row.error ?? ""
      problems[place, default: [:]][quality] = row.status == .unsupported ? "unsupported: \(reason)" : reason
    }
    TargetFinding.keepBetter(&findings[place], row, target: target)
  }

  var csv: String {
    typealias Row = (place: Place, result: TargetResult, finding: TargetFinding?, problem: String?)
    var columns: [Column<Row>] = [
      Column(CSVColumnNames.image, title: "image") { Cell(text: $0.place.image.name) },
      Column(CSVColumnNames.codec, title: "codec") { Cell(text: $0.place.variant.codec) },
      Column(CSVColumnNames.settings, title: "settings") { Cell(text: $0.place.variant.canonicalSettings) },
      Column("target", title: "target") { [text = target.description] _ in Cell(text: text) },
      Column("reached", title: "reached") { Cell(flag: $0.finding?.isReached ?? false) },
      Column(CSVColumnNames.quality, title: "quality") { Cell(text: $0.finding?.quality.description) },
      Column(CSVColumnNames.nativeQuality, title: "native quality") {
        Cell(integer: $0.finding?.nativeQuality)
      },
      Column(CSVColumnNames.encodedBytes, title: "bytes") { Cell(integer: $0.finding?.bytes) },
    ]
    columns += metrics.map { metric in
      Column(metric.column, title: metric.title, unit: metric.unit) {
        Cell(number: $0.finding?.scores[metric.id], decimals: metric.decimals)
      }
    }
    columns += [
      .count("probes", "probes") { $0.result.probes },
      Column(CSVColumnNames.build, title: "build") {
        Cell(text: $0.place.variant.build ?? LibraryBuild.system)
      },
      Column(CSVColumnNames.error, title: "error") { Cell(text: $0.problem) },
    ]
    return RowWriter(csv: columns).text(
      results.map { ($0.place, $0.result, findings[$0.place], problem($0.place, $0.result)) })
  }

  private func problem(_ place: Place, _ result: TargetResult) -> String? {
    result.obstacle.map { problems[place]?[$0] ?? "\(target) is not defined for this image" }
  }
}
