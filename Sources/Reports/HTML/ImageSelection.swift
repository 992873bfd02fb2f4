package import Analysis

extension Analysis {
  /// The names of `count` images that a report shows, in the order of the run; of all for nil.
  ///
  /// They are chosen by rule and not by taste: images are ranked by the change in bytes at the verdict's target, those
  /// without a figure last, and ranks by halving: first, last, middle, quarters, eighths.
  package func shownImages(_ count: Int?) -> [String] {
    let ranked = rankedImages
    let wanted = min(max(count ?? .max, 0), ranked.count)
    var chosen: Set<Int> = []
    var steps = 1
    while chosen.count < wanted {
      for part in 0...steps where chosen.count < wanted {
        chosen.insert((ranked.count - 1) * part / steps)
      }
      steps *= 2
    }
    let names = Set(chosen.map { ranked[$0] })
    return imageDetails.map(\.image).filter(names.contains)
  }

  private var rankedImages: [String] {
    let target = verdicts.first?.target
    let index = options.targets.firstIndex { $0 == target } ?? 0
    let changes = imageDetails.map { detail in
      let changes = detail.variants.first { $0.variant != reference }?.changeAtTargets ?? []
      return (name: detail.image, change: changes.indices.contains(index) ? changes[index] : nil)
    }
    let known = changes.filter { $0.change != nil }.sorted { ($0.change ?? 0) < ($1.change ?? 0) }
    return (known + changes.filter { $0.change == nil }).map(\.name)
  }
}
