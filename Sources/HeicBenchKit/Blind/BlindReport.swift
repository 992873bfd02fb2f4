package import Analysis
import Foundation
import Metrics
import Model
package import Reports
import Store

/// The thresholds of the people whose trials are in a results folder.
package struct BlindReport: Sendable {
  /// One person's threshold for one codec in one test.
  package struct Row: Sendable, Hashable {
    package var person: String
    package var session: BlindRecord.Session
    package var variant: String
    package var threshold: BlindThreshold
    package var undone: Int

    /// A remark on a result that is not a plain threshold.
    var remark: String? {
      let caution = threshold.isReliable ? [] : [BlindReport.unreliable]
      let finding: [String] =
        switch threshold.finding {
        case .threshold: []
        case .guessed: ["no threshold found: answers no better than guessing"]
        case .belowLadder: ["no threshold found: it may lie below even the worst file"]
        case .aboveLadder: ["difference seen even in the best file"]
        }
      let remarks = finding + caution
      return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }

    package var title: String { BlindReport.title(of: variant) }

    fileprivate var bounds: (from: Double, to: Double)? {
      if case .threshold(_, let from, let to) = threshold.finding { (from, to) } else { nil }
    }
  }

  /// The bytes that the first codec saves over the second when a person finds both equally good.
  package struct Balance: Sendable {
    package var person: String
    package var session: BlindRecord.Session
    package var looks: EqualLooks
    package var trials, catches, missed: Int

    package var isReliable: Bool { BlindThreshold.isReliable(missed: missed, of: catches) }
    var titles: [String] { session.variants.map(BlindReport.title) }
  }

  /// All people's thresholds for one codec.
  struct Merged: Sendable {
    var variant: String
    /// One threshold for each person: the median of their tests.
    var thresholds: [Double]
    /// The numbers of people without one: those whose threshold may lie below the worst file, who count as seeing no
    /// difference, and those who see one even in the best file.
    var below = 0
    var above = 0

    /// The share of all these people who see the difference at a score, in percent.
    func share(seeingAt score: Double) -> Double {
      100 * Double(above + thresholds.count { $0 >= score }) / Double(below + above + thresholds.count)
    }
  }

  private static let unreliable = "missed catch trials: unreliable"
  static let files = FeatureFiles(table: "thresholds.csv", named: "blind")
  /// The number of people needed for a mean that a few outliers do not dominate.
  static let enoughForMean = 15

  package let rows: [Row]
  let balances: [Balance]
  private let standing: [BlindRecord]

  /// Reads the trials of a folder; nil if there are none.
  package init?(folder: String) throws {
    let files = try BlindLog.people(in: folder).map {
      (ImageName.printable($0.utf8), try BlindLog.records(ofFile: folder + "/" + $0))
    }
    guard files.contains(where: { !$0.1.isEmpty }) else { return nil }
    standing = files.flatMap { Self.tests($0.1).flatMap(BlindLog.standing) }
    rows = files.flatMap { Self.rows($0.1, of: $0.0) }
    balances = files.flatMap { Self.balances($0.1, of: $0.0) }
  }

  /// A codec's display name, with its settings.
  static func title(of name: String) -> String { CodecVariant(unchecked: name)?.title ?? name }

  /// The answers of one file by test, in the order of the tests' first answers.
  private static func tests(_ records: [BlindRecord]) -> [[BlindRecord]] {
    let places = Dictionary(grouping: records.indices) { records[$0].id }
    return places.values.sorted { $0[0] < $1[0] }.map { $0.map { records[$0] } }
  }

  /// The thresholds of one file, test by test and codec by codec.
  package static func rows(_ records: [BlindRecord], of person: String) -> [Row] {
    tests(records.filter { $0.session.aim == .threshold }).flatMap { test -> [Row] in
      let standing = BlindLog.standing(test)
      return test[0].session.variants.map { variant in
        let answers = standing.filter { $0.coded.variant == variant }.map {
          BlindThreshold.Answer(
            score: $0.coded.rung.score, isRight: $0.isRight, isCatch: $0.kind == .catches)
        }
        return Row(
          person: person, session: test[0].session, variant: variant, threshold: BlindThreshold(answers),
          undone: test.count { $0.kind == .undone && $0.coded.variant == variant })
      }
    }
  }

  /// The comparisons of codecs in one file.
  package static func balances(_ records: [BlindRecord], of person: String) -> [Balance] {
    tests(records.filter { $0.session.aim == .equal }).map { test in
      let standing = BlindLog.standing(test)
      let catches = standing.filter { $0.kind == .catches }
      let answers = standing.filter { $0.kind == .trial }.compactMap { record in
        record.other.map {
          (ratio: log(Double(record.coded.rung.bytes) / Double($0.rung.bytes)), outcome: record.outcome)
        }
      }
      return Balance(
        person: person, session: test[0].session, looks: EqualLooks(answers), trials: standing.count,
        catches: catches.count, missed: catches.count { !$0.isRight })
    }
  }

  var merged: [Merged] {
    let variants = Dictionary(grouping: rows, by: \.variant)
    return variants.keys.sorted().compactMap { variant in
      let people = Dictionary(
        grouping: variants[variant, default: []].filter(\.threshold.isReliable), by: \.person)
      let thresholds = people.values.compactMap { $0.compactMap(\.threshold.threshold).median }
      guard !thresholds.isEmpty else { return nil }
      let others = people.values.map { $0.map(\.threshold) }.filter { $0.allSatisfy { $0.threshold == nil } }
      let above = others.count { tests in tests.contains { $0.finding == .aboveLadder } }
      let beyond = others.count { tests in tests.contains { $0.finding != .guessed } }
      return Merged(
        variant: variant, thresholds: thresholds.sorted(), below: beyond - above, above: above)
    }
  }
}

