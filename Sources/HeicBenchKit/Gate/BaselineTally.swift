import Analysis
import Metrics
import Model
import Reports
import Store

struct BaselineTally {
  let noun: String
  private var images: Set<String> = []
  private var measured = 0
  private var failed = 0
  /// Images that cannot be used or whose points or reads failed, each with its first reason, in input order.
  private var troubles: [(image: String, reason: String)] = []

  init(noun: String) { self.noun = noun }

  mutating func add(_ row: ResultRow) {
    if row.status == .failed || row.variant == nil, troubles.last?.image != row.image,
      !troubles.contains(where: { $0.image == row.image })
    {
      troubles.append((row.image, row.error ?? "no reason given"))
    }
    if row.variant == nil { return }
    if row.status == .measured {
      images.insert(row.image)
      measured += 1
    }
    if row.status == .failed { failed += 1 }
  }

  func sentences(_ file: String) -> [String] {
    let held =
      "“\(file)” has \(Numerals.counted(images.count, "image")), \(Numerals.counted(measured, noun))"
    guard !troubles.isEmpty else { return [held] }
    let shown = 5
    let names = troubles.prefix(shown).map { "\($0.image) (\($0.reason))" }.joined(separator: "; ")
    let more = troubles.count > shown ? " and \(troubles.count - shown) more" : ""
    let what = failed > 0 ? "\(Numerals.counted(failed, noun)) failed, " : ""
    return [
      held,
      "not covered, because they fail: \(what)\(Numerals.counted(troubles.count, "image")): \(names)\(more)",
    ]
  }
}

/// The rows of a baseline file, to compare with a new one: digests of rows by digests of their names.
struct BaselineRows {
  private var rows: [Int: Int] = [:]

  init(_ file: String, _ subject: GateSubject) throws {
    let input = try ResultsInput(file)
    if subject == .points {
      try input.rows().forEachRow { add($0, subject) }
    } else {
      try input.rows(of: subject).forEach { add($0, subject) }
    }
  }

  private mutating func add(_ row: ResultRow, _ subject: GateSubject) {
    var row = row
    // Times differ from run to run.
    row.times = .init()
    let place = subject.place(of: row).map { "\($0)" }
    rows[[row.image, row.variant?.name, place].hashValue] = row.hashValue
  }

  func difference(from before: BaselineRows) -> String {
    let new = rows.keys.count { before.rows[$0] == nil }
    let gone = before.rows.keys.count { rows[$0] == nil }
    let changed = rows.count { name, row in before.rows[name].map { $0 != row } ?? false }
    guard new + gone + changed > 0 else { return "its rows have not changed" }
    return "\(new) of its rows are new, \(changed) changed, and \(gone) earlier rows are gone"
  }
}
