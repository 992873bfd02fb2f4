import Analysis
import Metrics
import Model
import Reports
import Store

enum GenerationColumns {
  /// A file of a chain, or the problem that prevented the chain.
  struct Row {
    var record: CaseRecord
    var number: Int?
    var generation: Figures?
    var problem: String?

    static func all(_ records: [CaseRecord]) -> [Row] {
      records.flatMap { record in
        switch record.outcome {
        case .measured: record.chain.enumerated().map { Row(record: record, number: $0 + 1, generation: $1) }
        case .unsupported(let reason): [Row(record: record, problem: "unsupported: \(reason)")]
        case .failed(let failure): [Row(record: record, problem: failure.message)]
        }
      }
    }
  }

  struct StepRow {
    var loss: GenerationLoss
    var step: GenerationLoss.Step
  }

  /// generations.csv: one row for each image, codec, quality and generation.
  static func rows(_ metrics: [MetricTraits]) -> [Column<Row>] {
    let known: [Column<Row>] = [
      Column("image", title: "Image", alignment: .leading) { .code($0.record.key.image.name) },
      Column("codec", title: "Codec", alignment: .leading) { .code($0.record.key.variant.codecAndBuild) },
      Column("settings", title: "Settings", alignment: .leading) {
        .code($0.record.key.variant.canonicalSettings)
      },
      Column("quality", title: "Quality") {
        $0.record.chainQuality.map { .numeral($0.description) } ?? .empty
      },
      Column("generation", title: "Generation") { Cell(integer: $0.number) },
      Column("encoded_bytes", title: "Bytes") { Cell(integer: $0.generation?.encodedBytes) },
    ]
    return known
      + metrics.map { metric in
        Column(metric.column, title: metric.title, unit: metric.unit) {
          Cell(number: $0.generation?.scores[metric.id], decimals: metric.decimals)
        }
      } + [
        Column("sha256", title: "SHA-256", alignment: .leading) { Cell(code: $0.generation?.encodedHash) },
        Column("error", title: "Error", alignment: .leading) { Cell(text: $0.problem) },
      ]
  }

  static func steps(_ metrics: [MetricTraits], headline: MetricTraits) -> [Column<StepRow>] {
    let known: [Column<StepRow>] = [
      Column("variant", title: "Codec", alignment: .leading) { .code($0.loss.variant.name) },
      Column("quality", title: "Quality") { $0.loss.quality.map { .numeral($0.description) } ?? .empty },
      Column("generation", title: "Generation") { .integer($0.step.generation) },
    ]
    return known
      + metrics.map { metric in
        Column("mean_\(metric.column)", title: metric.title, unit: metric.unit) {
          Cell(number: $0.step.scores[metric.id], decimals: metric.decimals)
        }
      } + [
        Column("loss", title: "Lost \(headline.title)") {
          Cell(number: $0.step.generation > 1 ? $0.step.loss?.mean : nil, decimals: headline.decimals)
        },
        Column("loss_lower", title: "95 % from") {
          Cell(
            number: $0.step.generation > 1 ? $0.step.loss?.interval?.lower : nil, decimals: headline.decimals)
        },
        Column("loss_upper", title: "to") {
          Cell(
            number: $0.step.generation > 1 ? $0.step.loss?.interval?.upper : nil, decimals: headline.decimals)
        },
        Column("bytes_percent", title: "Bytes of the first", unit: "%") {
          Cell(number: $0.step.bytesPercent, decimals: 1)
        },
        Column("settled", title: "Settled") { Cell(integer: $0.step.settled) },
        Column("images", title: "Images") { .integer($0.loss.images) },
      ]
  }

  static let problems: [Column<Row>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.record.key.image.name) },
    Column("variant", title: "Codec", alignment: .leading) { .code($0.record.key.variant.name) },
    Column("quality", title: "Quality") { $0.record.chainQuality.map { .numeral($0.description) } ?? .empty },
    Column("error", title: "Why", alignment: .leading) { Cell(text: $0.problem) },
  ]
}

extension GatedTable {
  init(chains: [CaseRecord]) {
    let scored = Set(chains.flatMap { $0.figures?.asked ?? [] })
    let metrics = MetricTraits.standard.filter { scored.contains($0.id) }
    self.init(
      .generations, GenerationColumns.rows(metrics), GenerationColumns.Row.all(chains), record: \.record)
  }
}
