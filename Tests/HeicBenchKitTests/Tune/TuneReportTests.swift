import Metrics
import Model
import Store
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

struct TuneReportTests {
  /// If nothing is found, no image is measured to confirm it.
  @Test func imagesThatWereNotMeasuredConfirmNothing() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    let base = CodecVariant(codec: "jpeg")
    let manifest = RunManifest(
      version: "1", started: "2026-01-02T03:04:05Z", command: [], roots: [],
      machine: MachineDescription(
        host: "bench", system: "Linux", processor: "Example", cores: 1, memoryBytes: 1 << 30),
      variants: [], qualities: [], preparation: Preparation(), metrics: [.headline], jobs: 1, repeats: 1)
    let run = try store.begin(manifest, images: [ImageIdentity]())
    let pool = TunePool(
      store, run, [], Preparation(), [.headline], at: 80, in: 0...100,
      RunnerConfiguration(jobs: 1, timeout: 60, workerExecutable: ScriptedWorker.program), Cancellation(),
      describe: { _ in [] }, events: { _ in })
    let split = TuneRequest.Split(
      entries: [], searching: Array(0..<6), confirming: Array(6..<11), passedOver: PassedOver())
    let search = TuneSearch(from: base, [], images: split.searching) { $0 }
    let choice = TuneChoice(among: [], against: base, pool, images: split.confirming, cpu: nil)
    let report = TuneReport(
      search, choice, pool, metrics: [.headline], score: 80, split: split, isConfirmed: true)
    let outcome = TuneOutcome(
      folder: folder.path, report: report.feature, wasInterrupted: false, ranOutOfTime: false)
    let json = try outcome.json
    #expect(json.contains("\"images_confirming\": 0") && json.contains("nothing better"), "\(json)")
  }
}
