import Foundation
import Model
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// Jobs of a pool, done by real worker processes.
@Suite struct WorkerPoolTests {
  private func pool(_ scripted: ScriptedFiles, memory: Int = 1 << 30) -> WorkerPool {
    var configuration = scripted.configuration
    configuration.memoryBudget = memory
    return WorkerPool(configuration)
  }

  private func encoded(_ script: String = "nothing", kept: String? = nil) throws -> RenderQuestion.Subject {
    .encoded(
      CodecVariant(codec: "scripted", settings: ["do": script]),
      try #require(Quality("0.5")), kept: kept)
  }

  @Test("results come in the order of the items, with their bytes") func rendering() throws {
    let scripted = try ScriptedFiles(Array(repeating: "nothing", count: 5))
    let subject = try encoded()
    let images = try pool(scripted).map(scripted.files, pixels: \.pixels) { worker, file in
      try worker.render(RenderQuestion(subject, [.picture, .thumbnail, .errorMap]), of: file)
    }
    for (index, response) in images.enumerated() {
      let image = try #require(response.value)
      #expect(image[.picture] == Array("16 \(16 + index)".utf8))
      #expect(image[.thumbnail] != nil)
    }
    #expect(images.count == 5)
  }

  @Test("a kept file is not encoded again, and a missing one is") func keptFiles() throws {
    let scripted = try ScriptedFiles()
    let kept = scripted.folder.path + "/kept"
    try Data("scripted 16 16\0".utf8).write(to: URL(filePath: kept))
    let file = try #require(scripted.files.first)
    let subjects = [
      try encoded("error", kept: kept), try encoded("error", kept: kept + "x"), try encoded("error"),
    ]
    let results = try pool(scripted).map(subjects, pixels: { _ in 100 }) { worker, subject in
      try worker.render(RenderQuestion(subject, [.picture]), of: file)
    }
    #expect(results.map { $0.value != nil } == [true, false, false])
  }

  @Test("an edited file and a lost worker fail only their own job") func failures() throws {
    let scripted = try ScriptedFiles(["nothing", "crash", "nothing"])
    let edited = try #require(scripted.files.last)
    try Data("TINY".utf8).write(to: URL(filePath: String(decoding: edited.path, as: UTF8.self)))
    let results = try pool(scripted).map(scripted.files, pixels: \.pixels) { worker, file in
      try worker.render(RenderQuestion(.prepared, [.picture]), of: file)
    }
    let kinds = results.map { $0.failure?.kind }
    let expected: [Failure.Kind?] = [nil, .crash, .source]
    #expect(kinds == expected)
  }

  private static func name(_ response: Response<[RenderQuestion.Product: [UInt8]]>?) -> String {
    switch response {
    case .answered: "done"
    case .cancelled: "cancelled"
    default: "\(response as Any)"
    }
  }

  @Test("with little memory, jobs run one at a time, and those of an open image first") func order() throws {
    let scripted = try ScriptedFiles(["nothing", "nothing"])
    let files = scripted.files
    let order = Mutex<[String]>([])
    let running = Atomic(0)
    _ = try pool(scripted, memory: 1).map(
      [files[0], files[1], files[0]], pixels: { _ in 1_000_000 }, image: \.identity
    ) { worker, file in
      #expect(running.wrappingAdd(1, ordering: .relaxed).newValue == 1)
      _ = try worker.render(RenderQuestion(.prepared, [.picture]), of: file)
      order.withLock { $0.append(file.identity.name) }
      running.wrappingSubtract(1, ordering: .relaxed)
    }
    #expect(order.withLock { $0 } == [files[0], files[0], files[1]].map(\.identity.name))
  }

  @Test("after the end of a pool, everything is answered as cancelled", .timeLimit(.minutes(30)))
  func ending() throws {
    var scripted = try ScriptedFiles()
    let hanging = scripted.letEncodesHang()
    let slow = RenderQuestion.Subject.encoded(hanging.variant, try #require(Quality("0.5")), kept: nil)
    let pool = pool(scripted)
    let file = try #require(scripted.files.first)
    let canceller = Thread {
      _ = ProcessTable.wait { hanging.are(2) }
      pool.cancel()
    }
    canceller.start()
    let results = try pool.map(Array(0..<4), pixels: { _ in 100 }) { worker, _ in
      Self.name(try worker.render(RenderQuestion(slow, [.picture]), of: file))
    }
    #expect(hanging.are(2))
    #expect(results == Array(repeating: "cancelled", count: 4))
  }
}
