import CodecKit
import Foundation
import Model
import Pixels
import Testing

@testable import Workers

/// The answers of workers that heicbench accepts, and those that it refuses.
@Suite struct AnswerCheckTests {
  private let setup = WorkerSetup(
    preparation: Preparation(), limits: ReadLimits(), metrics: ["psnr-y"],
    externalMetrics: [ExternalMetric(id: "mine", words: ["true"])])
  private let identity = ImageIdentity(name: "a.png", contentHash: String(repeating: "0", count: 64))

  private var measure: MeasureQuestion {
    get throws {
      MeasureQuestion(
        variant: CodecVariant(codec: "jpeg", settings: [:]), quality: try #require(Quality("0.5")),
        repeats: 2, conditions: .single, commandSeconds: 1)
    }
  }

  /// What heicbench accepts of a reply to `measure`.
  private func believed(_ head: ReplyHead) throws -> PointOutcome {
    let response = try measure.response(by: AnswerCheck(setup)) {
      try WorkerProtocol.line(head)
    } bytes: { _ in
      []
    }
    return try #require(response.outcome)
  }

  private func believed(_ figures: Model.Figures) throws -> Model.Figures {
    try measure.checked(figures, attachment: 0, by: AnswerCheck(setup))
  }

  private var measurement: Model.Figures {
    let samples = [TimingSample](repeating: TimingSample(wallNanoseconds: 5, cpuNanoseconds: 5), count: 2)
    return Model.Figures(
      nativeQuality: 50, encodedBytes: 100, encodedHash: String(repeating: "0a", count: 32),
      timing: TimingSeries(conditions: .single, encode: samples, decode: samples),
      figures: [.peakMemory: 1 << 20, .residentPeak: 1 << 20],
      scores: ["psnr-y": 40, "mine": 1])
  }

  private func isTaken(_ measurement: Model.Figures) throws -> Bool {
    do {
      _ = try believed(measurement)
      return true
    } catch {
      return false
    }
  }

  @Test func trueAnswersAreTaken() throws {
    #expect(try isTaken(measurement))
    var lossless = measurement
    lossless.scores = ["psnr-y": .infinity]
    lossless.figures = [:]
    #expect(try isTaken(lossless))
  }

  @Test("impossible numbers", arguments: 0..<22) func lies(_ lie: Int) throws {
    var told = measurement
    switch lie {
    case 0: told.encodedBytes = .min + 1
    case 1: told.encodedBytes = 0
    case 2: told.encodedBytes = .max
    case 3: told.nativeQuality = .max
    case 4: told.encodedHash = "short"
    case 5: told.encodedHash = String(repeating: "\u{1b}", count: 64)
    case 6: told.timing.conditions = .exclusive
    case 7: told.timing.encode.removeLast()
    case 8: told.timing.decode.append(told.timing.decode[0])
    case 9: told.timing.encode[0].wallNanoseconds = -1
    case 10: told.timing.decode[1].cpuNanoseconds = .max
    case 11: told.scoringCPUNanoseconds = -1
    case 12: told.figures[.peakMemory] = -1
    case 13: told.scores["made-up"] = 1
    case 14: told.scores["psnr-y"] = .nan
    case 15: told.remarks = [String](repeating: "a", count: 100_000)
    case 16: told.failedScores["psnr-y"] = "no reason to fail"
    case 17: told.figures[.encodePeak] = -1
    case 18: told.format = "heic"
    case 19: told.generations = []
    case 20: told.figures[.width] = 0
    default: told.figures[.residentPeak] = .min
    }
    #expect(try !isTaken(told))
  }

