import CodecKit
import Foundation
import Model
import Testing

@testable import Workers

/// Messages come out as they went in, and a line that is no message of ours is none.
@Suite struct QuestionMessageTests {
  private static let file = ImageFile(
    path: [0x2F, 0xFF], identity: ImageIdentity(name: "a.png", contentHash: "ab"), fileBytes: 7, header: nil)

  private static let questions: [any Question] = [
    OpenRequest(file: file), OpenRequest(file: file, byRows: true), CompareFilesRequest(distorted: file),
    PairRequest(reference: file, distorted: file, usesTwoThreads: true),
    JudgeRequest(file: file, commandSeconds: 2.5), InspectRequest(spellings: ["heic"]), HandOverRequest(),
    TakeRequest(identity: file.identity),
    EncodedScoreRequest(
      variant: CodecVariant(codec: "jpeg"), quality: 0.5, libraries: nil, commandSeconds: 1),
    ScoreDecoded(metrics: ["ssim"]), DecodeEncoded(),
  ]

  @Test func aQuestionIsHeardAsItWasAsked() throws {
    for question in Self.questions {
      let line = try WorkerProtocol.line(QuestionMessage(question, attachment: 3))
      let heard = try WorkerProtocol.message(QuestionMessage.self, from: line)
      #expect("\(heard.question)" == "\(question)")
      #expect(heard.attachment == 3)
    }
  }

  @Test func everyQuestionHasANameOfItsOwn() {
    #expect(Set(Questions.all.map { Questions.name($0) }).count == Questions.all.count)
    for question in Questions.all { #expect(Questions.named(Questions.name(question)) == question) }
  }

  @Test func repliesAreHeardAsTheyWereGiven() throws {
    let replies: [ReplyMessage<[String: Double]>] = [
      .answer(["ssim": .infinity], attachment: 7), .unsupported("“why”"),
      .failure(Failure(kind: .broken, message: "“why”")), .refusal("no image is open"),
    ]
    for reply in replies {
      let line = try WorkerProtocol.line(reply)
      #expect("\(try WorkerProtocol.message(ReplyMessage<[String: Double]>.self, from: line))" == "\(reply)")
    }
  }

  @Test(
    "a line that is no message is refused",
    arguments: ["{}", "{\"attachment\":3}", "{\"answer\":{},\"refusal\":\"x\"}", "{\"nothing\":1}", "[]"])
  func otherLines(_ line: String) {
    #expect(throws: DecodingError.self) {
      try WorkerProtocol.message(ReplyMessage<[String: Double]>.self, from: Array(line.utf8))
    }
    #expect(throws: DecodingError.self) {
      try WorkerProtocol.message(QuestionMessage.self, from: Array(line.utf8))
    }
  }
}
