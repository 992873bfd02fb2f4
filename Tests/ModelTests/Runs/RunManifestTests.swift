import Model
import Testing

/// The machines of a merged run.
@Suite struct RunManifestTests {
  @Test("Times belong to a machine of the run, even if its processor's name has a comma")
  func machines() {
    let names = ["AMD A10-7850K Radeon R7, 12 Compute Cores 4C+8G", "Intel Xeon"]
    let machine = MachineDescription(
      host: "a, b", system: "Linux", processor: names.joined(separator: ", "), cores: 4, memoryBytes: 1 << 33)
    func includes(_ host: String, _ processor: String) -> Bool {
      machine.includes(TimesOrigin(host: host, processor: processor, jobs: 1))
    }
    #expect(includes("a", names[0]) && includes("b", names[1]))
    #expect(!includes("c", names[1]))
    for part in ["Xeon", "Intel", ""] { #expect(!includes("a", part)) }
  }
}
