import Analysis
import HeicBenchKit
import Model
import Pixels

/// A coded part of a picture, as a file and as pixels for the screen.
struct MadeRung: Sendable {
  var rung: BlindTest.Rung
  var hash: String
  var pixels: Outbox.Pixels
}

/// A running blind test: its files, its answers, and the trial on the screen.
struct BlindSession: Sendable {
  let id: String
  let begin: BlindCommand.Begin
  let properties: BlindRecord.Session
  let original: Outbox.Pixels
  let ladders: [[MadeRung]]
  private(set) var test: BlindTest
  /// The trial on the screen and its number, which no other trial has, not even one that was taken back.
  private(set) var shown: (number: Int, trial: BlindTest.Trial)?
  /// The valid answers, including those about files that are no longer made.
  private(set) var records: [BlindRecord]
  /// The numbers of the answers that the test goes by.
  private var entered: Set<Int> = []
  private var lastNumber: Int
  /// The place of the test's last record, including records that take an answer back; nil if there is none.
  private(set) var last: BlindRecord.Place?

  /// Begins a test, or continues one with these answers, whose last record has this place.
  init(
    _ begin: BlindCommand.Begin, _ properties: BlindRecord.Session, original: Outbox.Pixels,
    ladders: [[MadeRung]], kept: [BlindRecord], last: BlindRecord.Place?
  ) {
    (self.begin, self.properties, self.original, self.ladders) = (begin, properties, original, ladders)
    (records, self.last) = (kept, last)
    lastNumber = max(kept.map(\.number).max() ?? 0, last?.number ?? 0)
    let seed = kept.first?.seed ?? UInt64.random(in: 0...UInt64(Int64.max))
    id = kept.first?.id ?? (0..<6).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
    test = BlindTest(aim: properties.aim, ladders: ladders.map { $0.map(\.rung) }, seed: seed)
    for record in kept {
      guard let codec = properties.variants.firstIndex(of: record.coded.variant),
        let rung = ladders[codec].firstIndex(where: { $0.rung.quality == record.coded.rung.quality })
      else { continue }
      let other = record.other.flatMap { other in
        ladders.last?.firstIndex { $0.rung.quality == other.rung.quality }
      }
      // Without the other file it would be a trial against the original.
      guard (other == nil) == (record.other == nil) else { continue }
      let trial = BlindTest.Trial(
        codec: codec, rung: rung, other: other, isLeft: record.isLeft, isCatch: record.kind == .catches)
      test.enter(trial, record.outcome)
      entered.insert(record.number)
    }
  }

  var isDone: Bool { test.next == nil }
  /// False if the last answer is about a file that is no longer made: the log takes back only the last one.
  var canUndo: Bool { records.last.map { entered.contains($0.number) } ?? false }

  /// The next trial, with a new number; nil at the end.
  mutating func showNext() -> BlindTest.Trial? {
    guard let next = test.next else {
      shown = nil
      return nil
    }
    lastNumber += 1
    shown = (lastNumber, next)
    return next
  }

  /// The planes of a trial: what the left side alternates between, then the right side. All have the same size.
  func planes(of trial: BlindTest.Trial) -> [Outbox.Pixels] {
    let coded = ladders[trial.codec][trial.rung].pixels
    let other = trial.other.map { ladders[1][$0].pixels } ?? original
    return trial.isLeft ? [original, coded, original, other] : [original, other, original, coded]
  }

  /// Records an answer to the trial on the screen; nil for any other trial, and for an answer that the question does
  /// not allow.
  mutating func answer(_ number: Int, _ answer: BlindRecord.Answer, milliseconds: Int) -> BlindRecord? {
    guard let (current, trial) = shown, current == number, answer != .same || trial.other != nil else {
      return nil
    }
    let record = record(
      trial, number, kind: trial.isCatch ? .catches : .trial, answer: answer, milliseconds: milliseconds)
    test.enter(trial, record.outcome)
    records.append(record)
    entered.insert(number)
    (shown, last) = (nil, record.place)
    return record
  }

  /// Takes the last answer back; nil unless `canUndo`.
  mutating func undo() -> BlindRecord? {
    guard canUndo, test.undo() != nil, var undone = records.popLast() else { return nil }
    (undone.kind, undone.milliseconds) = (.undone, 0)
    last = undone.place
    return undone
  }

  private func record(
    _ trial: BlindTest.Trial, _ number: Int, kind: BlindRecord.Kind, answer: BlindRecord.Answer,
    milliseconds: Int
  ) -> BlindRecord {
    func coded(_ codec: Int, _ rung: Int) -> BlindRecord.Coded {
      let made = ladders[codec][rung]
      return .init(variant: properties.variants[codec], rung: made.rung, hash: made.hash)
    }
    return BlindRecord(
      id: id, seed: test.seed, session: properties, number: number, kind: kind,
      coded: coded(trial.codec, trial.rung), other: trial.other.map { coded(1, $0) },
      isLeft: trial.isLeft, answer: answer, milliseconds: milliseconds, viewport: begin.viewport,
      pixelRatio: begin.pixelRatio)
  }

  /// The lowest quality at which a codec has at least this score, interpolated between the files that were made.
  func quality(of codec: Int, reaching score: Double) -> Quality? {
    let ladder = ladders[codec].map(\.rung)
    if let lowest = ladder.first, lowest.score >= score { return lowest.quality }
    let points = ladder.map {
      RateQualityCurve.Point(score: $0.score, bytes: $0.bytes, quality: $0.quality.value)
    }
    return (try? RateQualityCurve(points, bridgesGaps: true))?.quality(at: score).flatMap {
      Quality(thousandths: min(1000, Int(($0 * 100 - 1e-9).rounded(.up)) * 10))
    }
  }
}