  @Test("a figure out of bounds is reported by its title") func outOfBounds() throws {
    var told = measurement
    told.figures[.metadata] = -1
    #expect {
      try believed(told)
    } throws: { error in
      (error as? AnswerCheck.Invalid)?.detail == "the profile and metadata"
    }
  }

  @Test func textsAreCleanAndShort() throws {
    var told = measurement
    told.failedScores["mine"] = "\u{1b}[2J"
    told.remarks = ["\u{1b}[2Jred\r\nheicbench: fake", String(repeating: "a", count: 1 << 20)]
    let taken = try believed(told)
    #expect(taken.remarks[0] == " [2Jred  heicbench: fake")
    #expect(taken.failedScores == ["mine": " [2J"])
    #expect(taken.remarks[1].utf8.count < 3000)
    let failure = Failure(kind: .codec, message: "line\nheicbench: fake\u{202e}")
    #expect(try believed(.failure(failure)).failure?.message == "line heicbench: fake")
    #expect(try believed(.failure(.unsupported("no\nalpha"))) == .unsupported("no alpha"))
  }

  @Test("a line that answers another question is refused") func otherAnswers() throws {
    var times = [
      try WorkerProtocol.line(ReplyHead.answer(attachment: 0)), try WorkerProtocol.line(measurement.timing),
    ]
    #expect(throws: AnswerCheck.Invalid.self) {
      try measure.response(by: AnswerCheck(setup)) {
        times.removeFirst()
      } bytes: { _ in
        []
      }
    }
    let refusal = try WorkerProtocol.line(ReplyHead.refusal("no image\u{1b}is open"))
    #expect {
      try measure.response(by: AnswerCheck(setup)) {
        refusal
      } bytes: { _ in
        []
      }
    } throws: { error in
      (error as? AnswerCheck.Invalid)?.detail == "no image is open"
    }
  }

  @Test("bytes that were not requested are refused") func unwantedBytes() throws {
    #expect(throws: AnswerCheck.Invalid.self) {
      try measure.checked(measurement, attachment: 1, by: AnswerCheck(setup))
    }
  }

  @Test("impossible pictures", arguments: 0..<6) func pictures(_ lie: Int) throws {
    let setup = WorkerSetup(preparation: Preparation(), limits: ReadLimits(), metrics: ["psnr-y"])
    let request = RenderQuestion(.prepared, [.picture, .thumbnail])
    var figures = Rendering(width: 4, height: 4, sizes: [10, nil])
    let check = AnswerCheck(setup)
    #expect(try request.checked(Attached(figures, []), attachment: 10, by: check).body == figures)
    switch lie {
    case 0: figures.width = 0
    case 1: (figures.width, figures.height) = (1 << 30, 1 << 30)
    case 2: figures.sizes = [10]
    case 3: figures.sizes = [-1, 1]
    case 4: figures.sizes = [.max, .max]
    default: break
    }
    #expect(throws: AnswerCheck.Invalid.self) {
      try request.checked(Attached(figures, []), attachment: lie == 5 ? 11 : 10, by: check)
    }
  }

  @Test("impossible images", arguments: 0..<8) func images(_ lie: Int) throws {
    let request = OpenQuestion(
      file: ImageFile(path: [1], identity: identity, fileBytes: 10, header: nil))
    var record = ImageRecord(
      identity: identity, preparation: setup.preparation.canonicalSpelling, fileBytes: 10,
      header: ImageHeader(format: "png", width: 4, height: 4, bitDepth: 8, layout: .rgb, isLossy: false),
      preparedWidth: 4, preparedHeight: 4, preparedFormat: PixelFormat(layout: .rgb, bitDepth: 8),
      profile: "sRGB", steps: ["orientation 6 applied"])
    let check = AnswerCheck(setup)
    _ = try request.checked(record, attachment: 0, by: check)
    switch lie {
    case 0: record.fileBytes = -1
    case 1: record.header?.width = .max
    case 2: record.header?.bitDepth = 0
    case 3: record.preparedWidth = 0
    case 4: record.preparedHeight = nil
    case 5: (record.preparedWidth, record.preparedHeight) = (1 << 30, 1 << 30)
    case 6: record.preparedFormat = nil
    default: record.preparation = "another"
    }
    #expect(throws: AnswerCheck.Invalid.self) { try request.checked(record, attachment: 0, by: check) }
  }

  @Test("impossible answers about a pair", arguments: 0..<5) func pairs(_ lie: Int) throws {
    let setup = WorkerSetup(preparation: Preparation(), limits: ReadLimits(), metrics: ["psnr-y"])
    let file = ImageFile(path: [1], identity: identity, fileBytes: 10, header: nil)
    let request = PairQuestion(reference: file, distorted: file, usesTwoThreads: true)
    let record = ImageRecord(
      identity: identity, preparation: setup.preparation.canonicalSpelling, fileBytes: 10,
      problem: Failure(kind: .source, message: "no image"))
    let check = AnswerCheck(setup)
    _ = try request.checked(.scores(["psnr-y": 1], remarks: [["a"], []]), attachment: 0, by: check)
    _ = try request.checked(.unusable(record), attachment: 0, by: check)
    var usable = record
    usable.problem = nil
    var other = record
    other.preparation = "another"
    let lies: [PairQuestion.Answer] = [
      .scores(["made-up": 1], remarks: [[], []]), .scores(["psnr-y": .nan], remarks: [[], []]),
      .unusable(usable),
      .unusable(other), .scores(["psnr-y": 1], remarks: []),
    ]
    #expect(throws: AnswerCheck.Invalid.self) { try request.checked(lies[lie], attachment: 0, by: check) }
  }
}
