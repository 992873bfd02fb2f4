package import Model
package import Store

extension ResultRow {
  private static let numbers: [Double] = [
    0, -0.0, 1, -1, 100, 1e17, 1e306, 1e308, -1e308, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    .leastNormalMagnitude, .infinity,
  ]
  private static let wholes = [0, 1, 2, 3, 1 << 31, 1 << 53, 1 << 62, .max - 1, .max]

  /// Puts extreme values of the types into the row, from a seed.
  package mutating func disturb(by generator: inout SeededGenerator) {
    func number() -> Double { Self.numbers.randomElement(using: &generator) ?? 0 }
    func whole() -> Int { Self.wholes.randomElement(using: &generator) ?? 0 }
    for metric in scores.keys.sorted() { scores[metric] = number() }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: encodedBytes = whole()
    case 1: (width, height) = (whole(), whole())
    case 2: figures[.peakMemory] = number()
    case 3: rawBytes = whole()
    case 4: sourceBytes = whole()
    default: repeats = whole()
    }
  }
}

extension SyntheticSweep {
  /// Rows of which about a quarter contain extreme values.
  package static func disturbedRows(seed: Int) -> [ResultRow] {
    var generator = SeededGenerator(seed: UInt64(seed))
    var rows = (0..<4).flatMap(rows)
    for index in rows.indices where Int.random(in: 0..<4, using: &generator) == 0 {
      rows[index].disturb(by: &generator)
      if Bool.random(using: &generator), let metric = rows[index].scores.keys.sorted().first {
        rows[index].scores[metric] = .nan
      }
      let times: Double = [0, 1e-300, 1e17, 1e308].randomElement(using: &generator) ?? 0
      rows[index][.encode, .cpu] = ResultRow.Timing(minimum: times, median: times, deviation: times)
    }
    return rows
  }
}
