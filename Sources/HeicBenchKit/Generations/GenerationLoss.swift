import Analysis
import Model
import Reports

/// A variant's loss from generation to generation, over the images with complete chains.
struct GenerationLoss: Sendable {
  struct Step: Sendable {
    var generation: Int
    /// Mean score by metric identifier, over the images with a finite score.
    var scores: [String: Double]
    /// How much worse the headline metric is than in the first generation, in its points; 0 in the first.
    var loss: CorpusFigure?
    /// Mean headline scores of the first generation and this one, over the images that `loss` covers.
    var ends: (first: Double, now: Double)?
    /// Bytes of all files as a percentage of the first generation's.
    var bytesPercent: Double
    /// The number of images whose file equals an earlier generation's byte for byte, so nothing changes any longer.
    var settled: Int
  }

  var variant: CodecVariant
  var way: Way
  /// Quality of all encodes; nil if each image has its own.
  var quality: Quality?
  var images: Int
  var outOf: Int
  var steps: [Step]

  /// Summarises chains by variant, way and quality, in order of first appearance. Searched qualities differ between
  /// images and are not distinguished.
  ///
  /// - Parameter headline: Metric of the reported loss.
  static func all(_ records: [CaseRecord], headline: MetricTraits) -> [GenerationLoss] {
    struct Group: Hashable {
      var variant: CodecVariant
      var way: Way
      var quality: Quality?
    }
    var order: [Group] = []
    let groups = Dictionary(grouping: records) { record in
      let (way, quality) = (record.key.way, record.key.way.score == nil ? record.chainQuality : nil)
      let group = Group(variant: record.key.variant, way: way, quality: quality)
      if !order.contains(group) { order.append(group) }
      return group
    }
    let images = Set(records.map(\.key.image.name)).count
    return order.compactMap { group in
      GenerationLoss(
        group.variant, group.way, group.quality, groups[group]?.filter { !$0.chain.isEmpty } ?? [],
        outOf: images,
        headline)
    }
  }

  private init?(
    _ variant: CodecVariant, _ way: Way, _ quality: Quality?, _ records: [CaseRecord], outOf: Int,
    _ headline: MetricTraits
  ) {
    guard let count = records.map(\.chain.count).min() else { return nil }
    (self.variant, self.way, self.quality) = (variant, way, quality)
    (images, self.outOf) = (records.count, outOf)
    let bytes = { (place: Int) in records.reduce(0.0) { $0 + Double($1.chain[place].encodedBytes) } }
    steps = (0..<count).map { place in
      var losses = FigureColumn(.plain)
      var (firsts, nows): ([Double], [Double]) = ([], [])
      for record in records {
        guard let first = record.chain[0].scores[headline.id],
          let now = record.chain[place].scores[headline.id],
          first.isFinite, now.isFinite
        else { continue }
        losses.add(headline.worsening(from: first, to: now), image: NamedImage(name: record.key.image.name))
        firsts.append(first)
        nows.append(now)
      }
      return Step(
        generation: place + 1,
        scores: Dictionary(grouping: records.flatMap { $0.chain[place].scores }, by: \.key)
          .compactMapValues { $0.map(\.value).filter(\.isFinite).mean },
        loss: losses.figure(outOf: outOf, options: AnalysisOptions.standard),
        ends: firsts.mean.flatMap { first in nows.mean.map { (first, $0) } },
        bytesPercent: bytes(place) / bytes(0) * 100,
        settled: records.count { record in
          record.chain[..<place].contains { $0.encodedHash == record.chain[place].encodedHash }
        })
    }
  }
}

extension Way {
  /// The score that a chain's first generation reaches; nil if its quality was not searched.
  var score: Double? { if case .generations(_, let score) = self { score } else { nil } }
}

/// Mean score against the generation, one curve for each codec and quality.
struct GenerationsChart {
  static let name = "generations"

  private let losses: [GenerationLoss]
  private let headline: MetricTraits

  init(_ losses: [GenerationLoss], headline: MetricTraits) {
    self.losses = losses.filter { $0.steps.count > 1 }
    self.headline = headline
  }

  var chart: ReportChart? {
    let differs = Set(losses.map(\.way)).count > 1
    let names = losses.map { loss in
      loss.variant.title + (loss.quality.map { " at \($0)" } ?? "") + (differs ? ", \(loss.way)" : "")
    }
    let points = zip(names, losses).flatMap { name, loss in
      loss.steps.compactMap { step in
        step.scores[headline.id].map { score in
          ReportChart.Point(
            line: name, x: Double(step.generation), y: score,
            tip: "\(name), generation \(step.generation): \(headline.title) "
              + "\(Numerals.plain(score, headline.decimals)), \(loss.images) images")
        }
      }
    }
    return ReportChart(
      Self.name, title: "\(headline.title) from generation to generation", points,
      x: ("Generation", .linear, 0.05), y: (headline.title, .linear, 0.06), isCounted: true, fromZero: false
    ) { _ in description(names) }
  }

  private func description(_ names: [String]) -> String {
    let ends = zip(names, losses).compactMap { name, loss -> String? in
      guard let first = loss.steps.first?.scores[headline.id], let last = loss.steps.last?.scores[headline.id]
      else { return nil }
      return "\(name) \(Numerals.plain(first, 1)) to \(Numerals.plain(last, 1))"
    }
    return "Mean \(headline.title), first to last generation: \(ends.joined(separator: ", "))."
  }
}
