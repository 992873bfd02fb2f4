import CodecKit
import Foundation
import Model
import Testing

@testable import Workers

/// Messages come out as they went in, and a line that is no message of ours is none.
@Suite struct WorkerMessagesTests {
  private static let file = ImageFile(
    path: [0x2F, 0xFF], identity: ImageIdentity(name: "a.png", contentHash: "ab"), fileBytes: 7, header: nil)
  private static let failure = Failure(kind: .broken, message: "“why”")

  private static let requests: [WorkerRequest] = [
    .begin(WorkerSetup(preparation: Preparation(), limits: ReadLimits(), metrics: ["psnr-y"])),
    .open(file), .openRows(file), .compare(file),
    .pair(PairRequest(reference: file, distorted: file, usesTwoThreads: true)),
    .judge(file, commandSeconds: 2.5), .inspect(InspectRequest(spellings: ["heic"])), .handOver,
    .take(TakeRequest(identity: file.identity)),
    .score(
      EncodedScoreRequest(
        variant: CodecVariant(codec: "jpeg"), quality: 0.5, libraries: nil,
        commandSeconds: 1)),
  ]

  private static let replies: [WorkerReply] = [
    .ready(version: 3, sandbox: SandboxStatus(landlock: 4, seccomp: true)), .untimed(failure),
    .outcome(.failed(failure), peakBytes: 12), .outcome(.failed(failure), peakBytes: nil),
    .shown(width: 3, height: 4, payload: 5), .scores(["ssim": 0.5]), .done, .failed(failure),
    .exported(.failed(failure)), .refused("no image is open"),
  ]

  private func isSame<Message: Codable>(_ message: Message) throws -> Bool {
    let line = try WorkerProtocol.line(message)
    let again = try WorkerProtocol.message(Message.self, from: line)
    return "\(again)" == "\(message)"
  }

  @Test func whatIsSaidIsHeard() throws {
    for request in Self.requests { #expect(try isSame(request), "\(request)") }
    for reply in Self.replies { #expect(try isSame(reply), "\(reply)") }
  }

  @Test(arguments: [
    "{}", "{\"payload\":3}", "{\"done\":true,\"refused\":\"x\"}", "{\"shown\":3,\"height\":4}",
    "{\"nothing\":1}", "[]",
  ])
  func whatIsNoReplyIsNone(_ line: String) {
    #expect(throws: DecodingError.self) {
      try WorkerProtocol.message(WorkerReply.self, from: Array(line.utf8))
    }
  }
}
