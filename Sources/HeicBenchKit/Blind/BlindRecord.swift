package import Analysis
import Model
package import Pixels
import Reports
package import Store

/// A trial of a blind test, which is a line of `blind.csv`.
package struct BlindRecord: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case trial, catches = "catch"
    /// Takes back the trial with the same number.
    case undone
  }

  package enum Presentation: String, Sendable, Codable, CaseIterable {
    /// Both sides alternate in place with the original.
    case flicker
    /// One side is the original, and neither side flickers.
    case sides
  }

  package enum Answer: String, Sendable, Codable, CaseIterable {
    case left, right
    /// No difference; only for two coded pictures.
    case same
  }

  /// The coded picture of a trial, cropped to the part that was shown.
  package struct Coded: Sendable, Hashable {
    package var variant: String
    package var rung: BlindTest.Rung
    /// SHA-256 of the file.
    package var hash: String

    package init(variant: String, rung: BlindTest.Rung, hash: String) {
      (self.variant, self.rung, self.hash) = (variant, rung, hash)
    }
  }

  /// The properties that all trials of a session share. A later session with the same properties continues the test.
  package struct Session: Sendable, Hashable {
    package var aim: BlindTest.Aim
    package var image, imageHash: String
    package var part: PixelRegion
    package var presentation: Presentation
    package var variants: [String]

    package init(
      aim: BlindTest.Aim, image: String, imageHash: String, part: PixelRegion, presentation: Presentation,
      variants: [String]
    ) {
      (self.aim, self.image, self.imageHash, self.part) = (aim, image, imageHash, part)
      (self.presentation, self.variants) = (presentation, variants)
    }
  }

  /// A random name, which says nothing about the person.
  package var id: String
  package var seed: UInt64
  package var session: Session
  package var number: Int
  package var kind: Kind
  package var coded: Coded
  /// The second codec's picture on the other side; nil if the original is there.
  package var other: Coded?
  package var isLeft: Bool
  package var answer: Answer
  package var milliseconds: Int
  /// The size of the browser's window in CSS pixels, and the number of device pixels for each of them.
  package var viewport: [Int]
  package var pixelRatio: Double

  package init(
    id: String, seed: UInt64, session: Session, number: Int, kind: Kind, coded: Coded,
    other: Coded? = nil, isLeft: Bool, answer: Answer, milliseconds: Int, viewport: [Int], pixelRatio: Double
  ) {
    (self.id, self.seed, self.session, self.number, self.kind) = (id, seed, session, number, kind)
    (self.coded, self.other, self.isLeft, self.answer) = (coded, other, isLeft, answer)
    (self.milliseconds, self.viewport, self.pixelRatio) = (milliseconds, viewport, pixelRatio)
  }

  /// True if the person picked the coded side or, of two coded ones, the better.
  package var isRight: Bool {
    let isWanted = other.map { coded.rung.score > $0.rung.score } ?? true
    return answer == (isLeft == isWanted ? .left : .right)
  }

  /// Number and kind, which together identify a record within its test.
  package struct Place: Sendable, Hashable {
    package var number: Int
    package var kind: Kind

    package init(number: Int, kind: Kind) { (self.number, self.kind) = (number, kind) }
  }

  package var place: Place { Place(number: number, kind: kind) }

  package var outcome: BlindTest.Outcome {
    answer == .same ? .same : answer == (isLeft ? .left : .right) ? .first : .second
  }
}

extension BlindRecord {
  package static let columns: [Column<BlindRecord>] =
    [
      .code("session", "Session") { $0.id }.reading { $1.id = $0.text ?? "" },
      .code("test", "Test") { $0.session.aim.rawValue }.reading { field, record throws(CSVError) in
        record.session.aim = try field.word()
      },
      Column("seed", title: "Seed") { .numeral(String($0.seed)) }.reading { field, record throws(CSVError) in
        guard let seed = field.text.flatMap({ UInt64($0) }) else { throw field.broken("a whole number") }
        record.seed = seed
      },
      whole("trial", "Trial", in: Bound.side, \.number),
      .code("kind", "Kind") { $0.kind.rawValue }.reading { field, record throws(CSVError) in
        record.kind = try field.word()
      },
      .code("image", "Image") { $0.session.image }.reading { $1.session.image = $0.text ?? "" },
      .code("image_sha256", "Image, SHA-256") { $0.session.imageHash }
        .reading { $1.session.imageHash = $0.text ?? "" },
      whole("x", "Left", in: place, \.session.part.x), whole("y", "Top", in: place, \.session.part.y),
      whole("width", "Width", in: Bound.side, \.session.part.width),
      whole("height", "Height", in: Bound.side, \.session.part.height),
      .code("shown", "Shown") { $0.session.presentation.rawValue }.reading { field, record throws(CSVError) in
        record.session.presentation = try field.word()
      },
      .code("codecs", "Codecs") { $0.session.variants.joined(separator: " ") }
        .reading { $1.session.variants = $0.text?.split(separator: " ").map(String.init) ?? [] },
    ] + coded("", "", \.first) + coded(Self.otherPrefix, "Other: ", \.other) + [
      .code("side", "Side") { $0.isLeft ? "left" : "right" }.reading { field, record throws(CSVError) in
        let side: Answer = try field.word()
        guard side != .same else { throw field.broken("left or right") }
        record.isLeft = side == .left
      },
      .code("answer", "Answer") { $0.answer.rawValue }.reading { field, record throws(CSVError) in
        record.answer = try field.word()
      },
      whole("answer_ms", "Answered after", unit: "ms", in: 0...(1 << 40), \.milliseconds),
      whole("viewport_width", "Window, width", in: place, \.viewport[0]),
      whole("viewport_height", "Window, height", in: place, \.viewport[1]),
      .number("device_pixel_ratio", "Device pixels", decimals: 3) { $0.pixelRatio }
        .reading { field, record throws(CSVError) in
          guard let ratio = try field.number(), ratio > 0 else { throw field.broken("a number above 0") }
          record.pixelRatio = ratio
        },
    ]

