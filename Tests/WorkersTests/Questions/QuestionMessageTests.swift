import CodecKit
import Foundation
import Model
import Testing

@testable import Workers

/// Messages are read as they were written, and other lines are refused.
@Suite struct QuestionMessageTests {
  private static let file = ImageFile(
    path: [0x2F, 0xFF], identity: ImageIdentity(name: "a.png", contentHash: "ab"), fileBytes: 7, header: nil)

  private static let questions: [any Question] = [
    OpenQuestion(file: file), CompareFilesQuestion(distorted: file),
    PairQuestion(reference: file, distorted: file, usesTwoThreads: true),
    InspectQuestion(spellings: ["heic"]), HandOverQuestion(), TakeQuestion(identity: file.identity),
    EncodedScoreQuestion(
      variant: CodecVariant(codec: "jpeg"), quality: 0.5, libraries: nil, commandSeconds: 1),
  ]

  @Test func aQuestionIsReadAsItWasWritten() throws {
    func read<Asked: Question>(_ question: Asked) throws -> String {
      "\(try WorkerProtocol.message(Asked.self, from: WorkerProtocol.line(question)))"
    }
    for question in Self.questions { #expect(try read(question) == "\(question)") }
  }

  @Test func repliesAreReadAsTheyWereWritten() throws {
    let replies: [ReplyHead] = [
      .answer(attachment: 7), .failure(.unsupported("“why”")),
      .failure(Failure(kind: .broken, message: "“why”")),
      .refusal("no image is open"),
    ]
    for reply in replies {
      let line = try WorkerProtocol.line(reply)
      #expect("\(try WorkerProtocol.message(ReplyHead.self, from: line))" == "\(reply)")
    }
  }

  @Test(
    "a line that is not a message is refused",
    arguments: ["{}", "{\"attachment\":3}", "{\"answer\":{},\"refusal\":\"x\"}", "{\"nothing\":1}", "[]"])
  func refusesOtherLines(_ line: String) {
    #expect(throws: DecodingError.self) {
      try WorkerProtocol.message(ReplyHead.self, from: Array(line.utf8))
    }
    #expect(throws: DecodingError.self) {
      try WorkerProtocol.message(QuestionHead.self, from: Array(line.utf8))
    }
  }
}
