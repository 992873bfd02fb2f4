import Testing

/// Runs the tests. Without a file of this name SwiftPM looks for tests of XCTest, of which there are none, in an index
/// of all tests that the compiler would have to write.
@main
enum XCTMain {
  static func main() async {
    // swift test runs those of XCTest first, unless it is told not to.
    guard !CommandLine.arguments.contains("xctest") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
