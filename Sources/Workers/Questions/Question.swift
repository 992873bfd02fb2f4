package import Model

/// A question to a worker. Its fields are the message; its methods find the answer in the worker and check that answer.
/// To add a question, add such a type and list it for `WorkerMain`.
package protocol Question: Codable, Sendable {
  /// `Attached` if bytes follow.
  associatedtype Answer: Codable & Sendable

  /// Finds the answer in a worker. `attachment` is the bytes that came with the question. Throws `Failure` if that
  /// fails, and `Refusal` if the question is impossible.
  func reply(in session: WorkerSession, _ attachment: [UInt8]) throws -> Answer

  /// Throws unless the answer is plausible, and cleans its texts: a worker reads hostile files.
  func verify(_ answer: inout Answer, by check: AnswerCheck) throws(AnswerCheck.Invalid)

  /// Remarks on the files that were read for an answer, by file name: what the readers left out or changed, and how the
  /// images were prepared. They end up in `RunnerConfiguration.remarks`, and the command shows them. Empty for a
  /// question that reads no image file.
  func remarks(in answer: Answer) -> [String: [String]]

  /// The number of bytes that may follow a checked answer; none by default.
  func attachment(of answer: Answer, by check: AnswerCheck) -> ClosedRange<Int>
}

extension Question {
  package func attachment(of _: Answer, by _: AnswerCheck) -> ClosedRange<Int> { 0...0 }

  /// - Parameter attachment: The number of bytes that follow the answer; they are read only after this check.
  package func checked(
    _ answer: Answer, attachment: Int, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) -> Answer {
    var answer = answer
    try verify(&answer, by: check)
    try check.require(
      self.attachment(of: answer, by: check).contains(attachment), "\(attachment) bytes after its answer")
    return answer
  }
}

extension Question where Answer == Done {
  package func verify(_: inout Done, by _: AnswerCheck) {}
}

package struct Attached<Body: Codable & Sendable>: Codable, Sendable, AttachedBytes {
  package var body: Body
  package var bytes: [UInt8] = []

  private enum CodingKeys: CodingKey { case body }

  package init(_ body: Body, _ bytes: [UInt8]) { (self.body, self.bytes) = (body, bytes) }
}

protocol AttachedBytes {
  var bytes: [UInt8] { get set }
}

package enum Response<Value> {
  case answered(Value)
  /// The question failed, ended the worker, or is unsupported.
  case failed(Failure)
  /// The image is unusable, or opening it ended the worker. The record gives the reason.
  case unusable(ImageRecord)
  case cancelled

  package var value: Value? {
    if case .answered(let value) = self { value } else { nil }
  }

  /// The reason why there is no answer; nil if there is one, and after a cancellation.
  package var failure: Failure? {
    switch self {
    case .answered, .cancelled: nil
    case .failed(let failure): failure.recorded
    case .unusable(let record): record.problem ?? Failure(kind: .source, message: "it cannot be used")
    }
  }

  package func map<Other>(_ transform: (Value) throws -> Response<Other>) rethrows -> Response<Other> {
    switch self {
    case .answered(let value): try transform(value)
    case .failed(let failure): .failed(failure)
    case .unusable(let record): .unusable(record)
    case .cancelled: .cancelled
    }
  }
}

extension Response: Sendable where Value: Sendable {}

extension Response where Value: Codable & Sendable {
  /// The outcome to record; nil after a cancellation.
  package var outcome: Outcome<Value>? {
    switch self {
    case .answered(let value): .measured(value)
    case .failed(let failure): Outcome(failure)
    case .unusable: failure.map { .failed($0) }
    case .cancelled: nil
    }
  }
}

package struct Done: Codable, Sendable {}

/// The refusal of a question that is impossible here, which is a bug in the asking process.
package struct Refusal: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }

  package static let noImage = Refusal("no image is open")
}

package enum Questions {
  /// Questions about images and points, which every worker answers. Features add their own.
  package static let core: [any Question.Type] = [
    OpenQuestion.self, MeasureQuestion.self, TimeQuestion.self, RenderQuestion.self,
    CompareFilesQuestion.self,
    PairQuestion.self, InspectQuestion.self, DescribeFiles.self, HandOverQuestion.self, TakeQuestion.self,
    EncodedScoreQuestion.self, TryProgramsQuestion.self, SettingsAsRunQuestion.self,
  ]

  /// The type's name. `String(describing:)` makes the runtime search all conformances for each type first, which took a
  /// tenth of a worker's time for one small picture.
  package static func name(_ question: any Question.Type) -> String { _typeName(question, qualified: false) }
}

/// The line before a question: its type's name, and the number of bytes that follow it.
struct QuestionHead: Codable {
  var question: String
  var attachment: Int
}

/// The line before an answer, or instead of one.
enum ReplyHead: Codable {
  /// The answer follows as a line, then `attachment` bytes.
  case answer(attachment: Int)
  case failure(Failure)
  case refusal(String)
}

extension Question {
  /// Answers the question in a worker and turns every error into a reply. Returns the reply's lines and the bytes that
  /// follow them.
  func answered(in session: WorkerSession, _ attachment: [UInt8]) throws -> (lines: [UInt8], bytes: [UInt8]) {
    let head: ReplyHead
    do {
      let answer = try reply(in: session, attachment)
      let bytes = (answer as? any AttachedBytes)?.bytes ?? []
      let head = ReplyHead.answer(attachment: bytes.count)
      return (try WorkerProtocol.line(head) + WorkerProtocol.line(answer), bytes)
    } catch let refusal as Refusal {
      head = .refusal(refusal.description)
    } catch {
      head = .failure(Failure(error, memoryLimit: session.setup.memoryLimit))
    }
    return (try WorkerProtocol.line(head), [])
  }

  /// Reads and checks a reply. A failure is a valid answer; anything else wrong with the reply is thrown.
  func response(
    by check: AnswerCheck, line: () throws -> [UInt8], bytes: (Int) throws -> [UInt8]
  ) throws -> Response<Answer> {
    switch try WorkerProtocol.message(ReplyHead.self, from: line()) {
    case .answer(let attachment):
      var answer = try checked(
        WorkerProtocol.message(Answer.self, from: line()), attachment: attachment, by: check)
      let bytes = try bytes(attachment)
      if var whole = answer as? any AttachedBytes {
        whole.bytes = bytes
        answer = whole as? Answer ?? answer
      }
      return .answered(answer)
    case .failure(let failure): return .failed(check.clean(failure))
    case .refusal(let reason): throw AnswerCheck.Invalid(detail: check.clean(reason))
    }
  }
}
