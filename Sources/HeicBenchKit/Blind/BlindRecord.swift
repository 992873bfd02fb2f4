package import Analysis
import Model
package import Pixels
import Reports
package import Store

/// A trial of a blind test: a line of `blind.csv`.
package struct BlindRecord: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case trial, catches = "catch"
    /// Takes the trial of the same number back.
    case undone
  }

  package enum Presentation: String, Sendable, Codable {
    /// Both sides alternate in place with the original.
    case flicker
    /// One side is the original and stands still, as does the other.
    case sides
  }

  package enum Answer: String, Sendable, Codable {
    case left, right
    /// No difference; only of two coded pictures.
    case same
  }

  /// The coded picture of a trial, of the part that was shown.
  package struct Coded: Sendable, Hashable {
    package var variant: String
    package var rung: BlindTest.Rung
    /// SHA-256 of the file.
    package var hash: String

    package init(variant: String, rung: BlindTest.Rung, hash: String) {
      (self.variant, self.rung, self.hash) = (variant, rung, hash)
    }
  }

  /// The properties that all trials of a session share, by which a later one goes on.
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
  /// The second codec's picture on the other side; nil for the original there.
  package var other: Coded?
  package var isLeft: Bool
  package var answer: Answer
  package var milliseconds: Int
  /// CSS pixels of the browser's window, and device pixels for each of them.
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

  /// True if the coded side was named, or of two coded ones the better.
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
      .code("session", "Session") { $0.id }, .code("test", "Test") { $0.session.aim.rawValue },
      Column("seed", title: "Seed") { .numeral(String($0.seed)) },
      .count("trial", "Trial") { $0.number },
      .code("kind", "Kind") { $0.kind.rawValue },
      .code("image", "Image") { $0.session.image },
      .code("image_sha256", "Image, SHA-256") { $0.session.imageHash },
      .count("x", "Left") { $0.session.part.x }, .count("y", "Top") { $0.session.part.y },
      .count("width", "Width") { $0.session.part.width },
      .count("height", "Height") { $0.session.part.height },
      .code("shown", "Shown") { $0.session.presentation.rawValue },
      .code("codecs", "Codecs") { $0.session.variants.joined(separator: " ") },
    ] + coded("", "") { $0.coded } + coded("other_", "Other: ") { $0.other } + [
      .code("side", "Side") { $0.isLeft ? "left" : "right" },
      .code("answer", "Answer") { $0.answer.rawValue },
      .count("answer_ms", "Answered after", unit: "ms") { $0.milliseconds },
      .count("viewport_width", "Window, width") { $0.viewport[0] },
      .count("viewport_height", "Window, height") { $0.viewport[1] },
      .number("device_pixel_ratio", "Device pixels", decimals: 3) { $0.pixelRatio },
    ]

  private static func coded(
    _ prefix: String, _ title: String, _ coded: @escaping @Sendable (BlindRecord) -> Coded?
  ) -> [Column<BlindRecord>] {
    [
      .code(prefix + "codec", title + "Codec") { coded($0)?.variant },
      Column(prefix + "quality", title: title + "Quality") {
        coded($0).map { .numeral($0.rung.quality.description) } ?? .empty
      },
      .number(prefix + "ssimulacra2", title + "SSIMULACRA2", decimals: 2) { coded($0)?.rung.score },
      .count(prefix + "bytes", title + "Bytes") { coded($0)?.rung.bytes },
      .code(prefix + "file_sha256", title + "File, SHA-256") { coded($0)?.hash },
    ]
  }

  /// Reads a line; nil if it is not one of these.
  init?(_ row: [String: String]) {
    func number(_ name: String) -> Int? { row[name].flatMap { Int($0) } }
    guard let id = row["session"], let aim = row["test"].flatMap(BlindTest.Aim.init),
      let seed = row["seed"].flatMap({ UInt64($0) }),
      let trial = number("trial"), let kind = row["kind"].flatMap(Kind.init), let image = row["image"],
      let imageHash = row["image_sha256"], let x = number("x"), let y = number("y"),
      let width = number("width"), let height = number("height"),
      let shown = row["shown"].flatMap(Presentation.init), let codecs = row["codecs"],
      let coded = Coded(row, ""),
      let side = row["side"].flatMap(Answer.init), let answer = row["answer"].flatMap(Answer.init),
      let milliseconds = number("answer_ms"), let across = number("viewport_width"),
      let down = number("viewport_height"), let ratio = row["device_pixel_ratio"].flatMap({ Double($0) }),
      case let other = Coded(row, "other_"), (other != nil) == (aim == .equal), side != .same,
      answer != .same || aim == .equal, (0...(1 << 40)).contains(milliseconds), ratio > 0, ratio.isFinite,
      [trial, width, height].allSatisfy(Bound.side.contains),
      [x, y, across, down].allSatisfy((0...Bound.side.upperBound).contains)
    else { return nil }
    let session = Session(
      aim: aim, image: image, imageHash: imageHash,
      part: PixelRegion(x: x, y: y, width: width, height: height),
      presentation: shown, variants: codecs.split(separator: " ").map(String.init))
    self.init(
      id: id, seed: seed, session: session, number: trial, kind: kind, coded: coded, other: other,
      isLeft: side == .left, answer: answer, milliseconds: milliseconds, viewport: [across, down],
      pixelRatio: ratio)
  }
}

extension BlindRecord.Coded {
  fileprivate init?(_ row: [String: String], _ prefix: String) {
    guard let variant = row[prefix + "codec"], let quality = row[prefix + "quality"].flatMap({ Quality($0) }),
      let score = row[prefix + "ssimulacra2"].flatMap({ Double($0) }), (-1e6...100).contains(score),
      let bytes = row[prefix + "bytes"].flatMap({ Int($0) }), Bound.bytes.contains(bytes),
      let hash = row[prefix + "file_sha256"]
    else { return nil }
    self.init(
      variant: variant, rung: BlindTest.Rung(quality: quality, score: score, bytes: bytes), hash: hash)
  }
}
