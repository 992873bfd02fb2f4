import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

/// The tries of a folder's files: their order, what ends them early, and what is known of those that went wrong.
@Suite(.timeLimit(.minutes(30))) struct ConversionTrialTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Files of the scripted format, the largest first.
  private func scripted(_ accidents: [String]) throws -> [CorpusEntry] {
    try accidents.enumerated().map { index, accident in
      try entry(
        "\(index)", ScriptedReader.file(width: 16, height: 40 - index, accident: accident),
        try ScriptedReader().header(
          of: ScriptedReader.file(width: 16, height: 40 - index, accident: accident)))
    }
  }

  private func entry(
    _ name: String, _ bytes: [UInt8], _ header: ImageHeader, contents: FileContents? = nil
  ) throws -> CorpusEntry {
    try ScratchFile.write(bytes, to: "\(folder.path)/\(name)")
    return CorpusEntry(
      identity: ImageIdentity(name: name, contentHash: SHA256.hexDigest(of: bytes)),
      path: Array("\(folder.path)/\(name)".utf8), fileBytes: bytes.count, header: header,
      contents: contents.map { .success($0) })
  }

  private static let photograph = SyntheticImage.waves(width: 32, height: 24)

  /// A photograph in a plain format, said to be of another one.
  private func photograph(
    _ name: String = "a", format: String = "ppm", contents: FileContents? = nil, side: Int? = nil
  ) throws -> CorpusEntry {
    let picture = side.map { SyntheticImage.waves(width: $0, height: $0) } ?? Self.photograph
    let image = try #require(picture)
    let header = ImageHeader(
      format: format, width: image.width, height: image.height, bitDepth: 8, layout: .rgb, isLossy: false)
    let bytes = try Array("P6 \(image.width) \(image.height) 255\n".utf8) + image.samples.eightBits()
    return try entry(name, bytes, header, contents: contents)
  }

  private func description(_ spelling: String) throws -> VariantDescription {
    let registry = spelling.hasPrefix("scripted") ? CodecRegistry.scripted : .standard
    let variant = try registry.variant(spelling)
    let libraries = try #require(registry.codec(variant.codec)).traits.libraries
    return VariantDescription(variant: variant, libraries: libraries, threads: 1)
  }

  private func goal(
    _ asked: String = "scripted", quick: String? = nil, score: Double? = nil
  ) throws -> ConversionGoal {
    ConversionGoal(
      asked: try description(asked), quick: try quick.map(description), score: score,
      range: asked.hasPrefix("scripted") ? 0...100 : 1...100)
  }

  private func trial(
    _ entries: [CorpusEntry], _ goals: [ConversionGoal], jobs: Int = 1, end: Int64? = nil,
    _ cancellation: Cancellation = Cancellation()
  ) -> ConversionTrial {
    var configuration = RunnerConfiguration(jobs: jobs, timeout: 60, workerExecutable: ScriptedWorker.program)
    (configuration.memoryBudget, configuration.keepFolder) = (1 << 30, folder.path)
    return ConversionTrial(
      FolderSample(12, of: entries, seed: 1), goals, configuration, cancellation, end: end)
  }

  /// Runs a pass and returns the numbers of files done that it told.
  @discardableResult
  private func run(
    _ trial: ConversionTrial, _ pass: ConversionTrial.Pass = .quick,
    at progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> [Int] {
    let told = Mutex<[Int]>([])
    try trial.run(pass) { done in
      told.withLock { $0.append(done) }
      progress(done)
    }
    return told.withLock { $0 }
  }

  /// Bytes of a scripted file at half the scale.
  private func bytes(_ height: Int) -> Int { "scripted 16 \(height)".utf8.count + 101 + 10 * 50 }

  @Test func aStopKeepsTheFilesThatWereDoneFirst() throws {
    let cancellation = Cancellation()
    let trial = trial(
      try scripted(Array(repeating: "nothing", count: 5)), [try goal(quick: "scripted:do=print")],
      cancellation)
    let told = try run(trial) { if $0 == 3 { cancellation.cancel() } }
    #expect(told == [1, 2, 3] && trial.wasStopped && !trial.ranOutOfTime)
    // The smallest come first, and are told in the order of the folder.
    let tried = trial.tried()
    #expect(tried.map { $0.map(\.image) } == [["2", "3", "4"]])
    #expect(tried[0].map(\.bytes) == [38, 37, 36].map(bytes))
    #expect(tried[0].allSatisfy { $0.isQuick && $0.quality == nil && $0.score == nil })
    #expect(try run(trial, .asked).isEmpty, "nothing begins after a stop")
  }

  @Test func nothingBeginsAfterTheDeadline() throws {
    let trial = trial(try scripted(["nothing"]), [try goal()], end: MonotonicClock.now() - 1)
    #expect(try run(trial).isEmpty)
    #expect(trial.ranOutOfTime && trial.wasStopped && trial.tried() == [[]])
    let other = self.trial(try scripted(["nothing"]), [try goal()], end: .max)
    #expect(try run(other) == [1] && !other.ranOutOfTime && !other.wasStopped)
  }

  @Test(arguments: [
    ("error", TriedConversion.Outcome.failed("script: it said no")),
    ("crash", .failed("killed by SIGSEGV")), ("unsupported", .impossible("not this one")),
  ])
  func whatTheFastSettingsRefuseIsNotTriedAgain(script: String, outcome: TriedConversion.Outcome) throws {
    // At the quality that every file without loss is packed with.
    let trial = trial(
      try scripted(["nothing", "nothing"]), [try goal(quick: "scripted:do=\(script)"), try goal()])
    #expect(trial.passes == [.quick, .asked])
    for pass in trial.passes { try run(trial, pass) }
    let tried = trial.tried()
    #expect(tried[0].map(\.outcome) == [outcome, outcome] && tried[0].allSatisfy { !$0.isQuick })
    #expect(tried[1].map(\.bytes) == [40, 39].map(bytes), "the other codec has them all the same")
    #expect(!trial.wasStopped)
  }

  @Test func theSettingsAskedForReplaceTheFastOnes() throws {
    let trial = trial(
      try scripted(["nothing", "broken"]), [try goal("scripted:do=print", quick: "scripted")])
    try run(trial)
    var tried = trial.tried()[0]
    #expect(tried.map(\.isQuick) == [true, false] && tried.map(\.quickBytes) == [nil, nil])
    try run(trial, .asked)
    tried = trial.tried()[0]
    #expect(tried[0].bytes == bytes(40) && tried[0].quickBytes == bytes(40) && !tried[0].isQuick)
    guard case .failed(let reason) = tried[1].outcome else {
      Issue.record("a broken picture has no conversion: \(tried[1])")
      return
    }
    #expect(reason.contains("broken on purpose") && tried[1].quickBytes == nil)
  }

  @Test func aLostWorkerCostsNothingTheSecondTime() throws {
    let mark = folder.path + "/mark"
    let trial = trial(
      try scripted(["nothing", "nothing"]), [try goal("scripted:do=crash-once,file:mark=\(mark)")])
    #expect(trial.passes == [.quick])
    #expect(try run(trial) == [1, 2])
    #expect(trial.tried()[0].map(\.bytes) == [40, 39].map(bytes))
  }

  @Test func filesAreToldOnceAllCodecsHaveThem() throws {
    let cancellation = Cancellation()
    let entries = try ["a", "b", "c"].enumerated().map { try photograph($1, side: 32 + $0) }
    // A score and none: two groups, which take turns.
    let trial = trial(entries, [try goal("jpeg", score: 50), try goal("jpeg")], cancellation)
    #expect(try run(trial) { _ in cancellation.cancel() } == [1])
    #expect(trial.tried().map { $0.map(\.image) } == [["a"], ["a"]])
  }

  @Test("the bytes are those of the lowest quality that keeps the score", arguments: [30, 80])
  func scores(quality: Int) throws {
    let image = try #require(SyntheticImage.waves(width: 96, height: 96))
    let codec = try #require(CodecRegistry.standard.codec("jpeg"))
    let suite = try MetricSuite(["ssimulacra2"]).prepare(image)
    let files = try (1...100).map { native in
      let settings = EncodeSettings(
        variant: CodecVariant(codec: "jpeg"), quality: try #require(Quality(native: native)),
        traits: codec.traits)
      let file = try codec.encode(image, settings)
      return (bytes: file.count, score: try #require(suite.score(codec.decode(file))["ssimulacra2"]))
    }
    let goal = files[quality - 1].score
    let trial = trial([try photograph(side: 96)], [try self.goal("jpeg", score: goal)])
    try run(trial)
    let tried = try #require(trial.tried()[0].first)
    // Scores do not rise with every quality, and what lies between two tries is a guess.
    let first = try #require(files.first { $0.score >= goal })
    let last = try #require(files.last { $0.score < goal })
    let bytes = [first.bytes, last.bytes].map(Double.init).sorted()
    let found = Double(try #require(tried.bytes))
    #expect((bytes[0] * 0.95...bytes[1] * 1.05).contains(found), "\(found), \(first) and \(last)")
    #expect(tried.quality != nil && tried.score != nil && !tried.isQuick)
  }

  @Test func whatHasNoScoreAndWhatNoneReachesAreTwoThings() throws {
    let trial = trial(
      [try photograph(), try photograph("tiny", side: 4)], [try goal("jpeg", score: 99.9)])
    try run(trial)
    let tried = trial.tried()[0]
    #expect(
      tried.map(\.outcome) == [.outOfReach, .failed("ssimulacra2=99.9 is not defined for it")],
      "\(tried.map(\.outcome))")
  }

  @Test func metadataThatTheProgramKeepsCountWithThePicture() throws {
    var contents = FileContents()
    contents.add(.exif, bytes: 500)
    let entries = [
      try photograph("with", format: "heic", contents: contents), try photograph("without", format: "heic"),
    ]
    let tool = ConversionTool.of(CodecVariant(codec: "jpeg"), from: "heic")
    let kept = tool.keptBytes(of: contents, from: "heic", hasOwnProfile: false)
    #expect(kept == 500)
    let trial = trial(entries, [try goal("jpeg", score: 60), try goal("jpeg")])
    try run(trial)
    let bytes = try trial.tried().map { try $0.map { try #require($0.bytes) } }
    #expect(bytes[0][0] == bytes[0][1] + kept)
    #expect(bytes[1][0] == bytes[1][1], "a file packed without loss has them in it")
  }
}
