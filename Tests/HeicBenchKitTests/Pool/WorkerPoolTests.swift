import Foundation
import Model
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

/// Jobs of a pool, done by real worker processes.
@Suite struct WorkerPoolTests {
  private func pool(_ sweep: ScriptedSweep, memory: Int = 1 << 30) throws -> WorkerPool {
    var configuration = sweep.configuration
    configuration.memoryBudget = memory
    return try WorkerPool(configuration, preparation: Preparation())
  }

  private func encoded(_ script: String = "nothing", kept: String? = nil) throws -> RenderRequest.Subject {
    .encoded(
      CodecVariant(codec: "scripted", settings: ["do": script]),
      try #require(Quality("0.5")), kept: kept)
  }

  @Test("results come in the order of the items, with their bytes") func rendering() throws {
    let sweep = try ScriptedSweep(images: Array(repeating: "nothing", count: 5))
    let subject = try encoded()
    let images = try pool(sweep).map(sweep.plan.entries.map(\.file), pixels: \.pixels) { worker, file in
      try worker.render(RenderRequest(subject, [.file, .picture, .thumbnail, .errorMap]), of: file)
    }
    for (index, response) in images.enumerated() {
      let image = try #require(response.value)
      #expect(image.figures.width == 16)
      #expect(image.figures.height == 16 + index)
      let file = try #require(image.products[.file])
      #expect(image.figures.encodedBytes == file.count)
      #expect(file.starts(with: Array("scripted 16 \(16 + index)".utf8)))
      #expect(image.products[.picture] == Array("16 \(16 + index)".utf8))
      #expect(image.figures.encode != nil)
    }
    #expect(images.count == 5)
  }

  @Test("a kept file is not encoded again, and a missing one is") func keptFiles() throws {
    let sweep = try ScriptedSweep()
    let kept = sweep.folder.path + "/kept"
    try Data("scripted 16 16\0".utf8).write(to: URL(filePath: kept))
    let file = try #require(sweep.plan.entries.first).file
    let subjects = [
      try encoded("error", kept: kept), try encoded("error", kept: kept + "x"), try encoded("error"),
    ]
    let results = try pool(sweep).map(subjects, pixels: { _ in 100 }) { worker, subject in
      try worker.render(RenderRequest(subject, [.picture]), of: file)
    }
    #expect(results.map { $0.value != nil } == [true, false, false])
    #expect(try #require(results[0].value).figures.encode == nil)
  }

  @Test("a part of the image, and one that is outside") func regions() throws {
    let sweep = try ScriptedSweep()
    let file = try #require(sweep.plan.entries.first).file
    let regions = [
      PixelRegion(x: 2, y: 3, width: 8, height: 4), PixelRegion(x: 9, y: 0, width: 8, height: 4),
    ]
    let results = try pool(sweep).map(regions, pixels: { _ in 100 }) { worker, region in
      try worker.render(RenderRequest(.prepared, [.picture], region: region), of: file)
    }
    #expect(try #require(results[0].value).products[.picture] == Array("8 4".utf8))
    #expect(results[1].failure?.kind == .limit)
  }

  @Test("an edited file and a lost worker are failures of their job alone") func failures() throws {
    let sweep = try ScriptedSweep(images: ["nothing", "crash", "nothing"])
    let edited = try #require(sweep.plan.entries.last)
    try Data("TINY".utf8).write(to: URL(filePath: String(decoding: edited.path, as: UTF8.self)))
    let results = try pool(sweep).map(sweep.plan.entries.map(\.file), pixels: \.pixels) { worker, file in
      try worker.render(RenderRequest(.prepared, [.picture]), of: file)
    }
    let kinds = results.map { $0.failure?.kind }
    let expected: [Failure.Kind?] = [nil, .crash, .source]
    #expect(kinds == expected)
  }

  @Test(
    "a job that nobody waits for any more ends at once, and its worker does the next one",
    .timeLimit(.minutes(30)))
  func dropping() throws {
    var sweep = try ScriptedSweep()
    let stale = RenderRequest.Subject.encoded(sweep.letEncodesHang(), try #require(Quality("0.5")), kept: nil)
    sweep.configuration.jobs = 1
    let pool = try pool(sweep)
    let file = try #require(sweep.plan.entries.first).file
    let outcomes = Mutex<[String]>([])
    let first = pool.submit(pixels: file.pixels) { worker in
      let result = try? worker.render(RenderRequest(stale, [.file]), of: file)
      outcomes.withLock { $0.append(Self.name(result)) }
    }
    let second = pool.submit(pixels: file.pixels) { worker in
      let result = try? worker.render(RenderRequest(stale, [.file]), of: file)
      outcomes.withLock { $0.append(Self.name(result)) }
    }
    let fresh = try encoded()
    pool.submit(pixels: file.pixels) { worker in
      let result = try? worker.render(RenderRequest(fresh, [.file]), of: file)
      outcomes.withLock { $0.append(Self.name(result)) }
    }
    let isHanging = ProcessTable.wait { [sweep] in sweep.areHanging(1) }
    #expect(isHanging)
    second.cancel()
    first.cancel()
    try pool.wait()
    #expect(outcomes.withLock { $0 } == ["cancelled", "cancelled", "done"])
  }

  private static func name(_ response: Response<RenderedImage>?) -> String {
    switch response {
    case .answered: "done"
    case .cancelled: "cancelled"
    default: "\(response as Any)"
    }
  }

  @Test("what is urgent comes first, and with little memory one at a time") func order() throws {
    let sweep = try ScriptedSweep()
    let pool = try pool(sweep, memory: 1)
    let order = Mutex<[Int]>([])
    let running = Atomic(0)
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let priorities: [WorkerPool.Priority] = [.normal, .background, .normal, .urgent, .background, .urgent]
    for (index, priority) in priorities.enumerated() {
      pool.submit(pixels: 1_000_000, priority: priority) { _ in
        if index == 0 {
          begun.signal()
          gate.wait()
        }
        #expect(running.wrappingAdd(1, ordering: .relaxed).newValue == 1)
        order.withLock { $0.append(index) }
        running.wrappingSubtract(1, ordering: .relaxed)
      }
      if index == 0 { begun.wait() }
    }
    gate.signal()
    try pool.wait()
    #expect(order.withLock { $0 } == [0, 3, 5, 2, 1, 4])
  }

  @Test("a cancelled task takes its job along", .timeLimit(.minutes(30))) func tasks() async throws {
    var sweep = try ScriptedSweep()
    let slow = RenderRequest.Subject.encoded(sweep.letEncodesHang(), try #require(Quality("0.5")), kept: nil)
    let quick = try encoded()
    let pool = try pool(sweep)
    let file = try #require(sweep.plan.entries.first).file
    let task = Task {
      try await pool.perform(on: file) { worker in
        Self.name(try worker.render(RenderRequest(slow, [.file]), of: file))
      }
    }
    for _ in 0..<6000 where !sweep.areHanging(1) { try await Task.sleep(nanoseconds: 20_000_000) }
    #expect(sweep.areHanging(1))
    task.cancel()
    #expect(try await task.value == "cancelled")
    let next = try await pool.perform(on: file, priority: .urgent) { worker in
      Self.name(try worker.render(RenderRequest(quick, [.file]), of: file))
    }
    #expect(next == "done")
  }

  @Test("after the end of a pool everything answers that it was cancelled", .timeLimit(.minutes(30)))
  func ending() throws {
    var sweep = try ScriptedSweep()
    let slow = RenderRequest.Subject.encoded(sweep.letEncodesHang(), try #require(Quality("0.5")), kept: nil)
    let pool = try pool(sweep)
    let file = try #require(sweep.plan.entries.first).file
    let canceller = Thread { [sweep] in
      _ = ProcessTable.wait { sweep.areHanging(2) }
      pool.cancel()
    }
    canceller.start()
    let results = try pool.map(Array(0..<4), pixels: { _ in 100 }) { worker, _ in
      Self.name(try worker.render(RenderRequest(slow, [.file]), of: file))
    }
    #expect(sweep.areHanging(2))
    #expect(results == Array(repeating: "cancelled", count: 4))
  }
}
