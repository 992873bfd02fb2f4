import Analysis
import Metrics
import Model
import Reports
import Store

struct GenerationsReport {
  static let files = FeatureFiles(
    table: "generations.csv", named: "generations", charts: [GenerationsChart.name])

  private let records: [CaseRecord]
  private let losses: [GenerationLoss]
  private let metrics: [MetricTraits]
  private let headline: MetricTraits
  private let copied: String?

  /// - Parameter records: Chains in the order of completion, with the codecs of each image in the plan's order.
  init(_ records: [CaseRecord], metrics: [MetricTraits], headline: MetricTraits) {
    (self.records, self.metrics, self.headline) = (Self.sorted(records), metrics, headline)
    let copies = self.records.copies
    losses = GenerationLoss.all(
      self.records.filter { !copies.contains($0.key.image.name) }, headline: headline)
    copied = Wording.copies(copies.count, "image")
  }

  /// Sorts by codec, question, quality, and by name in a corpus's order. A failure without a quality no longer matters
  /// once its image and codec have a chain.
  private static func sorted(_ records: [CaseRecord]) -> [CaseRecord] {
    var variants: [CodecVariant: Int] = [:]
    for record in records where variants[record.key.variant] == nil {
      variants[record.key.variant] = variants.count
    }
    let made = Set(
      records.filter { $0.figures != nil }.map { record in
        var key = record.key
        key.encodedAt = nil
        return key
      })
    func place(_ record: CaseRecord) -> (Int, Double, Int) {
      (
        variants[record.key.variant] ?? 0, record.key.way.score ?? -.infinity,
        record.chainQuality?.thousandths ?? -1
      )
    }
    return records.filter { $0.figures != nil || $0.key.encodedAt != nil || !made.contains($0.key) }.sorted {
      place($0) == place($1)
        ? $0.key.image.name.utf8.lexicographicallyPrecedes($1.key.image.name.utf8) : place($0) < place($1)
    }
  }

  /// Reports a store's chains; nil if there are none.
  init?(of store: ResultStore) throws {
    guard let chains = try store.chains(), !chains.isEmpty else { return nil }
    let asked = Set(chains.flatMap { $0.figures?.asked ?? [] })
    let metrics = MetricTraits.standard.filter { asked.contains($0.id) }
    self.init(
      chains, metrics: metrics, headline: metrics.first { $0 == .headline } ?? metrics.first ?? .headline)
  }

  var feature: FeatureReport {
    let sentences = losses.compactMap(sentence)
    var report = FeatureReport(
      Self.files, title: "Generation loss", anchor: "generations",
      answer: common ?? sentences.first ?? "No image has two generations.", blocks: blocks,
      table: StreamedTable(GenerationColumns.rows(metrics), GenerationColumns.Row.all(records)))
    report.brief = [
      .list((common == nil ? Array(sentences.dropFirst()) : sentences) + [copied].compactMap(\.self))
    ]
    return report
  }

  /// `In 5 generations from SSIMULACRA2 80, JPEG loses 1.7 points (95 % 1.2 to 2.2) and HEIC 8.7 (7.9 to 9.5); 24 images.`
  /// Nil for one codec, and if codecs do not begin at the same score.
  private var common: String? {
    let told = losses.compactMap { loss in
      loss.steps.last.flatMap { last in last.loss.map { (loss, last.generation, figure: $0) } }
    }
    guard told.count > 1, let (first, generation, _) = told.first, generation > 1,
      let score = first.way.score,
      told.allSatisfy({ $0.0.way.score == score && $0.1 == generation && $0.0.images == first.images })
    else { return nil }
    let digits = max(headline.decimals - 1, 1)
    let parts = told.sorted { $0.figure.mean < $1.figure.mean }.enumerated().map { index, part in
      let interval = part.figure.interval.map {
        " (\(index == 0 ? "95 % " : "")\(Numerals.plain($0.lower, digits)) to \(Numerals.plain($0.upper, digits)))"
      }
      return
        "\(part.0.variant.title) \(index == 0 ? "loses " : "")\(Numerals.plain(part.figure.mean, digits))"
        + "\(index == 0 ? " points" : "")\(interval ?? "")"
    }
    return "Over \(generation) generations from \(headline.title) \(Numerals.short(score)), "
      + "\(parts.dropLast().joined(separator: ", ")) and \(parts.last ?? ""); \(images(first))."
  }

  /// `HEIC at quality 0.5 goes from SSIMULACRA2 70.1 to 66.9 in 5 generations (−3.2 points, 95 % −4.3 to −2.1, 24 images).`
  private func sentence(_ loss: GenerationLoss) -> String? {
    guard let last = loss.steps.last, last.generation > 1, let figure = last.loss, let ends = last.ends
    else { return nil }
    let digits = max(headline.decimals - 1, 1)
    let place =
      loss.quality.map { " at quality \($0)" }
      ?? loss.way.score.map { " from \(headline.title) \(Numerals.short($0))" }
    // The sentence has changes of the score, which rises with a loss where less is better.
    func change(_ loss: Double) -> Double { headline.higherIsBetter ? -loss : loss }
    let interval =
      figure.interval.map { interval in
        let limits = [change(interval.lower), change(interval.upper)].sorted()
        return ", 95 % \(Numerals.plain(limits[0], digits)) to \(Numerals.plain(limits[1], digits))"
      } ?? ""
    var text =
      "\(loss.variant.title)\(place ?? "") goes from \(headline.title) \(Numerals.plain(ends.first, digits)) to "
      + "\(Numerals.plain(ends.now, digits)) in \(last.generation) generations "
      + "(\(Numerals.plain(change(figure.mean), digits)) points\(interval), \(images(loss)))"
    if last.settled > 0 {
      text +=
        "; \(Numerals.counted(last.settled, "image")) no longer \(last.settled == 1 ? "changes" : "change")"
    }
    return text + "."
  }

  private func images(_ loss: GenerationLoss) -> String {
    (loss.images < loss.outOf ? "\(loss.images) of " : "") + Numerals.counted(loss.outOf, "image")
  }

  private var blocks: [ReportBlock] {
    let scores = Set(records.map(\.key.way.score))
    let start =
      (scores.count == 1 ? scores.first ?? nil : nil).map {
        "Each image and codec starts at the lowest quality that reaches \(headline.title) \(Numerals.short($0))."
      }
      ?? "Equal quality numbers do not mean equal quality: compare codecs whose first generations have similar scores."
    let steps = losses.flatMap { loss in
      loss.steps.map { GenerationColumns.StepRow(loss: loss, step: $0) }
    }
    let blocks: [ReportBlock] = [
      .paragraph(
        "Each generation encodes the decoded pixels of the one before at the same quality, and is scored against the "
          + "original. \(start)"),
      .list(losses.compactMap(sentence) + [copied].compactMap(\.self)),
      .table(ReportTable("Loss", GenerationColumns.steps(metrics, headline: headline), steps)),
      .charts([GenerationsChart(losses, headline: headline).chart].compactMap { $0 }),
    ]
    let problems = GenerationColumns.Row.all(records).filter { $0.problem != nil }
    guard !problems.isEmpty else { return blocks }
    let title = "Images without a chain"
    return blocks + [.heading(title), .table(ReportTable(title, GenerationColumns.problems, problems))]
  }
}

extension ResultStore {
  /// The report on the chains of the last call; nil if there were none.
  func chainReport() throws -> FeatureReport? { try GenerationsReport(of: self)?.feature }
}

enum GenerationColumns {
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
      .number("bytes_percent", "Share of the first's bytes", unit: "%", decimals: 1) { $0.step.bytesPercent },
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