extension BlindReport {
  /// The thresholds as a section of a run's reports, and as separate documents.
  package var feature: FeatureReport {
    var blocks: [ReportBlock] =
      rows.isEmpty
      ? [] : [.table(ReportTable("Thresholds", Self.columns, rows)), .paragraph(Self.legend)]
    if !balances.isEmpty {
      blocks += [
        .heading("Equal appearance"), .table(ReportTable("Equal appearance", Self.balanceColumns, balances)),
        .paragraph(
          "How much smaller the first codec's files are than the second's when the person finds both equally close "
            + "to the original."),
      ]
    }
    let people = Set(rows.map(\.person)).count
    if people > 1 {
      blocks += [
        .heading("Everyone together"), .table(ReportTable("Everyone together", Self.mergedColumns, merged)),
        .paragraph(
          "One threshold per person and codec: the median of their tests. A mean needs \(Self.enoughForMean) people. "
            + "The shares also count people whose threshold lies beyond the worst or the best file. "
            + "Score guide: \(MetricTraits.words(for: [90, 85, 80]))."),
      ]
    }
    var report = FeatureReport(
      Self.files, title: "What people saw", anchor: "thresholds", answer: answer, blocks: blocks,
      table: StreamedTable(Self.columns, rows))
    report.inRun = ("What people saw", "Your eyes", "`\(BlindLog.fileName)` lists every trial.")
    return report
  }

  private var answer: String {
    guard !rows.isEmpty else { return balances.last.map(Self.sentence) ?? "No threshold was found." }
    let people = Set(rows.map(\.person)).count
    guard people > 1 else {
      return Self.sentence(rows.suffix(rows.last?.session.variants.count ?? 0))
    }
    let merged = merged
    guard !merged.isEmpty else { return "No threshold was found." }
    let isEveryone = merged.allSatisfy { $0.thresholds.count == people }
    let parts = merged.map { merged in
      "\(merged.variant) at SSIMULACRA2 \(Numerals.fixed(merged.thresholds.median ?? 0, decimals: 0)) and below"
        + (isEveryone ? "" : " (\(merged.thresholds.count) of \(people) people)")
    }
    let subject = isEveryone ? "Half of \(people) people" : "Half of the people with a threshold"
    return "\(subject) saw a difference from the original: \(parts.joined(separator: ", "))."
  }

