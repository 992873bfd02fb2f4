import Testing

/// Runs the tests. Without this file, SwiftPM looks for XCTest tests, of which there are none, in an index of all tests
/// that the compiler would have to write.
@main
enum XCTMain {
  static func main() async {
    // swift test runs XCTest's tests first, unless told otherwise.
    guard !CommandLine.arguments.contains("xctest") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
