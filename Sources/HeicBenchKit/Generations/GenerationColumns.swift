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

    var laterLoss: CorpusFigure? { step.generation > 1 ? step.loss : nil }
  }

  /// generations.csv: one row for each image, codec, quality and generation.
  static func rows(_ metrics: [MetricTraits]) -> [Column<Row>] {
    let known: [Column<Row>] = [
      .code("image", "Image") { $0.record.key.image.name },
      .code("codec", "Codec") { $0.record.key.variant.codecAndBuild },
      .code("settings", "Settings") { $0.record.key.variant.canonicalSettings }, quality,
      .count("generation", "Generation") { $0.number },
      .count("encoded_bytes", "Bytes") { $0.generation?.encodedBytes },
    ]
    let scores: [Column<Row>] = metrics.map { metric in
      .number(metric.column, metric.title, unit: metric.unit, decimals: metric.decimals) {
        $0.generation?.scores[metric.id]
      }
    }
    return known + scores + [
      .code("sha256", "SHA-256") { $0.generation?.encodedHash }, .text("error", "Error") { $0.problem },
    ]
  }

  static func steps(_ metrics: [MetricTraits], headline: MetricTraits) -> [Column<StepRow>] {
    let known: [Column<StepRow>] = [
      .code("variant", "Codec") { $0.loss.variant.name },
      Column("quality", title: "Quality") { $0.loss.quality.map { .numeral($0.description) } ?? .empty },
      .count("generation", "Generation") { $0.step.generation },
    ]
    let scores: [Column<StepRow>] = metrics.map { metric in
      .number("mean_\(metric.column)", metric.title, unit: metric.unit, decimals: metric.decimals) {
        $0.step.scores[metric.id]
      }
    }
    let decimals = headline.decimals
    return known + scores + [
      .number("loss", "Lost \(headline.title)", decimals: decimals) { $0.laterLoss?.mean },
      .number("loss_lower", "95 % from", decimals: decimals) { $0.laterLoss?.interval?.lower },
      .number("loss_upper", "to", decimals: decimals) { $0.laterLoss?.interval?.upper },
      .number("bytes_percent", "Bytes of the first", unit: "%", decimals: 1) { $0.step.bytesPercent },
      .count("settled", "Settled") { $0.step.settled }, .count("images", "Images") { $0.loss.images },
    ]
  }

  private static let quality = Column<Row>("quality", title: "Quality") {
    $0.record.chainQuality.map { .numeral($0.description) } ?? .empty
  }

  static let problems: [Column<Row>] = [
    .code("image", "Image") { $0.record.key.image.name },
    .code("variant", "Codec") { $0.record.key.variant.name }, quality, .text("error", "Why") { $0.problem },
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
