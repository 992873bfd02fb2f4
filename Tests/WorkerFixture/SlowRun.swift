import CodecKit
import Foundation
import Model
import Sweep
import TestSupport
import Workers

/// A run that does not end by itself within a test.
enum SlowRun {
  /// Forgets everything: nobody will ask.
  private struct Forgetful: RecordSink, FinishedPoints {
    func append(_ record: SweepRecord) throws {}
    func finished(
      _ image: ImageIdentity, preparation: String, metric: String?
    ) throws -> FinishedImage { FinishedImage(image: image, preparation: preparation) }
  }

  static func run(over file: String) throws -> Int32 {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    let entry = CorpusEntry(
      identity: ImageIdentity(name: "slow", contentHash: SHA256.hexDigest(of: bytes)),
      path: Array(file.utf8), fileBytes: bytes.count, header: try ScriptedReader().header(of: bytes))
    let variant = try CodecRegistry.scripted.variant("scripted:do=sleep,ms=60000")
    let plan = SweepPlan(
      entries: [entry], variants: [VariantDescription(variant: variant, libraries: [], threads: 1)],
      qualities: [0, 500].compactMap { Quality(thousandths: $0) }, preparation: Preparation(), metrics: [])
    let runner = SweepRunner(
      plan: plan, configuration: RunnerConfiguration(jobs: 2), sink: Forgetful(), finished: Forgetful())
    return try runner.run().measured == 2 ? 0 : 1
  }
}
