import Metrics
package import Model
package import Store

/// A part of the results that a gate compares and a baseline covers.
package enum GateSubject: String, Sendable, Hashable, CaseIterable {
  /// A sweep: sizes, scores, times and library versions.
  case points
  /// Reads of files: memory, scores, and times with the machine that measured them.
  case reads
  /// Tiles: bytes, scores and memory.
  case tiles
  /// Chains of generations: bytes and scores of each file.
  case generations

  private struct Traits {
    var noun: String
    var kind: Way.Kind
    var slack = 1e-9
    /// Quantities besides bytes and scores that are compared with thresholds.
    var costs: [GateQuantity] = []
  }

  private var traits: Traits {
    switch self {
    case .points: Traits(noun: "encode", kind: .point)
    case .reads: Traits(noun: "read", kind: .read, slack: 1e-3, costs: [.memory, .time(.decode)])
    case .tiles: Traits(noun: "cut", kind: .tiles, slack: 1e-3, costs: [.memory])
    case .generations: Traits(noun: "generation", kind: .generations)
    }
  }

  package var noun: String { traits.noun }
  package var kind: Way.Kind { traits.kind }

  /// Allowance for rounding in a baseline file. Other scores are rounded alike before they are compared.
  var slack: Double { traits.slack }

  /// Quantities compared with thresholds in ways other than points.
  package var quantities: [GateQuantity] {
    let scores = MetricTraits.standard.map { GateQuantity.score($0.id) }.filter { $0.traits.tolerance != nil }
    return [.pointBytes] + scores + traits.costs
  }

  /// Distinguishes a row from others of its image and variant: `q 0.8, scaled, 320`; nil for an image that could not be
  /// read.
  package func place(of row: ResultRow) -> PointPlace? {
    let (way, quality) = (row.way, row.quality.map { "q \($0)" })
    switch self {
    case .points: return PointPlace(quality: row.quality, file: row.importedFile)
    case .reads: return .way("\(quality ?? "source file"), \(way.route ?? ""), \(way.wanted ?? "")")
    case .tiles:
      let shared = way.overlap.flatMap { $0 == 0 ? nil : " with \($0) px shared" } ?? ""
      return .way("\(quality ?? "source file"), tiles of \(way.tileSize ?? 0) px\(shared)")
    case .generations:
      return .way((quality ?? "no quality") + (way.generation.map { ", generation \($0)" } ?? ""))
    }
  }
}
