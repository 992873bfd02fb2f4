package import Model

/// What a variant loses from generation to generation, over the images whose chains are whole.
package struct GenerationLoss: Sendable, Hashable {
  /// One generation over the images.
  package struct Step: Sendable, Hashable {
    /// Which one, from 1.
    package var generation: Int
    /// Mean score by metric identifier, over the images that have one; a score without end, as without any loss, is
    /// in no mean.
    package var scores: [String: Double]
    /// How far the headline metric has gone down since the first generation, in its points, with its interval; 0 in
    /// the first.
    package var loss: CorpusFigure?
    /// Bytes of all files against those of the first generation, percent.
    package var bytesPercent: Double
    /// Images whose file is the same, byte for byte, as one of an earlier generation: nothing changes any more.
    package var settled: Int
  }

  /// Codec and settings.
  package var variant: CodecVariant
  /// The quality of all encodes; nil where every image has the one that reaches the score.
  package var quality: Quality?
  /// The images that it stands on.
  package var images: Int
  /// All images.
  package var outOf: Int
  /// The generations, the first one first.
  package var steps: [Step]

  /// Sums up chains, variant by variant and quality by quality in the order in which they come first.
  ///
  /// - Parameters:
  ///   - records: The chains.
  ///   - headline: The metric whose loss is told.
  ///   - isSearched: Whether qualities are each image's own and not to be told apart.
  package static func all(
    _ records: [GenerationsRecord], headline: String, isSearched: Bool, options: AnalysisOptions = .init()
  ) -> [GenerationLoss] {
    struct Group: Hashable {
      var variant: CodecVariant
      var quality: Quality?
    }
    var order: [Group] = []
    var groups: [Group: [GenerationsRecord]] = [:]
    for record in records {
      let group = Group(variant: record.variant, quality: isSearched ? nil : record.quality)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(record)
    }
    let images = Set(records.map(\.image)).count
    return order.compactMap { group in
      GenerationLoss(
        group.variant, group.quality, groups[group] ?? [], outOf: images, headline: headline, options)
    }
  }

  private init?(
    _ variant: CodecVariant, _ quality: Quality?, _ records: [GenerationsRecord], outOf: Int,
    headline: String,
    _ options: AnalysisOptions
  ) {
    let chains = records.compactMap { record -> (image: String, generations: [Generation])? in
      guard case .measured(let generations) = record.outcome, !generations.isEmpty else { return nil }
      return (record.image, generations)
    }
    guard let count = chains.map(\.generations.count).min() else { return nil }
    (self.variant, self.quality, images, self.outOf) = (variant, quality, chains.count, outOf)
    steps = (0..<count).map { place in
      let now = chains.map { $0.generations[place] }
      var losses = FigureColumn(.percent)
      for (index, chain) in chains.enumerated() {
        guard let first = chain.generations[0].scores[headline], let score = now[index].scores[headline],
          first.isFinite, score.isFinite
        else { continue }
        losses.add(first - score, image: NamedImage(name: chain.image))
      }
      let bytes = now.reduce(0.0) { $0 + Double($1.bytes) }
      return Step(
        generation: place + 1, scores: Self.means(now.map(\.scores)),
        loss: losses.figure(outOf: outOf, options: options),
        bytesPercent: bytes / chains.reduce(0.0) { $0 + Double($1.generations[0].bytes) } * 100,
        settled: chains.count { chain in
          chain.generations[..<place].contains { $0.hash == chain.generations[place].hash }
        })
    }
  }

  private static func means(_ scores: [[String: Double]]) -> [String: Double] {
    var sums: [String: (sum: Double, count: Int)] = [:]
    for (metric, score) in scores.joined() where score.isFinite {
      sums[metric, default: (0, 0)].sum += score
      sums[metric, default: (0, 0)].count += 1
    }
    return sums.mapValues { $0.sum / Double($0.count) }
  }
}
