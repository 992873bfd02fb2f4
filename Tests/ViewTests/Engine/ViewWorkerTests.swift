import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing
import Workers

@testable import View

/// Questions that belong together, to a worker that has grown old.
struct ViewWorkerTests {
  @Test("a worker is renewed before an encode, not between an encode and the decode of its file")
  func renewal() throws {
    let program = try #require(BuiltProgram("worker-fixture"))
    var runner = RunnerConfiguration(jobs: 1, workerExecutable: program.executable.path)
    (runner.renewAfter, runner.sharesFiles) = (1, false)
    let pool = WorkerPool(runner)
    defer { pool.cancel() }
    let worker = ViewWorker(session: pool.sessions[0], build: nil)
    let bytes = [UInt8](repeating: 50, count: 16 * 16)
    let image = try #require(RasterImage(width: 16, height: 16, layout: .gray, bytes: bytes))
    let question = EncodeSamples(
      shape: RasterShape(image), variant: CodecVariant(codec: "scripted"), quality: 0.5)
    for _ in 0..<2 {
      _ = try worker.ask(question, image.sampleBytes, within: 60)
      _ = try worker.ask(DecodeEncoded(), within: 60)
      let scores = try worker.ask(ScoreDecoded(metrics: ["ssimulacra2"]), within: 60)
      #expect(scores["ssimulacra2"] != nil)
    }
    #expect(pool.sessions[0].started == 2)
  }
}
