import Foundation
import HeicBenchKit

// Compares HEIC with JPEG over a folder of images; from the second run on, also with the first one.
HeicBench.serveIfWorker()
guard CommandLine.arguments.count == 3 else {
  print("usage: CompareCodecs IMAGES RESULTS")
  exit(64)
}
let results = CommandLine.arguments[2]
do {
  var sweep = SweepRequest(images: [InputPath(CommandLine.arguments[1])], output: results)
  sweep.codecs = [try CodecVariant("jpeg"), try CodecVariant("heic:preset=ultrafast")]
  sweep.qualities = [0.3, 0.6, 0.9]
  sweep.metrics = ["ssimulacra2"]
  sweep.page.images = 0
  let outcome = try await sweep.run { event in
    if case .measuring(let progress) = event { print("\(progress.done) of \(progress.total) points") }
  }
  for saving in try outcome.savings() { print(saving.sentence) }
  let baseline = results + "/baseline.csv"
  guard FileManager.default.fileExists(atPath: baseline) else {
    try BaselineRequest(results: results).write(to: baseline)
    exit(0)
  }
  let gate = try GateRequest(baseline: baseline).run(on: outcome)
  for finding in gate.findings where finding.verdict == .worse {
    print("\(finding.quantity) of \(finding.image ?? "all"): +\(finding.worsening) \(finding.unit)")
  }
  exit(gate.hasFailed ? 1 : 0)
} catch {
  print(error)
  exit(70)
}
