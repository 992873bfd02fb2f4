package import Analysis

/// The choice of images that a report shows, made by rule and not by taste.
package enum ImageSelection: Sendable, Hashable {
  case all
  case none
  /// This many: first the extremes by saving, then the median, then those halfway between.
  case count(Int)

  package static let standard = ImageSelection.count(3)

  /// The names of the chosen images in the order of the run.
  ///
  /// Images are ranked by the change in bytes at the verdict's target, those without a figure last. Ranks are chosen by
  /// halving: first, last, middle, quarters, eighths.
  package func names(from analysis: Analysis) -> [String] {
    let ranked = Self.ranked(analysis)
    let wanted =
      switch self {
      case .all: ranked.count
      case .none: 0
      case .count(let count): min(max(count, 0), ranked.count)
      }
    var chosen: Set<Int> = []
    var steps = 1
    while chosen.count < wanted {
      for part in 0...steps where chosen.count < wanted {
        chosen.insert((ranked.count - 1) * part / steps)
      }
      steps *= 2
    }
    let names = Set(chosen.map { ranked[$0] })
    return analysis.imageDetails.map(\.image).filter(names.contains)
  }

  private static func ranked(_ analysis: Analysis) -> [String] {
    let target = analysis.verdicts.first?.target
    let index = analysis.options.targets.firstIndex { $0 == target } ?? 0
    let changes = analysis.imageDetails.map { detail in
      let compared = detail.variants.first { $0.variant != analysis.reference }
      let change = compared.flatMap {
        $0.changeAtTargets.indices.contains(index) ? $0.changeAtTargets[index] : nil
      }
      return (name: detail.image, change: change)
    }
    let known = changes.filter { $0.change != nil }.sorted { ($0.change ?? 0) < ($1.change ?? 0) }
    return (known + changes.filter { $0.change == nil }).map(\.name)
  }
}
