import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Workers

@Suite struct ExternalScorerTests {
  @Test(arguments: [
    ("64.553", 64.553), ("score: 1.2e-3\n", 0.0012), ("PSNR 30, SSIM 0.92.\n", 0.92), ("-7\nok done", -7),
    ("1 2 3 the end", 3),
  ]) func takesTheLastNumber(_ text: String, _ number: Double) {
    #expect(ExternalScorer.score(in: Array(text.utf8)) == .number(number))
  }

  @Test(arguments: ["", "nothing here", "e", "--"]) func findsNoNumber(_ text: String) {
    #expect(ExternalScorer.score(in: Array(text.utf8)) == .nothing)
  }

  @Test(arguments: [
    ("inf nan", "nan"), ("3-norm: 1.2\nscore: -nan\n", "-nan"), ("5 1e400", "1e400"),
    ("7 Infinity.", "Infinity."),
  ]) func refusesWhatIsNotFinite(_ text: String, _ word: String) {
    #expect(ExternalScorer.score(in: Array(text.utf8)) == .notFinite(word))
  }

  /// A worker that finds another one's original in its place would score against the wrong picture.
  @Test func workersOfOneSlotHaveTheirOwnFiles() throws {
    var configuration = RunnerConfiguration(jobs: 1)
    configuration.externalMetrics = [ExternalMetric(id: "mine", words: ["true"])]
    configuration.builds = [LibraryBuild(name: "new", folder: "/nowhere")]
    configuration.scoresThroughBuild = true
    let slot = WorkerPool(configuration).sessions[0]
    let setups = [try slot.setup(for: nil), try slot.setup(for: "new")]
    #expect(setups.allSatisfy { $0.externalMetrics.count == 1 })
    let folders = setups.compactMap(\.scratchFolder)
    #expect(folders.count == 2 && Set(folders).count == 1, "coded files pass from one to the other")
    let files = zip(folders, setups).map { ExternalScorer.files(in: $0, of: $1.build) }
    #expect(Set(files.flatMap { [$0.reference, $0.distorted] }).count == 4)
  }

  #if os(Linux)
    /// On a full disk, a write that fails half-way leaves another picture's beginning in the original's place.
    @Test func anOriginalIsWrittenAgainAfterAFailedWrite() throws {
      let folder = try TemporaryFolder()
      var setup = WorkerSetup(preparation: Preparation(), limits: ReadLimits(), metrics: [])
      setup.externalMetrics = [ExternalMetric(id: "mine", words: ["true"])]
      setup.scratchFolder = folder.path
      var scorer = try #require(try ExternalScorer(setup, writer: ScriptedWriter()))
      var path: String { ExternalScorer.files(in: folder.path, of: nil).reference }
      let image = try #require(RasterImage(width: 3, height: 1, layout: .gray, bytes: [1, 2, 3]))
      let (first, second) = (
        ImageIdentity(name: "a", contentHash: "a"), ImageIdentity(name: "b", contentHash: "b")
      )
      let written = scorer.scores(of: image, against: image, named: first, within: 60).failed
      #expect(written == ["mine": "printed no number"])
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
      let failed = scorer.scores(of: image, against: image, named: second, within: 60).failed
      #expect(failed["mine"]?.contains("could not be written") == true)
      try FileManager.default.removeItem(atPath: path)
      _ = scorer.scores(of: image, against: image, named: first, within: 60)
      #expect(FileManager.default.contents(atPath: path) == Data("3 1".utf8))
    }
  #endif
}
