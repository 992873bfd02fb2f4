#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The scripts for clusters, with a heicbench that does not measure. The documents' test runs them with the program.
  struct ScaleScriptTests {
    let folder: TemporaryFolder
    private static let scripts = DocumentText.root.appending(path: "docs/scale").path

    init() throws {
      folder = try TemporaryFolder()
      let program = folder.url.appending(path: "heicbench")
      try Data(Self.program.utf8).write(to: program)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    }

    /// Makes an empty store, merges without a word in `summary.md` and lists what was there before, and imports into the
    /// folder after `--output`.
    private static let program = #"""
      #!/bin/bash
      case $1 in
      merge)
        mkdir -p "$2" && ls "$2" >before
        echo "Reads cost little." && echo "results are in $2" >&2
        ;;
      import)
        while [ "$1" != --output ]; do shift; done
        echo "$2" >output && touch "$2/imported"
        ;;
      *)
        python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("CREATE TABLE a(b)")' \
          "${@: -1}/heicbench.sqlite"
        ;;
      esac
      """#

    private func run(_ words: [String], environment: [String: String] = [:]) throws -> BuiltProgram.Result {
      try BuiltProgram(URL(filePath: "/usr/bin/env")).run(words, in: folder.url, environment: environment)
    }

    @Test(.enabled(if: Python.isPresent, "SKIPPED: needs Python; scripts/setup --tests installs it"))
    func partsOfAnyCommandGiveAnAnswer() throws {
      let call = try run([
        "python3", Self.scripts + "/ray-sweep.py", "images", folder.path + "/results", "--parts", "1",
        "--engine", "none", "--heicbench", folder.path + "/heicbench", "--", "decode",
      ])
      #expect(call.status == 0, "\(call.errors)")
      #expect(call.output == "1 of 1 parts, 0 failed: Reads cost little.\n")
    }

    @Test(arguments: [true, false])
    func aMergeAddsToWhatWasImported(hasScratch: Bool) throws {
      let results = folder.path + "/results"
      for name in ["merged/imported", "shard-1/store"] {
        try FileManager.default.createDirectory(
          atPath: results + "/" + name, withIntermediateDirectories: true)
      }
      let call = try run(
        ["bash", Self.scripts + "/slurm-merge.sh"],
        environment: [
          "RESULTS": results, "HEICBENCH": "./heicbench",
          "SCRATCH": hasScratch ? folder.path + "/own scratch" : "",
        ])
      #expect(call.status == 0, "\(call.errors)")
      let before = try String(contentsOf: folder.url.appending(path: "before"), encoding: .utf8)
      #expect(before == "imported\n")
    }

    @Test(arguments: [true, false])
    func anImportKeepsItsStoreOnTheLocalDisk(hasScratch: Bool) throws {
      let (results, scratch) = (folder.path + "/results", folder.path + "/own scratch")
      try FileManager.default.createDirectory(atPath: results + "/merged", withIntermediateDirectories: true)
      let call = try run(
        ["bash", Self.scripts + "/slurm-import.sh"],
        environment: [
          "CORPUS": "images", "RESULTS": results, "IMPORTS": "phone=phone", "HEICBENCH": "./heicbench",
          "SCRATCH": hasScratch ? scratch : "",
        ])
      #expect(call.status == 0, "\(call.errors)")
      let output = try String(contentsOf: folder.url.appending(path: "output"), encoding: .utf8)
      #expect(output.hasPrefix(hasScratch ? scratch : results + "/merged"), "\(output)")
      #expect(FileManager.default.fileExists(atPath: results + "/merged/imported"))
      let left = try hasScratch ? FileManager.default.contentsOfDirectory(atPath: scratch) : []
      #expect(left == [])
    }
  }
#endif
