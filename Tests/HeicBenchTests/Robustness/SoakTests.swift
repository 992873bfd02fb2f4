#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The short version of Tests/Drivers/soak, which describes what heicbench promises.
  @Suite struct SoakTests {
    @Test(
      "killed at random moments and resumed, nothing is lost", .timeLimit(.minutes(30)),
      .enabled(if: Python.isPresent, "SKIPPED: needs Python; scripts/setup --tests installs it"))
    func survivesTheSoak() throws {
      let user = try UserFolder()
      let (status, said) = try Python.script(
        "Tests/Drivers/soak", ["3", "4"], program: user.program, in: user.folder.path)
      #expect(status == 0, "\(said)")
      #expect(said.contains("nothing lost or measured twice, no process left"))
    }
  }
#endif
