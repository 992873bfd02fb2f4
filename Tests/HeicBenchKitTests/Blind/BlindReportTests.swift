import Analysis
import Foundation
import Model
import Pixels
import Reports
import Store
import TestSupport
import Testing

@testable import HeicBenchKit

/// Trials kept in a folder, and their reports.
struct BlindReportTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.url.path }
  private var records: [BlindRecord] { get throws { try BlindLog.records(ofFile: path + "/blind.csv") } }

  private static func session(_ part: Int = 0) -> BlindRecord.Session {
    BlindRecord.Session(
      aim: .threshold, image: "a, \"b\".png", imageHash: "abc",
      part: PixelRegion(x: part, y: 64, width: 256, height: 128),
      presentation: .flicker, variants: ["heic", "jpeg:chroma=444"])
  }

  /// A test in which every file below a score can be told from the original, and no file above it.
  private static func test(
    _ id: String, below threshold: Double, session: BlindRecord.Session = session()
  ) -> [BlindRecord] {
    (1...60).map { number in
      let score = [30.0, threshold - 8, threshold - 4, threshold + 4, threshold + 8][number % 5]
      let isRight = score < threshold || number / 5 % 2 == 0
      return BlindRecord(
        id: id, seed: .max, session: session, number: number, kind: number % 5 == 0 ? .catches : .trial,
        coded: .init(
          variant: session.variants[0], rung: .init(quality: 0.55, score: score, bytes: 1234), hash: "f"),
        isLeft: number % 2 == 0, answer: isRight == (number % 2 == 0) ? .left : .right, milliseconds: 800,
        viewport: [1280, 900], pixelRatio: 1.5)
    }
  }

  /// Adds records as a program does that knows each test's last record.
  private static func keep(_ records: [BlindRecord], in log: BlindLog) throws {
    var last: [String: BlindRecord.Place] = [:]
    for record in records {
      try log.append(record, after: last[record.id])
      last[record.id] = record.place
    }
  }

  @Test func trialsAreReadAsTheyWereKept() throws {
    let records = Array(Self.test("s", below: 80).prefix(4))
    let log = try BlindLog(folder: path)
    try Self.keep(records, in: log)
    #expect(try self.records == records)
    #expect(try BlindLog(folder: path).latest(Self.session())?.records.count == 4)
    #expect(try BlindLog(folder: path).latest(Self.session(64)) == nil)
  }

  @Test func twoProgramsKeepEachOthersTrials() throws {
    let tests = ["s", "t", "u", "v"].map { Array(Self.test($0, below: 80).prefix(12)) }
    DispatchQueue.concurrentPerform(iterations: tests.count) { program in
      #expect(throws: Never.self) { try Self.keep(tests[program], in: BlindLog(folder: path)) }
    }
    let records = tests.flatMap(\.self)
    #expect(try Set(self.records) == Set(records), "at the same time")
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(Set(names) == [".heicbench-files", "blind.csv"], "no lock is left")
  }

  @Test("waiting for a locked log ends after a moment") func heldLog() throws {
    let log = try BlindLog(folder: path)
    let record = try #require(Self.test("s", below: 80).first)
    let lock = open(path + "/.heicbench-blind.csv.tmp", O_CREAT | O_RDWR, 0o600)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX) == 0)
    let error = #expect(throws: OutputError.self) { try log.append(record, after: nil) }
    #expect(error?.description.contains("Another program is writing to it") == true)
    try #require(flock(lock, LOCK_UN) == 0)
    try log.append(record, after: nil)
  }

  @Test func aFileThatIsMovedAwayDuringATestStaysAway() throws {
    let records = Self.test("s", below: 80)
    let log = try BlindLog(folder: path)
    try Self.keep(Array(records.prefix(2)), in: log)
    let others = folder.url.appending(path: "blind-anna.csv")
    try FileManager.default.moveItem(at: folder.url.appending(path: "blind.csv"), to: others)
    #expect(try log.latest(Self.session()) == nil)
    try log.append(records[2], after: records[1].place)
    #expect(try self.records == [records[2]])
    #expect(try BlindLog.records(ofFile: others.path) == Array(records.prefix(2)))
  }

  @Test func anAnswerTakenBackIsKeptAndDoesNotCount() throws {
    let log = try BlindLog(folder: path)
    var records = Array(Self.test("s", below: 80).prefix(3))
    var undone = records[2]
    undone.kind = .undone
    records.append(undone)
    try Self.keep(records, in: log)
    #expect(try BlindLog(folder: path).latest(Self.session())?.records == Array(records.prefix(2)))
    let rows = BlindReport.rows(records, of: "blind.csv")
    #expect(rows.map(\.undone) == [1, 0] && rows.map(\.threshold.trials) == [2, 0])
  }

  @Test func aBrokenLineIsNamed() throws {
    let log = try BlindLog(folder: path)
    try log.append(Self.test("s", below: 80)[0], after: nil)
    let file = folder.url.appending(path: "blind.csv")
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing("0.55", with: "2.5").write(to: file, atomically: true, encoding: .utf8)
    let error = #expect(throws: (any Error).self) { try BlindLog(folder: path) }
    let told = "\(try #require(error))"
    #expect(told.contains("blind.csv") && told.contains("2"))
  }

  @Test(arguments: [
    ("trial", "9223372036854775807"), ("trial", "0"), ("x", "-1"), ("width", "0"),
    ("height", "9223372036854775807"), ("ssimulacra2", "1e6"), ("ssimulacra2", "-1e308"),
    ("ssimulacra2", "nan"),
    ("bytes", "9223372036854775807"), ("side", "sideways"), ("side", "same"), ("answer", "same"),
    ("answer_ms", "-5"), ("viewport_width", "-1"), ("device_pixel_ratio", "nan"),
    ("device_pixel_ratio", "inf"),
    ("device_pixel_ratio", "0"),
  ])
  func anImpossibleTrialIsRefused(column: String, value: String) throws {
    let file = folder.url.appending(path: "blind-x.csv")
    let text = RowWriter(csv: BlindRecord.columns).text(Self.test("s", below: 80))
    try text.write(to: file, atomically: true, encoding: .utf8)
    #expect(try BlindRecord.records(ofFile: file.path) == Self.test("s", below: 80))
    var row = try TableCSV.rows(ofFile: file.path, required: [column])[0]
    row[column] = value
    let fields = BlindRecord.columns.map { "\"\((row[$0.name] ?? "").replacing("\"", with: "\"\""))\"" }
    let head = text.prefix { $0 != "\n" }
    try "\(head)\n\(fields.joined(separator: ","))\n".write(to: file, atomically: true, encoding: .utf8)
    let error = #expect(throws: CSVError.self) { try BlindRecord.records(ofFile: file.path) }
    #expect(error?.line == 2)
  }

  @Test func aStrangersFileSteersNoTerminal() throws {
    var session = Self.session()
    session.image = "a\u{1b}[2J.png"
    session.imageHash = "\u{1b}c"
    session.variants = ["jpeg\u{1b}]0;x\u{07}", "heic"]
    let text = RowWriter(csv: BlindRecord.columns).text(Self.test("s\u{1b}", below: 80, session: session))
    let name = "blind-\u{1b}x.csv"
    try text.write(to: folder.url.appending(path: name), atomically: true, encoding: .utf8)
    #expect(text.contains("\u{1b}"))
    _ = try ReportRequest(results: path).run()
    let made = ["blind.md", "blind.html", "blind.json", "thresholds.csv", "aic3.csv"]
    for name in made {
      let bytes = try Data(contentsOf: folder.url.appending(path: name))
      #expect(!bytes.contains(0x1b) && !bytes.contains(0x07), "\(name)")
    }
  }

  @Test func severalPeopleAreMergedByTheirMedians() throws {
    for (index, threshold) in [70.0, 80, 86].enumerated() {
      let text = RowWriter(csv: BlindRecord.columns).text(Self.test("s\(index)", below: threshold))
      let name = index == 0 ? "blind.csv" : "blind-\(index).csv"
      try text.write(to: folder.url.appending(path: name), atomically: true, encoding: .utf8)
    }
    let report = try #require(try BlindReport(folder: path))
    let merged = try #require(report.merged.first)
    #expect(merged.variant == "heic" && merged.thresholds.count == 3)
    let median = try #require(merged.thresholds.median)
    #expect(abs(median - 80) < 2)
    #expect(abs(merged.share(seeingAt: 80) - 100.0 / 3) < 34 && merged.share(seeingAt: 60) == 100)
    let page = try ReportRequest(results: path).run()
    #expect(page.hasSuffix("/blind.html"))
    let markdown = try String(contentsOf: folder.url.appending(path: "blind.md"), encoding: .utf8)
    #expect(markdown.contains("Half of 3 people"))
    let triplets = try String(contentsOf: folder.url.appending(path: "aic3.csv"), encoding: .utf8)
    #expect(triplets.split(separator: "\n").count == 181)
  }

  /// Someone who sees a difference even in the best file sees it at every score.
  @Test func sharesCountPeopleBeyondTheFiles() throws {
    var all = Self.test("all", below: 80)
    for index in all.indices { all[index].answer = all[index].isLeft ? .left : .right }
    for (name, records) in [("blind.csv", Self.test("some", below: 80)), ("blind-1.csv", all)] {
      let text = RowWriter(csv: BlindRecord.columns).text(records)
      try text.write(to: folder.url.appending(path: name), atomically: true, encoding: .utf8)
    }
    let merged = try #require(try BlindReport(folder: path)?.merged.first)
    #expect(merged.thresholds.count == 1 && merged.above == 1 && merged.below == 0)
    #expect(merged.share(seeingAt: 90) == 50 && merged.share(seeingAt: 60) == 100)
  }

  @Test("half of the people are half of those who have a threshold")
  func peopleWithoutThreshold() throws {
    for (index, threshold) in [70.0, 80, 86].enumerated() {
      var records = Self.test("s\(index)", below: threshold)
      // The last two guess.
      if index > 0 { for place in records.indices { records[place].answer = .left } }
      let text = RowWriter(csv: BlindRecord.columns).text(records)
      let file = folder.url.appending(path: "blind-\(index).csv")
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let report = try #require(try BlindReport(folder: path))
    #expect(report.rows.compactMap(\.threshold.threshold).count == 1)
    let answer = report.feature.answer
    #expect(answer.hasPrefix("Half of the people with a threshold saw a difference"), "\(answer)")
    #expect(answer.hasSuffix("and below (1 of 3 people)."))
  }

  @Test func whatIsTakenBackIsOfItsOwnTest() throws {
    let (own, other) = (
      Array(Self.test("a", below: 80).prefix(3)), Array(Self.test("b", below: 80).prefix(3))
    )
    var undone = own[2]
    undone.kind = .undone
    let log = try BlindLog(folder: path)
    try Self.keep(own + other + [undone], in: log)
    // Another person's last trial has the same number.
    let text = RowWriter(csv: BlindRecord.columns).text([undone])
    try text.write(to: folder.url.appending(path: "blind-0.csv"), atomically: true, encoding: .utf8)
    _ = try ReportRequest(results: path).run()
    let triplets = try String(contentsOf: folder.url.appending(path: "aic3.csv"), encoding: .utf8)
    let ids = triplets.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
    #expect(ids == ["a", "a", "b", "b", "b"])
  }

  @Test("reports of a run show what people saw, and go without it if it cannot be read")
  func besideARun() throws {
    let file = folder.url.appending(path: "blind.csv")
    var warnings: [String] = []
    let source = RowSource(metrics: []) { _ in }.withBlindTests(in: path) { warnings.append($0) }
    #expect(try source.features().isEmpty)
    let text = RowWriter(csv: BlindRecord.columns).text(Self.test("s", below: 80))
    try text.write(to: file, atomically: true, encoding: .utf8)
    #expect(try source.features().map(\.title) == ["What people saw"])
    #expect(warnings.isEmpty)
    try "no trials\n".write(to: file, atomically: true, encoding: .utf8)
    #expect(try source.features().isEmpty)
    #expect(warnings.count == 1)
  }

  @Test func testsStandInTheOrderOfTheirFirstTrials() {
    let records = ["c", "a", "d", "b"].map {
      Self.test($0, below: 80, session: Self.session($0 == "a" ? 64 : 0))
    }
    let mixed = (0..<20).flatMap { number in records.map { $0[number] } }
    let rows = BlindReport.rows(mixed, of: "blind.csv")
    #expect(rows.map(\.session.part.x) == [0, 0, 64, 64, 0, 0, 0, 0])
    #expect(rows.map(\.threshold.trials).filter { $0 > 0 } == [20, 20, 20, 20])
  }

  @Test func aSentenceSaysWhatWasTold() {
    let rows = BlindReport.rows(Self.test("s", below: 80), of: "blind.csv")
    let sentence = BlindReport.sentence(rows)
    #expect(sentence.hasPrefix("You saw a difference from the original: HEIC at SSIMULACRA2 "))
    #expect(sentence.contains("JPEG (chroma=444): no threshold found"))
  }

  @Test("whoever sees a difference in the worst file is not told to have seen none")
  func worstFile() throws {
    var records = Self.test("s", below: 80)
    for index in records.indices {
      records[index].coded.rung.score = 50
      // 48 right answers of 60, which a guesser gives once in a million tests.
      records[index].answer = (index % 5 != 0) == records[index].isLeft ? .left : .right
    }
    let row = try #require(BlindReport.rows(records, of: "blind.csv").first)
    #expect(row.threshold.finding == .belowLadder && records.count(where: \.isRight) == 48)
    #expect(row.remark?.hasPrefix("no threshold found: it may lie below even the worst file") == true)
  }

  @Test func equalLooksAreASavingOfBytes() throws {
    var session = Self.session()
    session.aim = .equal
    // The second codec's picture is chosen as closer until the first one has 70 % of its bytes.
    let records = (1...40).map { number in
      let bytes = 400 + 15 * number
      return BlindRecord(
        id: "e", seed: 1, session: session, number: number, kind: .trial,
        coded: .init(variant: "heic", rung: .init(quality: 0.5, score: 70, bytes: bytes), hash: "f"),
        other: .init(
          variant: "jpeg:chroma=444", rung: .init(quality: 0.7, score: 70, bytes: 1000), hash: "g"),
        isLeft: true, answer: bytes == 700 ? .same : bytes > 700 ? .left : .right, milliseconds: 800,
        viewport: [1280, 900], pixelRatio: 1)
    }
    let log = try BlindLog(folder: path)
    try Self.keep(records, in: log)
    #expect(try self.records == records)
    let report = try #require(try BlindReport(folder: path))
    let saving = try #require(report.balances.first?.looks.saving)
    #expect(abs(saving.mean - 30) < 3 && saving.from < 30 && saving.to > 30)
    let sentence = BlindReport.sentence(try #require(report.balances.first))
    #expect(sentence.contains("fewer bytes looks as close to the original as JPEG (chroma=444)"))
    _ = try ReportRequest(results: path).run()
    let markdown = try String(contentsOf: folder.url.appending(path: "blind.md"), encoding: .utf8)
    #expect(markdown.contains("**\(sentence)**"), "the answer, where there is no threshold")
    let triplets = try String(contentsOf: folder.url.appending(path: "aic3.csv"), encoding: .utf8)
    #expect(triplets.contains(",not sure,") && triplets.contains("heic,source,jpeg:chroma=444"))
  }
}
