#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The scripts that set up and build, in a folder with a space, with stand-ins for the programs that they call.
  struct SetUpScriptTests {
    let folder: TemporaryFolder
    var clone: URL { folder.url.appending(path: "a clone") }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String) throws {
      let file = clone.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    /// Runs a script of the project as if the clone were the project's folder.
    private func run(
      _ name: String, _ arguments: String..., environment: [String: String] = [:]
    ) throws -> BuiltProgram.Result {
      let script = DocumentText.root.appending(path: "scripts/" + name)
      try write("scripts/" + name, try String(contentsOf: script, encoding: .utf8))
      return try BuiltProgram(clone.appending(path: "scripts/" + name)).run(
        arguments, in: clone, environment: environment)
    }

    @Test func aChangeDuringTheBuildIsBuiltTheNextTime() throws {
      try write("scripts/setup", "#!/bin/sh\n")
      try write("scripts/build", Self.build)
      try write("Package.swift", "")
      try write("Sources/text", "first")
      for text in ["first", "later"] {
        let call = try run("heicbench")
        #expect(call.status == 0 && call.output == text + "\n", "\(call.output)\(call.errors)")
      }
    }

    /// Makes a program that prints the source, which changes before the program is there.
    private static let build = #"""
      #!/bin/bash
      set -e
      cd "$(dirname "$0")/.."
      text=$(cat Sources/text)
      mkdir -p .build/release
      touch .build/reference
      until [ Sources/text -nt .build/reference ]; do echo later >Sources/text; done
      printf '#!/bin/sh\necho %s\n' "$text" >.build/release/heicbench
      chmod +x .build/release/heicbench
      """#
  }
#endif