  private static let otherPrefix = "other_"
  private static let place = 0...Bound.side.upperBound

  private static func whole(
    _ name: String, _ title: String, unit: String = "", in range: ClosedRange<Int>,
    _ path: any WritableKeyPath<BlindRecord, Int> & Sendable
  ) -> Column<BlindRecord> {
    .count(name, title, unit: unit) { $0[keyPath: path] }.reading { field, record throws(CSVError) in
      record[keyPath: path] = try field.integer(in: range) ?? 0
    }
  }

  /// The picture that every trial has, as an optional like the other one.
  private var first: Coded? {
    get { coded }
    set { coded = newValue ?? coded }
  }

  private static func coded(
    _ prefix: String, _ title: String, _ path: any WritableKeyPath<BlindRecord, Coded?> & Sendable
  ) -> [Column<BlindRecord>] {
    func column(
      _ column: Column<BlindRecord>,
      _ read: @escaping @Sendable (CSVField, inout Coded) throws(CSVError) -> Void
    ) -> Column<BlindRecord> {
      column.reading { field, record throws(CSVError) in
        var coded = record[keyPath: path] ?? .blank
        try read(field, &coded)
        record[keyPath: path] = coded
      }
    }
    return [
      column(.code(prefix + "codec", title + "Codec") { $0[keyPath: path]?.variant }) {
        $1.variant = $0.text ?? ""
      },
      column(
        Column(prefix + "quality", title: title + "Quality") {
          $0[keyPath: path].map { .numeral($0.rung.quality.description) } ?? .empty
        }
      ) { field, coded throws(CSVError) in coded.rung.quality = try field.quality() },
      column(
        .number(prefix + "ssimulacra2", title + "SSIMULACRA2", decimals: 2) { $0[keyPath: path]?.rung.score }
      ) { field, coded throws(CSVError) in
        guard let score = try field.number(), (-1e6...100).contains(score) else {
          throw field.broken("a score")
        }
        coded.rung.score = score
      },
      column(.count(prefix + "bytes", title + "Bytes") { $0[keyPath: path]?.rung.bytes }) {
        field, coded throws(CSVError) in coded.rung.bytes = try field.integer(in: Bound.bytes) ?? 0
      },
      column(.code(prefix + "file_sha256", title + "File, SHA-256") { $0[keyPath: path]?.hash }) {
        $1.hash = $0.text ?? ""
      },
    ]
  }

  /// The trials of a file, in the order of its lines.
  /// - Throws: `CSVError` with the first line that is not a trial.
  static func records(ofFile path: String) throws -> [BlindRecord] {
    let optional = columns.map(\.name).filter { $0.hasPrefix(otherPrefix) }
    return try TableCSV.rows(ofFile: path, columns, optional: Set(optional), blank: blank) { record in
      let isOfTwo = record.session.aim == .equal
      guard (record.other != nil) == isOfTwo, record.other?.isWhole != false,
        isOfTwo || record.answer != .same
      else {
        return "this line is not a trial of a blind test"
      }
      return nil
    }
  }

  private static let blank = BlindRecord(
    id: "", seed: 0,
    session: Session(
      aim: .threshold, image: "", imageHash: "", part: PixelRegion(x: 0, y: 0, width: 1, height: 1),
      presentation: .flicker, variants: []),
    number: 0, kind: .trial, coded: .blank, isLeft: false, answer: .left, milliseconds: 0, viewport: [0, 0],
    pixelRatio: 1)
}

extension BlindRecord.Coded {
  fileprivate static let blank = BlindRecord.Coded(
    variant: "", rung: BlindTest.Rung(quality: 0.0, score: .nan, bytes: -1), hash: "")

  /// True if no field is missing.
  fileprivate var isWhole: Bool { !variant.isEmpty && !hash.isEmpty && rung.bytes >= 0 && !rung.score.isNaN }
}
