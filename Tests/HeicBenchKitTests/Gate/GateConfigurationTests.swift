import Store
import Testing

@testable import Analysis
@testable import HeicBenchKit

@Suite("The gate's file")
struct GateConfigurationTests {
  @Test("all keys are read")
  func keys() throws {
    let configuration = try GateConfiguration(
      yaml: """
        # limits
        thresholds:
          total-bytes: 1.5
          ssimulacra2: 1
        other-versions:
          total-bytes: 5
        fail-on: improvement
        """)
    #expect(configuration.thresholds == ["total-bytes": 1.5, "ssimulacra2": 1])
    #expect(configuration.failOn == .improvement)
    let tolerances = try configuration.tolerances(flags: ["saving": 7], metrics: [])
    #expect(tolerances.sameVersions[.totalBytes] == 1.5)
    #expect(tolerances.sameVersions[.saving(70)] == 7)
    #expect(tolerances.otherVersions[.totalBytes] == 5)
    #expect(tolerances.otherVersions[.saving(70)] == 7)
  }

  @Test("an empty file sets nothing", arguments: ["", "# nothing\n", "thresholds:\n"])
  func empty(yaml: String) throws {
    #expect(try GateConfiguration(yaml: yaml) == GateConfiguration())
  }

  @Test(
    "a misspelling is an error with the nearest match",
    arguments: [
      ("treshold:\n  a: 1", "did you mean “thresholds”?"), ("- a", "must contain keys"),
      ("thresholds: 5", "total-bytes: 0.5"), ("thresholds:\n  total-bytes: much", "must be a number"),
      ("fail-on: rain", "regression or improvement"), ("a: [", "not YAML"),
    ])
  func refused(yaml: String, hint: String) {
    let error = #expect(throws: HeicBenchError.self) { try GateConfiguration(yaml: yaml) }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
  }

  @Test("an unknown threshold is an error")
  func unknownThreshold() throws {
    let configuration = try GateConfiguration(yaml: "thresholds:\n  total-byte: 1")
    let error = #expect(throws: HeicBenchError.self) {
      try configuration.tolerances(flags: [:], metrics: [])
    }
    #expect(error?.description.contains("“.heicbench.yml”: there is no threshold “total-byte”") == true)
    #expect(error?.description.contains("did you mean “total-bytes”?") == true)
  }

  @Test("control characters for terminals are not printed")
  func plainMessages() {
    for yaml in ["\"a\\nheicbench: fake\\e[31m\": 1", "thresholds:\n  \"a\\nheicbench: fake\\e[31m\": x"] {
      let error = #expect(throws: HeicBenchError.self) { try GateConfiguration(yaml: yaml) }
      let text = error?.description ?? "\n"
      #expect(!text.contains("\n") && !text.contains("\u{1b}"), "\(text)")
    }
  }
}
