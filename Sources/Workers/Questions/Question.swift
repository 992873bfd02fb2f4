import Foundation
import Model

/// A question to a worker. Its fields are the message; its methods are the worker's answer and the check of that
/// answer. A new question is one such type and its place in `Questions.all`.
package protocol Question: Codable, Sendable {
  associatedtype Answer: Codable & Sendable

  /// Finds the answer in a worker. `attachment` is the bytes that came with the question. Throws `PointProblem` or
  /// `Failure` if that fails, and `Refusal` if the question makes no sense.
  func reply(in session: WorkerSession, _ attachment: [UInt8]) throws -> Reply<Answer>

  /// Returns the answer with clean texts. A worker reads hostile files, so its answer is believed only as far as it can
  /// be checked.
  /// - Parameter attachment: The number of bytes that follow the answer; they are read only after this check.
  func checked(
    _ answer: Answer, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> Answer
}

/// An answer, with bytes that travel behind it.
package struct Reply<Answer: Codable & Sendable>: Sendable {
  var answer: Answer
  var attachment: [UInt8] = []

  init(_ answer: Answer, attachment: [UInt8] = []) { (self.answer, self.attachment) = (answer, attachment) }
}

/// The answer to a question that only asks for an action.
package struct Done: Codable, Sendable {}

/// The refusal of a question that makes no sense here: a defect of the asking end.
struct Refusal: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }

  static let noImage = Refusal("no image is open")
}

enum Questions {
  static let all: [any Question.Type] = [
    OpenRequest.self, MeasureRequest.self, TimeRequest.self, ReadRequest.self, ShowRequest.self,
    RenderRequest.self, CompareFilesRequest.self, PairRequest.self, JudgeRequest.self, InspectRequest.self,
    HandOverRequest.self, TakeRequest.self, EncodedScoreRequest.self, TileExportRequest.self,
    TilingRequest.self,
    ThumbnailRequest.self, GenerationChainRequest.self, OpenPicture.self, MakeSmallPicture.self,
    EncodeSamples.self,
    DecodeEncoded.self, ScoreDecoded.self,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { (name($0), $0) })

  static func name(_ question: any Question.Type) -> String { String(describing: question) }

  static func named(_ name: String) -> (any Question.Type)? { byName[name] }
}

/// A question as a line: its type's name, its fields, and the number of bytes that follow.
struct QuestionMessage: Codable {
  var question: any Question
  var attachment = 0

  // One type of keys for all questions: the runtime looks each such type up in both processes.
  private enum Key: String, CodingKey { case question, fields, attachment }

  init(_ question: any Question, attachment: Int = 0) {
    (self.question, self.attachment) = (question, attachment)
  }

  func encode(to encoder: any Encoder) throws {
    var message = encoder.container(keyedBy: Key.self)
    try message.encode(Questions.name(type(of: question)), forKey: .question)
    try message.encode(question, forKey: .fields)
    if attachment > 0 { try message.encode(attachment, forKey: .attachment) }
  }

  init(from decoder: any Decoder) throws {
    let message = try decoder.container(keyedBy: Key.self)
    guard let type = Questions.named(try message.decode(String.self, forKey: .question)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .question, in: message, debugDescription: "an unknown question")
    }
    question = try message.decode(type, forKey: .fields)
    attachment = try message.decodeIfPresent(Int.self, forKey: .attachment) ?? 0
  }
}

private enum ReplyKey: String, CodingKey { case answer, unsupported, failure, refusal, attachment }

/// A reply as a line: exactly one of an answer, the reason why there is none, and a refusal of the question.
enum ReplyMessage<Answer: Codable & Sendable>: Codable {
  /// The answer; `attachment` bytes follow the line.
  case answer(Answer, attachment: Int)
  case unsupported(String)
  case failure(Failure)
  case refusal(String)

  func encode(to encoder: any Encoder) throws {
    var message = encoder.container(keyedBy: ReplyKey.self)
    switch self {
    case .answer(let answer, let attachment):
      try message.encode(answer, forKey: .answer)
      if attachment > 0 { try message.encode(attachment, forKey: .attachment) }
    case .unsupported(let reason): try message.encode(reason, forKey: .unsupported)
    case .failure(let failure): try message.encode(failure, forKey: .failure)
    case .refusal(let reason): try message.encode(reason, forKey: .refusal)
    }
  }

  init(from decoder: any Decoder) throws {
    let message = try decoder.container(keyedBy: ReplyKey.self)
    let keys = message.allKeys.filter { $0 != .attachment }
    guard let key = keys.first, keys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(keys.count) replies in one message"))
    }
    switch key {
    case .unsupported: self = .unsupported(try message.decode(String.self, forKey: key))
    case .failure: self = .failure(try message.decode(Failure.self, forKey: key))
    case .refusal: self = .refusal(try message.decode(String.self, forKey: key))
    case .answer, .attachment:
      let attachment = try message.decodeIfPresent(Int.self, forKey: .attachment) ?? 0
      self = .answer(try message.decode(Answer.self, forKey: .answer), attachment: attachment)
    }
  }
}

extension Question {
  /// Answers the question in a worker, turning every error into a reply.
  func message(in session: WorkerSession, _ attachment: [UInt8]) -> (
    line: ReplyMessage<Answer>, bytes: [UInt8]
  ) {
    do {
      let reply = try reply(in: session, attachment)
      return (.answer(reply.answer, attachment: reply.attachment.count), reply.attachment)
    } catch let refusal as Refusal {
      return (.refusal(refusal.reason), [])
    } catch {
      switch PointProblem(error, memoryLimit: session.setup.memoryLimit) {
      case .unsupported(let reason): return (.unsupported(reason), [])
      case .failed(let failure): return (.failure(failure), [])
      }
    }
  }

  /// Decodes and checks the reply in a line. Returns the outcome and the number of bytes that follow the line.
  func outcome(
    of line: [UInt8], by check: AnswerCheck
  ) throws -> (outcome: Outcome<Answer>, attachment: Int) {
    switch try WorkerProtocol.message(ReplyMessage<Answer>.self, from: line) {
    case .answer(let answer, let attachment):
      return (.measured(try checked(answer, attachment: attachment, by: check)), attachment)
    case .unsupported(let reason): return (.unsupported(check.clean(reason)), 0)
    case .failure(let failure): return (.failed(check.clean(failure)), 0)
    case .refusal(let reason): throw AnswerCheck.Invalid(detail: check.clean(reason))
    }
  }
}
