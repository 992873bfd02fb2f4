import CodecKit
import Foundation
import HeicBenchKit
import Model
import TestSupport
import Workers

/// A run in its own process, for tests to kill or to start as another user.
enum ScriptedRun {
  /// Prints what fails, and forgets everything else, which nobody asks for.
  private struct Forgetful: RecordSink, FinishedPoints {
    func append(_ record: SweepRecord) throws {
      guard case .point(let point) = record, case .failed(let failure) = point.outcome else { return }
      print(failure.message)
    }

    func finished(
      _ image: ImageIdentity, preparation: String, metric: String?
    ) throws -> FinishedImage { FinishedImage(image: image, preparation: preparation) }
  }

  /// Measures one point of a variant, or two of a variant that hangs. Returns the exit status.
  static func run(over file: String, variant spelling: String?) throws -> Int32 {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    let entry = CorpusEntry(
      identity: ImageIdentity(name: "slow", contentHash: SHA256.hexDigest(of: bytes)),
      path: Array(file.utf8), fileBytes: bytes.count, header: try ScriptedReader().header(of: bytes))
    let variant = try CodecRegistry.scripted.variant(spelling ?? "scripted:do=hang,file:mark=\(file).mark")
    let qualities = (spelling == nil ? [0, 500] : [500]).compactMap { Quality(thousandths: $0) }
    let plan = SweepPlan(
      entries: [entry],
      variants: [
        VariantDescription(variant: variant, libraries: ScriptedCodec().traits.libraries, threads: 1)
      ],
      qualities: qualities, preparation: Preparation(), metrics: [])
    var configuration = RunnerConfiguration(jobs: 2)
    // The folder for the mark by which a worker shows that it has begun to encode.
    if spelling == nil { configuration.keepFolder = URL(filePath: file).deletingLastPathComponent().path }
    let runner = SweepRunner(
      plan: plan, configuration: configuration, sink: Forgetful(), finished: Forgetful())
    return try runner.run().measured == qualities.count ? 0 : 1
  }
}