  /// The thresholds of one test in a sentence.
  package static func sentence(_ rows: some Collection<Row>) -> String {
    let found = rows.compactMap { row -> String? in
      guard case .threshold(let score, let from, let to) = row.threshold.finding else { return nil }
      func whole(_ score: Double) -> String { Numerals.fixed(score, decimals: 0) }
      let interval = "(95 % \(whole(from)) to \(whole(to)))"
      return "\(row.title) at SSIMULACRA2 \(whole(score)) and below \(interval)"
    }
    let missing = rows.filter { $0.threshold.threshold == nil }.map { "\($0.title): \($0.remark ?? "")." }
    let sentence =
      found.isEmpty ? [] : ["You saw a difference from the original: \(found.joined(separator: ", "))."]
    let caution = rows.allSatisfy(\.threshold.isReliable) ? [] : [failed]
    return (caution + sentence + missing).joined(separator: " ")
  }

  private static let failed =
    "You missed catch trials that anyone paying attention would get right, so do not rely on this result."

  /// A comparison of codecs in a sentence.
  package static func sentence(_ balance: Balance) -> String {
    let caution = balance.isReliable ? "" : failed + " "
    guard let (mean, from, to) = balance.looks.saving, balance.titles.count == 2 else {
      return caution + "The answers do not show at which sizes the codecs look equal."
    }
    return caution
      + "To you, \(balance.titles[0]) with \(change(mean)) bytes looks as close to the original as "
      + "\(balance.titles[1]) (95 % interval \(interval(from, to)))."
  }

  /// The bytes at which both differences are just visible: `There HEIC needs 40 % fewer bytes than JPEG (95 % interval
  /// …).`
  package static func sentence(
    _ titles: (String, String), saving: (mean: Double, from: Double, to: Double)
  ) -> String {
    guard (saving.from < 0) == (saving.to < 0) else {
      return "It is not clear which codec needs fewer bytes there: \(titles.0) needs "
        + "\(interval(saving.from, saving.to)) bytes (95 % interval)."
    }
    return "There \(titles.0) needs \(change(saving.mean)) bytes than \(titles.1) (95 % interval "
      + "\(interval(saving.from, saving.to)))."
  }

  /// `40 % fewer`, or `101 % more` for a negative saving.
  private static func change(_ saving: Double) -> String {
    "\(Numerals.plain(abs(saving), 0)) % \(saving < 0 ? "more" : "fewer")"
  }

  /// `30 to 50 % fewer`, or `10 % more to 20 % fewer` if the signs differ.
  private static func interval(_ from: Double, _ to: Double) -> String {
    guard (from < 0) == (to < 0) else { return "\(change(from)) to \(change(to))" }
    return "\(Numerals.plain(min(abs(from), abs(to)), 0)) to \(change(abs(from) < abs(to) ? to : from))"
  }

  private static let balanceColumns: [Column<Balance>] = [
    .code("person", "File") { $0.person }, .code("image", "Image") { $0.session.image },
    .code("codecs", "Codecs") { $0.titles.joined(separator: " against ") },
    .number("saving", "Saves", unit: "%", decimals: 0) { $0.looks.saving?.mean },
    .number("from", "95 %: from", unit: "%", decimals: 0) { $0.looks.saving?.from },
    .number("to", "to", unit: "%", decimals: 0) { $0.looks.saving?.to },
    .count("trials", "Trials") { $0.trials }, .count("catches", "Catch trials") { $0.catches },
    .count("missed", "Missed") { $0.missed },
    .text("remark", "Remark") { $0.isReliable ? nil : unreliable },
  ]

