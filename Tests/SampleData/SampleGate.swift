package import Analysis
package import Model
package import Store

/// A gate that compares two made-up sweeps, the second of which has changes.
package struct SampleGate {
  package var baseline = SampleRows(images: 6)
  package var run = SampleRows(images: 6)
  package var tolerances = GateTolerances()
  package var manifests: (before: RunManifest?, after: RunManifest?) = (nil, nil)
  package var pairsCodecs = false
  package var required: Set<String> = []
  package var progress: RunProgress?

  package init() {}

  /// The report.
  package func report() throws -> GateReport {
    var builder = GateBuilder(
      tolerances: tolerances, metrics: [.sampleHeadline, .sampleSSIM], baselineManifest: manifests.before,
      manifest: manifests.after, required: required, progress: progress, pairsCodecs: pairsCodecs)
    for row in baseline.rows() { builder.addBaseline(row) }
    for row in run.rows() { try builder.add(row) }
    return builder.finish()
  }

  /// A manifest of a made-up machine.
  package static func manifest(host: String = "ci", jobs: Int = 2) -> RunManifest {
    RunManifest(
      version: "1.0.0", started: "2026-01-01T00:00:00Z", command: ["corpus"], roots: ["corpus"],
      machine: MachineDescription(
        host: host, system: "Linux", processor: "Some CPU", cores: 2, memoryBytes: 1 << 32),
      variants: ["jpeg", "heic"].map {
        VariantDescription(variant: CodecVariant(codec: $0), libraries: [], threads: 1)
      }, qualities: [], preparation: Preparation(), metrics: [], jobs: jobs, repeats: 5)
  }
}
