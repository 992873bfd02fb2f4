package import Model

package enum SampleRun {
  /// A manifest that goes with `SyntheticSweep`.
  package static let manifest = RunManifest(
    version: "1.0.0", started: "2026-01-02T03:04:05Z",
    command: ["heicbench", "my corpus/", "--qualities", "0.1...1.0", "--codec", "it's"],
    roots: ["my corpus/"],
    machine: MachineDescription(
      host: "bench", system: "Linux 6.1", processor: "Example 9000", cores: 2,
      memoryBytes: 8_589_934_592, governor: "performance", loadAverage: 0.25),
    variants: [
      VariantDescription(
        variant: SyntheticSweep.jpeg,
        libraries: [LibraryVersion(name: "libjpeg-turbo", version: "2.1.5")], threads: 1),
      VariantDescription(
        variant: SyntheticSweep.heic,
        libraries: [
          LibraryVersion(name: "libheif", version: "1.15.1"), LibraryVersion(name: "x265", version: "3.5"),
        ], threads: 1),
    ],
    qualities: [300, 600, 900].compactMap { Quality(thousandths: $0) }, preparation: Preparation(),
    metrics: SyntheticSweep.metrics, jobs: 2, repeats: 1,
    passedOver: ["hidden": 2, "not an image": 1])
}