  private static let columns: [Column<Row>] = [
    .code("person", "File") { $0.person }, .code("image", "Image") { $0.session.image },
    .code("codec", "Codec") { $0.variant }, .code("shown", "Shown") { $0.session.presentation.rawValue },
    .number("threshold", "Threshold", decimals: 1) { $0.threshold.threshold },
    .number("from", "95 %: from", decimals: 1) { $0.bounds?.from },
    .number("to", "to", decimals: 1) { $0.bounds?.to },
    .count("trials", "Trials") { $0.threshold.trials }, .count("undone", "Undone") { $0.undone },
    .count("catches", "Catch trials") { $0.threshold.catches },
    .count("missed", "Missed") { $0.threshold.missed }, .text("remark", "Remark") { $0.remark },
  ]

  private static let legend =
    "Threshold: the SSIMULACRA2 score at which this person sees a difference half the time, on this screen and in this "
    + "part of the image."

  private static let mergedColumns: [Column<Merged>] =
    [
      .code("codec", "Codec") { $0.variant }, .count("people", "People") { $0.thresholds.count },
      .number("median", "Median", decimals: 1) { $0.thresholds.median },
      .number("mean", "Mean", decimals: 1) { merged in
        merged.thresholds.count < enoughForMean ? nil : merged.thresholds.mean
      },
    ]
    + [70, 80, 85, 90].map { score in
      .number("share_\(score)", "See it at \(score)", unit: "%", decimals: 0) {
        $0.share(seeingAt: Double(score))
      }
    }
}

// The columns of answers to triplets in JPEG AIC-3 (github.com/jpeg-aic/dataset-BTC-PTC-24).
extension BlindReport {
  /// Every valid trial as a triplet: the original as pivot, with the pictures of the two sides beside it.
  func writeTriplets(to folder: String) throws {
    let text = RowWriter(csv: Self.tripletColumns).text(standing)
    try ResultsFolder.open(folder).write(text, to: "aic3.csv")
  }

  private static let places = ["left", "pivot", "right"]
  private static let tripletColumns: [Column<BlindRecord>] =
    [
      .code("assignment", "Assignment") { $0.id }, .code("worker", "Worker") { $0.id },
      .code("method", "Method") { $0.session.presentation == .flicker ? "PTC" : "sides" },
      .count("question_id", "Question") { $0.number }, .code("img_num", "Image") { $0.session.imageHash },
    ]
    + places.map { place in
      .code("codec_\(place)", "Codec, \(place)") { $0.coded(at: place)?.variant ?? "source" }
    }
    + places.map { place in
      .code("dlevel_\(place)", "Level, \(place)") { $0.coded(at: place)?.rung.quality.description ?? "0" }
    }
    + places.map { place in
      .code("img_\(place)", "File, \(place)") { $0.coded(at: place)?.hash ?? $0.session.imageHash }
    } + [
      .count("is_same", "Same codec") { _ in 0 },
      .count("is_cross", "Other codec") { $0.other == nil ? 0 : 1 },
      .count("is_bias", "Bias") { _ in 0 }, .count("is_trap", "Trap") { $0.kind == .catches ? 1 : 0 },
      .count("question_order", "Order") { $0.number },
      .code("response", "Response") { $0.moreDistorted },
      .number("response_time", "Seconds", decimals: 3) { Double($0.milliseconds) / 1000 },
      .code("resolution", "Window") { "\($0.viewport[0])x\($0.viewport[1])" },
    ]
}

extension BlindRecord {
  /// The coded picture at a place of the triplet; nil for the original.
  fileprivate func coded(at place: String) -> Coded? {
    place == "pivot" ? nil : place == (isLeft ? "left" : "right") ? coded : other
  }

  /// The side that differs more from the pivot, according to the answer. With two coded sides, the question was which
  /// is closer.
  fileprivate var moreDistorted: String {
    switch answer {
    case .same: "not sure"
    case .left: other == nil ? "left" : "right"
    case .right: other == nil ? "right" : "left"
    }
  }
}
