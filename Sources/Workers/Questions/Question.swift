import Foundation
package import Model

/// A question to a worker. Its fields are the message; its methods are the worker's answer and the check of that
/// answer. A new question is one such type and its place in the list that `WorkerMain` gets.
package protocol Question: Codable, Sendable {
  associatedtype Answer: Codable & Sendable

  /// Finds the answer in a worker. `attachment` is the bytes that came with the question. Throws `PointProblem` or
  /// `Failure` if that fails, and `Refusal` if the question makes no sense.
  func reply(in session: WorkerSession, _ attachment: [UInt8]) throws -> Reply<Answer>

  /// Returns the answer with clean texts. A worker reads hostile files, so its answer is believed only as far as it can
  /// be checked.
  func checked(_ answer: Answer, by check: AnswerCheck) throws(AnswerCheck.Invalid) -> Answer

  /// The number of bytes that may follow a checked answer; by default none.
  func attachment(of answer: Answer, by check: AnswerCheck) -> ClosedRange<Int>
}

extension Question {
  package func attachment(of _: Answer, by _: AnswerCheck) -> ClosedRange<Int> { 0...0 }

  /// - Parameter attachment: The number of bytes that follow the answer; they are read only after this check.
  package func checked(
    _ answer: Answer, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> Answer {
    let answer = try checked(answer, by: check)
    try check.require(
      self.attachment(of: answer, by: check).contains(attachment), "\(attachment) bytes behind its answer")
    return answer
  }
}

extension Question where Answer == Done {
  package func checked(_ done: Done, by _: AnswerCheck) -> Done { done }
}

/// An answer, with bytes that travel behind it.
package struct Reply<Answer: Codable & Sendable>: Sendable {
  package var answer: Answer
  package var attachment: [UInt8] = []

  package init(_ answer: Answer, attachment: [UInt8] = []) {
    (self.answer, self.attachment) = (answer, attachment)
  }
}

/// The result of asking a worker.
package enum Response<Value> {
  case answered(Value)
  /// The codec or the file does not allow it; the text gives the reason.
  case unsupported(String)
  /// It should have worked, or the worker was lost at it.
  case failed(Failure)
  /// The image is unusable, or the worker was lost while opening it. The record gives the reason.
  case unusable(ImageRecord)
  case cancelled

  package var value: Value? {
    if case .answered(let value) = self { value } else { nil }
  }

  /// The reason why there is no answer; nil if there is one, and after a cancellation.
  package var failure: Failure? {
    switch self {
    case .answered, .cancelled: nil
    case .unsupported(let reason): Failure(kind: .codec, message: "unsupported: \(reason)")
    case .failed(let failure): failure
    case .unusable(let record): record.problem ?? Failure(kind: .source, message: "it cannot be used")
    }
  }

  package func map<Other>(_ transform: (Value) throws -> Response<Other>) rethrows -> Response<Other> {
    switch self {
    case .answered(let value): try transform(value)
    case .unsupported(let reason): .unsupported(reason)
    case .failed(let failure): .failed(failure)
    case .unusable(let record): .unusable(record)
    case .cancelled: .cancelled
    }
  }
}

extension Response: Sendable where Value: Sendable {}

extension Response where Value: Codable & Sendable {
  init(_ outcome: Outcome<Value>) {
    switch outcome {
    case .measured(let value): self = .answered(value)
    case .unsupported(let reason): self = .unsupported(reason)
    case .failed(let failure): self = .failed(failure)
    }
  }

  /// The outcome to record; nil after a cancellation.
  package var outcome: Outcome<Value>? {
    switch self {
    case .answered(let value): .measured(value)
    case .unsupported(let reason): .unsupported(reason)
    case .failed, .unusable: failure.map { .failed($0) }
    case .cancelled: nil
    }
  }
}

extension Response {
  /// The answer alone, without the bytes behind it.
  package func answer<Answer>() -> Response<Answer> where Value == Reply<Answer> {
    map { .answered($0.answer) }
  }
}

/// The answer to a question that only asks for an action.
package struct Done: Codable, Sendable {}

/// The refusal of a question that makes no sense here: a defect of the asking end.
package struct Refusal: Error {
  let reason: String
  package init(_ reason: String) { self.reason = reason }

  package static let noImage = Refusal("no image is open")
}

package enum Questions {
  /// Questions about images and points, which every worker answers. Features have questions of their own.
  package static let core: [any Question.Type] = [
    OpenRequest.self, MeasureRequest.self, TimeRequest.self, RenderRequest.self, CompareFilesRequest.self,
    PairRequest.self, InspectRequest.self, HandOverRequest.self, TakeRequest.self, EncodedScoreRequest.self,
  ]

  package static func name(_ question: any Question.Type) -> String { String(describing: question) }
}

/// The line before a question: its type's name, and the number of bytes that follow it.
struct QuestionHead: Codable {
  var question: String
  var attachment: Int
}

/// The line before an answer, or instead of one.
enum ReplyHead: Codable {
  /// The answer follows as a line, and `attachment` bytes behind it.
  case answer(attachment: Int)
  case unsupported(String)
  case failure(Failure)
  case refusal(String)
}

extension Question {
  /// Answers the question in a worker, turning every error into a reply. Returns its lines and what follows them.
  func answered(in session: WorkerSession, _ attachment: [UInt8]) throws -> (lines: [UInt8], bytes: [UInt8]) {
    let head: ReplyHead
    do {
      let reply = try reply(in: session, attachment)
      let lines = try WorkerProtocol.lines(ReplyHead.answer(attachment: reply.attachment.count), reply.answer)
      return (lines, reply.attachment)
    } catch let refusal as Refusal {
      head = .refusal(refusal.reason)
    } catch {
      switch PointProblem(error, memoryLimit: session.setup.memoryLimit) {
      case .unsupported(let reason): head = .unsupported(reason)
      case .failed(let failure): head = .failure(failure)
      }
    }
    return (try WorkerProtocol.line(head), [])
  }

  /// Checks a reply, whose further lines come from `next`. Returns the outcome and the number of bytes that follow.
  func outcome(
    by check: AnswerCheck, _ next: () throws -> [UInt8]
  ) throws -> (outcome: Outcome<Answer>, attachment: Int) {
    switch try WorkerProtocol.message(ReplyHead.self, from: next()) {
    case .answer(let attachment):
      let answer = try WorkerProtocol.message(Answer.self, from: next())
      return (.measured(try checked(answer, attachment: attachment, by: check)), attachment)
    case .unsupported(let reason): return (.unsupported(check.clean(reason)), 0)
    case .failure(let failure): return (.failed(check.clean(failure)), 0)
    case .refusal(let reason): throw AnswerCheck.Invalid(detail: check.clean(reason))
    }
  }
}
