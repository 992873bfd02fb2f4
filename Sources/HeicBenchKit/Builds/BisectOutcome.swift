import Foundation
import Model
import Reports
import Store

package struct BisectOutcome: Sendable, Encodable {
  private enum CodingKeys: CodingKey { case answer, builds, bisections }

  let builds: [String]
  /// What was measured, such as `6 images`.
  let subject: String
  var bisections: [Bisection] = []
  /// Why something could not be compared, as a sentence; nil if everything could.
  package internal(set) var problem: String?
  package internal(set) var wasInterrupted = false

  /// True if no quantity was compared to the end.
  package var isEmpty: Bool { bisections.isEmpty }

  package func text(width: Int = .max) -> String {
    let answer: [ReportBlock] = bisections.isEmpty ? [] : [.paragraph(answer)]
    return (answer + bisections.flatMap(blocks)).text(width: width)
  }

  /// `Decode CPU time: it changed between 1.15.2 and 1.23.6: −18.3 % (99 % interval …). 6 images, 4 builds.`
  package var answer: String {
    let parts = bisections.map { bisection in
      let words = sentences(bisection).joined(separator: " ")
      return "\(bisection.quantity.title): \(words.prefix(1).lowercased())\(words.dropFirst())"
    }
    return "\(parts.joined(separator: " ")) \(subject), \(Numerals.counted(builds.count, "build"))."
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(answer, forKey: .answer)
    try members.encode(builds, forKey: .builds)
    try members.encode(bisections, forKey: .bisections)
  }

  /// The result as JSON. Throws if a figure is not finite.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  private func blocks(_ bisection: Bisection) -> [ReportBlock] {
    let quantity = bisection.quantity
    let columns: [Column<Bisection.Step>] = [
      .text("before", "from") { [builds] in builds[$0.before] },
      .text("after", "to") { [builds] in builds[$0.after] },
      Column("change", title: "change") { Cell(text: quantity.amount($0.contrast.change)) },
      .text("interval", "99 % interval") { quantity.isExact ? "exact" : quantity.interval($0.contrast) },
      .count("rounds", "rounds") { $0.contrast.rounds }, .text("verdict", "") { $0.verdict.rawValue },
    ]
    return [
      .paragraph(
        "\(quantity.title) of \(subject), \(builds.count) builds from \(builds.first ?? "") to "
          + "\(builds.last ?? ""); changes above \(Numerals.short(bisection.threshold)) \(quantity.unit) count"
      ), .table(ReportTable(quantity.title, columns, bisection.steps)),
    ]
  }

  private func sentences(_ bisection: Bisection) -> [String] {
    func sentence(_ index: Int, _ beginning: String, _ ending: String = "") -> String {
      let step = bisection.steps[index]
      let spread =
        bisection.quantity.isExact ? "" : " (99 % interval \(bisection.quantity.interval(step.contrast)))"
      let change = bisection.quantity.amount(step.contrast.change)
      return "\(beginning) \(builds[step.before]) and \(builds[step.after]): \(change)\(spread)\(ending)."
    }
    let found =
      bisection.moves.map { sentence($0, "It changed between") }
      + bisection.gradual.map {
        sentence($0, "It changed between", ", in steps each too small to detect")
      }
      + bisection.steps.indices.filter { bisection.steps[$0].verdict == .undecided }.map {
        sentence(
          $0, "Undecided between",
          ": use more --rounds and --comparison-time, or a larger --threshold")
      }
    return found.isEmpty
      ? ["No change. heicbench does not notice a change that a later build reverts."] : found
  }
}

package enum BisectEvent: Sendable {
  /// A file could not be used and is left out.
  case failed(file: String, message: String)
  /// A remark on the files, as a sentence.
  case notice(String)
  case began(BisectProgress)
  case round(BisectProgress)
  case compared(BisectProgress)
}

/// Progress of one comparison of an older build (`before`) with a newer one (`after`).
package struct BisectProgress: Sendable {
  let quantity: BuildQuantity
  package let before: String
  package let after: String
  /// Number of this comparison among those of its quantity, from 1.
  package let comparison: Int
  package let mostComparisons: Int
  package let allImages: Int
  package internal(set) var rounds = 0
  /// Images in the largest round so far.
  package internal(set) var images = 0
  package internal(set) var seconds = 0.0
  /// Change so far, with its interval if it has one; nil before the second round.
  package private(set) var change: String?
  /// Verdict on the change so far against the threshold: `moved`, `same` or `undecided`.
  package private(set) var verdict: String?
  package private(set) var likelySecondsLeft: Double?
  /// Upper bound on the time left, not counting a round in progress.
  package private(set) var mostSecondsLeft = 0.0

  /// Subject of the comparison, such as `bytes` or `decode times`.
  package var subject: String {
    quantity.operation.map { "\($0.rawValue) times" } ?? quantity.metric?.title ?? "bytes"
  }

  mutating func note(_ contrast: BuildContrast?, _ request: BisectRequest) {
    let pace = rounds > 0 ? seconds / Double(rounds) : 0
    mostSecondsLeft = max(
      0, min(request.secondsPerComparison - seconds, Double(request.rounds - rounds) * pace))
    guard let contrast else { return }
    let interval = quantity.isExact ? "" : " (\(quantity.interval(contrast)))"
    change = quantity.amount(contrast.change) + interval
    verdict = contrast.verdict(threshold: request.threshold).rawValue
    guard rounds > 0 else { return }
    likelySecondsLeft = contrast.roundsToDecide(threshold: request.threshold).map {
      min(mostSecondsLeft, Double($0 - rounds) * pace)
    }
  }
}

extension BuildQuantity {
  func values(of files: [Figures]) -> [Double] {
    files.compactMap { file in metric.map { file.scores[$0.id] } ?? Double(file.encodedBytes) }
  }

  fileprivate func amount(_ value: Double) -> String { "\(Numerals.signed(value, decimals: 2)) \(unit)" }

  fileprivate func interval(_ contrast: BuildContrast) -> String {
    "\(amount(contrast.lower)) to \(amount(contrast.upper))"
  }
}
