import Model
import Store

@testable import Reports

/// A manifest and a digest that go with `SampleAnalysis`.
enum SampleRun {
  static let manifest = RunManifest(
    version: "1.0.0", started: "2026-01-02T03:04:05Z",
    command: ["heicbench", "my corpus/", "--qualities", "0.1...1.0", "--codec", "it's"],
    roots: ["my corpus/"],
    machine: MachineDescription(
      host: "bench", system: "Linux 6.1", processor: "Example 9000", cores: 2,
      memoryBytes: 8_589_934_592, governor: "performance", loadAverage: 0.25),
    variants: [
      VariantDescription(
        variant: SampleAnalysis.jpeg,
        libraries: [LibraryVersion(name: "libjpeg-turbo", version: "2.1.5")], threads: 1),
      VariantDescription(
        variant: SampleAnalysis.heic,
        libraries: [
          LibraryVersion(name: "libheif", version: "1.15.1"), LibraryVersion(name: "x265", version: "3.5"),
        ], threads: 1),
    ],
    qualities: [300, 600, 900].compactMap { Quality(thousandths: $0) }, preparation: Preparation(),
    metrics: Array(SampleRows.metrics.prefix(3)), jobs: 2, repeats: 1,
    passedOver: ["hidden": 2, "not an image": 1])

  /// What rows with something wrong leave behind.
  static func digest(failures: Int = 1) -> RunDigest {
    var digest = RunDigest()
    for number in 1...24 {
      var row = SampleRows.measured("kodim\(number).png")
      if number <= 3 { row.sourceFormat = "jpeg" }
      if number == 4 { row.alpha = true }
      digest.add(row)
    }
    for number in 0..<failures { digest.add(SampleRows.failed("a|b\(number).png", "killed by *SIGSEGV*")) }
    var small = SampleRows.measured("tiny.png", variant: SampleAnalysis.heic)
    small.status = .unsupported
    small.error = "needs 2 pixels"
    digest.add(small)
    digest.add(small)
    var broken = ResultRow(image: "broken`.png", status: .failed)
    broken.error = "no PNG signature"
    digest.add(broken)
    return digest
  }
}
