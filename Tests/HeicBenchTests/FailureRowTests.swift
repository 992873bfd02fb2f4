import Testing

@testable import heicbench

@Suite struct FailureRowTests {
  @Test(arguments: [
    ("heicbench a.png --timeout 5 --jobs 2", ["--timeout", "5"]),
    (
      "heicbench --memory-per-job=1GiB a.png --max-pixels 2.5",
      ["--memory-per-job=1GiB", "--max-pixels", "2.5"]
    ),
    ("heicbench a.png --quiet", []),
    ("heicbench a.png --timeout", ["--timeout"]),
  ])
  func limitsAreTakenOver(command: String, expected: [String]) {
    #expect(FailureRow.limits(in: command.split(separator: " ").map(String.init)) == expected)
  }
}
