import CodecKit
import Model
import Pixels

/// Asks for a variant's settings as its encoder lists them. All runs encode the same picture for this, in colour
/// because the list for a gray one is shorter.
struct SettingsAsRunQuestion: Question {
  var variant: CodecVariant

  struct Answer: Codable, Sendable {
    /// The encoder's own list; nil if it does not give one.
    var settings: String?
  }

  private static let side = 64

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Answer {
    let samples = [UInt8](repeating: 128, count: Self.side * Self.side * 3)
    let format = PixelFormat(layout: .rgb)
    guard
      let picture = RasterImage(
        width: Self.side, height: Self.side, format: format, samples: .bytes(samples))
    else { return Answer() }
    let measurer = try session.measurer(variant, 0.5, of: picture)
    return Answer(settings: try measurer.codec.encodeReporting(picture, measurer.settings)?.settings)
  }

  func verify(_ answer: inout Answer, by check: AnswerCheck) {
    answer.settings = answer.settings.map(check.clean)
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }
}
