import CodecKit
import Foundation
import HeicBenchKit
import Model
import TestSupport
import Workers

/// A sweep of scripted images with scripted codecs, run by real worker processes.
struct ScriptedSweep {
  let folder: TemporaryFolder
  let sink: RecordingSink
  var plan: SweepPlan
  var configuration: RunnerConfiguration

  /// A plan over images with these accidents (`nothing` for an intact one) and variants of the scripted codec.
  init(
    images: [String] = ["nothing"], variants: [String] = ["scripted"], qualities: String = "0.1...1.0",
    side: Int = 16, jobs: Int = 2, sink: RecordingSink = RecordingSink()
  ) throws {
    folder = try TemporaryFolder()
    self.sink = sink
    let entries = try ScriptedFile.write(images, side: side, into: folder).map {
      CorpusEntry(
        identity: $0.identity, path: Array($0.path.utf8), fileBytes: $0.bytes, header: $0.header)
    }
    let registry = CodecRegistry.scripted
    plan = SweepPlan(
      entries: entries,
      variants: try variants.map {
        VariantDescription(
          variant: try registry.variant($0), libraries: registry.codecs[0].traits.libraries, threads: 1)
      },
      qualities: try QualityList(parsing: qualities).qualities, preparation: Preparation(), metrics: [])
    configuration = RunnerConfiguration(jobs: jobs, timeout: 30, workerExecutable: ScriptedWorker.program)
    configuration.memoryBudget = 1 << 30
  }

  /// A runner, for tests that cancel it.
  func runner(progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }) -> SweepRunner {
    SweepRunner(plan: plan, configuration: configuration, sink: sink, finished: sink, progress: progress)
  }

  /// Makes all encodes hang.
  mutating func letEncodesHang() -> HangingEncodes {
    let encodes = HangingEncodes(in: folder)
    plan.variants = plan.variants.prefix(1).map {
      VariantDescription(variant: encodes.variant, libraries: $0.libraries, threads: 1)
    }
    configuration.keepFolder = folder.path
    configuration.timeout = 3600
    return encodes
  }

  /// Runs the sweep.
  func run() throws -> SweepSummary { try runner().run() }
}
