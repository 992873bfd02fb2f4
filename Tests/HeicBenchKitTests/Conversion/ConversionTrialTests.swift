import Analysis
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

/// The trials of a folder's files: their order, what ends them early, and what is known of those that failed.
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

  /// A photograph in a plain format that is declared to be of another one.
  private func photograph(
    _ name: String = "a", format: String = "ppm", contents: FileContents? = nil, side: Int? = nil,
    of raster: RasterImage? = nil
  ) throws -> CorpusEntry {
    let picture = raster ?? side.map { SyntheticImage.waves(width: $0, height: $0) } ?? Self.photograph
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

  /// Runs a pass, and returns the numbers of finished files that it reported.
  @discardableResult
  private func run(
    _ trial: ConversionTrial, settles: Bool = false, at progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> [Int] {
    let told = Mutex<[Int]>([])
    try (settles ? trial.settle : trial.run) { done in
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
      try scripted(Array(repeating: "nothing", count: 5)), [try goal("scripted:do=print")],
      cancellation)
    let told = try run(trial) { if $0 == 3 { cancellation.cancel() } }
    #expect(told == [1, 2, 3] && trial.wasStopped && !trial.ranOutOfTime)
    // The smallest files come first, but are reported in the folder's order.
    let tried = trial.projections()
    #expect(tried.map { $0.files.map(\.image) } == [["2", "3", "4"]])
    #expect(tried[0].files.map(\.bytes) == [38, 37, 36].map(bytes))
    #expect(tried[0].files.allSatisfy { $0.quality == nil && $0.score == nil })
    #expect(try run(trial, settles: true).isEmpty, "nothing begins after a stop")
  }

  @Test func nothingBeginsAfterTheDeadline() throws {
    let trial = trial(try scripted(["nothing"]), [try goal()], end: MonotonicClock.now() - 1)
    #expect(try run(trial).isEmpty)
    #expect(trial.ranOutOfTime && trial.wasStopped && trial.projections().map(\.files) == [[]])
    let other = self.trial(try scripted(["nothing"]), [try goal()], end: .max)
    #expect(try run(other) == [1] && !other.ranOutOfTime && !other.wasStopped)
  }

  @Test(arguments: [
    ("error", TriedConversion.Outcome.failed("script: it said no")),
    ("crash", .failed("killed by SIGSEGV")), ("unsupported", .impossible("not this one")),
  ])
  func whatACodecRefusesIsTold(script: String, outcome: TriedConversion.Outcome) throws {
    // At the quality that is used to pack every file losslessly.
    let trial = trial(
      try scripted(["nothing", "nothing"]), [try goal("scripted:do=\(script)"), try goal()])
    try run(trial)
    try run(trial, settles: true)
    let tried = trial.projections()
    #expect(tried[0].files.map(\.outcome) == [outcome, outcome])
    #expect(tried[1].files.map(\.bytes) == [40, 39].map(bytes), "the other codec still has them")
    #expect(!trial.wasStopped)
  }

  @Test func aBrokenPictureHasNoConversion() throws {
    let trial = trial(try scripted(["nothing", "broken"]), [try goal()])
    try run(trial)
    guard case .failed(let reason) = trial.projections()[0].files[1].outcome else {
      Issue.record("a broken picture has no conversion")
      return
    }
    #expect(reason.contains("broken on purpose"))
  }

  /// The fast settings show where to look, and the rows are of files made with the requested settings.
  @Test func theSettingsAskedForReplaceTheFastOnes() throws {
    let entries = try (0..<6).map { try photograph("\($0)", side: 48 + 4 * $0) }
    let trial = trial(
      entries, [try goal("jpeg:progressive=true", quick: "jpeg", score: 30)])
    try run(trial)
    let first = trial.projections()
    #expect(first.allSatisfy { $0.isQuick && !$0.isTold && $0.files.allSatisfy { $0.quality == nil } })
    try run(trial, settles: true)
    for row in trial.projections() {
      let quality = try #require(row.quality)
      #expect(row.isTold && !row.isQuick && row.scored.count == 6 && row.reached >= 5, "\(row.files)")
      let native = Int((quality * 100).rounded())
      let codec = try #require(CodecRegistry.standard.codec(row.variant.codec))
      for (file, side) in zip(row.files, stride(from: 48, through: 68, by: 4)) {
        let image = try #require(SyntheticImage.waves(width: side, height: side))
        func made(_ native: Int) throws -> (bytes: Int, score: Double) {
          let settings = EncodeSettings(
            variant: row.variant, quality: try #require(Quality(native: native)), traits: codec.traits)
          let bytes = try codec.encode(image, settings)
          let suite = try MetricSuite(["ssimulacra2"]).prepare(image)
          return (bytes.count, try #require(suite.score(codec.decode(bytes))["ssimulacra2"]))
        }
        let own = try made(native)
        let score = try #require(file.score)
        #expect(file.bytes == own.bytes && abs(score - own.score) < 1e-4)
        #expect(file.quality?.value == quality)
      }
    }
  }

  @Test func fastSettingsApplyBesideTheRequestedOnes() {
    let quick = ConversionRequest.quick(CodecVariant(codec: "webp", settings: ["sharp": "true"]))
    #expect(quick?.settings == ["method": "0", "sharp": "true"])
    // kvazaar has no presets, whether or not libheif has kvazaar.
    #expect(ConversionRequest.quick(CodecVariant(codec: "heic", settings: ["encoder": "kvazaar"])) == nil)
    #expect(ConversionRequest.quick(CodecVariant(codec: "jpeg")) == nil)
  }

  /// Two other processes keep two cores busy, which leaves one core for two workers.
  @Test func thePriceCountsOtherWork() {
    #expect(ConversionTrial.speed(workers: 2, cores: 2, load: 0) == 2)
    #expect(ConversionTrial.speed(workers: 2, cores: 2, load: 2) == 1)
    #expect(ConversionTrial.speed(workers: 1, cores: 8, load: 3) == 1)
  }

  @Test func aLostWorkerCostsNothingTheSecondTime() throws {
    let mark = folder.path + "/mark"
    let trial = trial(
      try scripted(["nothing", "nothing"]), [try goal("scripted:do=crash-once,file:mark=\(mark)")])
    #expect(try run(trial) == [1, 2])
    #expect(trial.projections()[0].files.map(\.bytes) == [40, 39].map(bytes))
  }

  @Test func filesAreToldOnceAllCodecsHaveThem() throws {
    let cancellation = Cancellation()
    let entries = try ["a", "b", "c"].enumerated().map { try photograph($1, side: 32 + $0) }
    // One goal with a score and one without make two groups, which alternate.
    let trial = trial(entries, [try goal("jpeg", score: 50), try goal("jpeg")], cancellation)
    #expect(try run(trial) { _ in cancellation.cancel() } == [1])
    #expect(trial.projections().map { $0.files.map(\.image) } == [["a"], ["a"]])
  }

  @Test("the file has the lowest quality that keeps the score", arguments: [30, 80])
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
    try run(trial, settles: true)
    let row = trial.projections()[0]
    let (tried, found) = (try #require(row.files.first), Int((try #require(row.quality) * 100).rounded()))
    // Scores do not always rise with quality. The found quality has the score, and the one below does not.
    #expect(files[found - 1].score >= goal && (found == 1 || files[found - 2].score < goal), "\(found)")
    #expect(tried.bytes == files[found - 1].bytes && tried.quality?.value == row.quality && !tried.isQuick)
  }

  @Test func whatHasNoScoreAndWhatNoneReachesAreTwoThings() throws {
    let trial = trial(
      [try photograph(), try photograph("tiny", side: 4)], [try goal("jpeg", score: 99.9)])
    try run(trial)
    try run(trial, settles: true)
    let row = trial.projections()[0]
    #expect(
      row.files.map(\.outcome) == [.outOfReach, .failed("ssimulacra2=99.9 is not defined for this image")],
      "\(row.files.map(\.outcome))")
    #expect(row.setting == .outOfReach && row.bytes == nil && row.outOfReach.count == 1)
  }

  /// Two of twelve encodes fail at the second quality tried.
  @Test func aFileThatFailsDoesNotMissTheScore() throws {
    let goal = try goal("jpeg", score: 60)
    let trial = trial(try (0..<12).map { try photograph("\($0)", side: 32 + $0) }, [goal])
    trial.state.withLock { state in
      for file in 0..<12 {
        state.tries[file, default: [:]][goal.asked.variant, default: CurveTries()][50] = CurveTries.Try(
          bytes: 100, score: 60, seconds: 1)
        let place = ConversionTrial.Place(file: file, goal: 0)
        state.found[place] = ConversionTrial.Finding(
          outcome: file < 2 ? .failed("it took too long") : .converted(bytes: 100, seconds: 1),
          native: file < 2 ? nil : 50)
      }
    }
    let row = try #require(trial.projections().first)
    #expect(row.setting != .outOfReach && row.failed == 2 && row.converted == 10)
  }

  /// The search ends with the file that cannot have the score, which says nothing of the other.
  @Test func oneFileThatCannotReachTheScoreIsNotAll() throws {
    let pair: [UInt8] = [255, 0, 0, 0, 0, 255]
    let line = Array(repeatElement(pair, count: 32).joined())
    let rows = Array(repeatElement(line + line.reversed(), count: 32).joined())
    let dots = try #require(RasterImage(width: 64, height: 64, layout: .rgb, bytes: rows))
    let trial = trial(
      [try photograph(side: 64), try photograph("dots", of: dots)], [try goal("jpeg", score: 50)])
    try run(trial)
    try run(trial, settles: true)
    let row = trial.projections()[0]
    #expect(row.setting == .outOfReach && row.outOfReach.map(\.image) == ["dots"], "\(row.files)")
    #expect(row.files.first { $0.image == "a" }?.bytes != nil)
  }

  /// A goal whose first pass is over, with a try of each file at each of the qualities.
  private func tried(
    _ goal: ConversionGoal, _ files: Int, at scores: [Int: Double], end: Int64? = nil,
    _ cancellation: Cancellation = Cancellation()
  ) throws -> ConversionTrial {
    let entries = try (0..<files).map { try photograph("\($0)", side: 32 + $0) }
    let trial = trial(entries, [goal], end: end, cancellation)
    trial.state.withLock { state in
      for file in 0..<files {
        for (quality, score) in scores {
          state.tries[file, default: [:]][goal.asked.variant, default: CurveTries()][quality] =
            CurveTries.Try(bytes: 100 + quality, score: score, seconds: 1)
        }
        state.found[ConversionTrial.Place(file: file, goal: 0)] = ConversionTrial.Finding(
          outcome: .converted(bytes: 150, seconds: 1), native: 50)
      }
    }
    return trial
  }

  /// The hardest files are tried at the quality below, which does not say what all files have there.
  @Test func aStopDuringTheProofKeepsTheQualityThatAllFilesHave() throws {
    let goal = try goal("jpeg", score: 60)
    let cancellation = Cancellation()
    let trial = try tried(goal, 12, at: [50: 60], cancellation)
    trial.state.withLock { $0.aims[0] = 50 }
    try run(trial, settles: true) { _ in cancellation.cancel() }
    #expect(trial.wasStopped)
    let row = try #require(trial.projections().first)
    #expect(row.files.allSatisfy { $0.bytes == 150 && $0.quality == 0.5 && !$0.isQuick }, "\(row.files)")
  }

  private let named = ConversionFolder(name: "photos", sample: 1, seed: 1)

  @Test func aDeadlineAfterTheLastEncodeStopsNothing() throws {
    let goal = try goal("jpeg", score: 60)
    let past = MonotonicClock.now() - 1
    let trial = try tried(goal, 3, at: [49: 59, 50: 60], end: past)
    #expect(try run(trial, settles: true).isEmpty)
    let report = trial.report(named)
    #expect(report.projections.map(\.quality) == [0.5] && !report.ranOutOfTime && !report.wasInterrupted)
    // Nothing is known of the quality below.
    let unproven = try tried(goal, 3, at: [50: 60], end: past)
    #expect(try run(unproven, settles: true).isEmpty)
    let early = unproven.report(named)
    #expect(early.projections.map(\.quality) == [nil] && early.ranOutOfTime && early.wasInterrupted)
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
    try run(trial, settles: true)
    for row in trial.projections() {
      let bytes = try row.files.map { try #require($0.bytes) }
      #expect(bytes[0] == bytes[1] + kept)
    }
  }
}
