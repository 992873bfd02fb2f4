import Analysis
import Model
import Reports
import Store
import Sweep
import Workers

/// What a search for a target found: a row for each image and variant.
struct TargetTable {
  /// An image and a variant of the run.
  struct Place: Hashable {
    let image: ImageIdentity
    let variant: CodecVariant
  }

  let target: QualityTarget
  /// The metrics of the run, whose scores stand in the table.
  let metrics: [MetricTraits]
  /// What became of each search.
  let results: [TargetResult]
  /// The answers among all points of the run, which the reports' sums are made of too.
  private var findings: [Place: TargetFinding] = [:]

  init(target: QualityTarget, metrics: [MetricTraits], results: [TargetResult]) {
    self.target = target
    self.metrics = metrics
    self.results = results
  }

  /// Takes a row of the run.
  mutating func add(_ row: ResultRow) {
    guard let variant = row.variant, let finding = TargetFinding(row, target: target) else { return }
    let image = ImageIdentity(name: row.image, contentHash: row.imageHash ?? "")
    let place = Place(image: image, variant: variant)
    if let earlier = findings[place], !finding.answers(target, betterThan: earlier) { return }
    findings[place] = finding
  }

  /// All results, under the names that measurements.csv has for them.
  var csv: String {
    typealias Row = (result: TargetResult, finding: TargetFinding?)
    var columns: [Column<Row>] = [
      Column(CSVColumnNames.image, title: "image") { Cell(text: $0.result.image.name) },
      Column(CSVColumnNames.codec, title: "codec") { Cell(text: $0.result.variant.codec) },
      Column(CSVColumnNames.settings, title: "settings") { Cell(text: $0.result.variant.canonicalSettings) },
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
      Column("probes", title: "probes") { Cell(integer: $0.result.probes) },
      Column(CSVColumnNames.build, title: "build") { Cell(text: $0.result.variant.build) },
      Column(CSVColumnNames.error, title: "error") { Cell(text: $0.result.failure?.message) },
    ]
    return CSVWriter(columns).text(
      results.map { ($0, findings[Place(image: $0.image, variant: $0.variant)]) })
  }
}
