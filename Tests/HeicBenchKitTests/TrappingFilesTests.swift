import Foundation
import Model
import Synchronization
import TestSupport
import Testing

@testable import HeicBenchKit

/// A file that makes a parser trap is named, and the others are processed.
@Suite struct TrappingFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A picture in a plain format.
  private static func plain(_ seed: UInt8) -> [UInt8] {
    Array("P6 24 24 255\n".utf8) + (0..<24 * 24 * 3).map { UInt8(truncatingIfNeeded: $0 / 7) &+ seed }
  }

  private var images: ImageSource { [InputPath(folder.path + "/photos")] }

  private var workers: WorkerSettings {
    var workers = WorkerSettings()
    (workers.program, workers.jobs) = (ScriptedWorker.program, 1)
    return workers
  }

  private func writePhotographs() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "photos"), withIntermediateDirectories: true)
    let trap = ScriptedReader.file(width: 8, height: 8, accident: "trap")
    for (name, bytes) in [("a.ppm", Self.plain(1)), ("bad.jpg", trap), ("c.ppm", Self.plain(2))] {
      try Data(bytes).write(to: folder.url.appending(path: "photos/" + name))
    }
  }

  @Test func thumbnailsNameIt() throws {
    try writePhotographs()
    var request = ThumbnailsRequest(images: images, output: folder.path + "/small")
    request.workers = workers
    let failed = Mutex<[String]>([])
    let outcome = try request.run(cancellation: Cancellation()) { event in
      if case .failed(let file, let message) = event { failed.withLock { $0.append("\(file): \(message)") } }
    }
    #expect(outcome.made == 2 && outcome.failed == 1)
    #expect(failed.withLock { $0 } == ["bad.jpg: killed by SIGILL while reading its header"])
  }

  @Test func convertCheckNamesIt() throws {
    try writePhotographs()
    var request = ConversionRequest(images: images)
    (request.workers, request.codecs) = (workers, [CodecVariant(codec: "jpeg")])
    let notices = Mutex<[String]>([])
    let report = try request.run(cancellation: Cancellation()) { event in
      if case .notice(let text) = event { notices.withLock { $0.append(text) } }
    }
    let sentence = "“bad.jpg” is left out: killed by SIGILL while reading its header"
    #expect(notices.withLock { $0.contains(sentence) })
    #expect(report.folder.files == 2 && report.folder.unusable == ["bad.jpg"])
  }

  @Test func aSweepNamesIt() throws {
    try writePhotographs()
    var request = SweepRequest(images: images, output: folder.path + "/results")
    (request.workers, request.codecs) = (workers, [CodecVariant(codec: "jpeg")])
    (request.qualities, request.metrics) = ([0.5], [])
    request.page.images = 0
    let outcome = try request.run(cancellation: Cancellation())
    #expect(outcome.failures.map(\.message) == ["killed by SIGILL while reading its header"])
    #expect(outcome.measured >= 2)
  }
}
