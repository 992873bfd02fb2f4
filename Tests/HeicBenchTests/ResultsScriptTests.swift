#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The script that makes the documents' tables and compares the documents with them.
  @Suite(.enabled(if: Python.isPresent, "SKIPPED: needs Python; scripts/setup --tests installs it"))
  struct ResultsScriptTests {
    let desk: ProgramDesk
    var document: URL { desk.folder.url.appending(path: "document.md") }

    init() throws { desk = try ProgramDesk() }

    private func run(_ arguments: String...) throws -> (status: Int32, text: String) {
      try Python.script(
        "scripts/lab/results",
        ["--docs", document.path, "--work", desk.folder.path + "/work"]
          + ["--kodak", desk.folder.path + "/pictures", "--clic", desk.folder.path + "/nowhere"] + arguments,
        program: desk.program, in: desk.folder.path)
    }

    private func text() throws -> String { try String(contentsOf: document, encoding: .utf8) }

    @Test func aDocumentIsHeldAgainstWhatItsPicturesGive() throws {
      for seed: UInt64 in 1...2 {
        try desk.writeImage("pictures/\(seed).ppm", width: 184, height: 180, seed: seed)
      }
      try Data("Before.\n<!-- results: kodak -->\nx\n<!-- end -->\nAfter.\n".utf8).write(to: document)
      var (status, said) = try run()
      #expect(status == 1 && said.contains("document.md, kodak: 1 lines, now 6"), "\(said)")
      #expect(try text().contains("\nx\n"))

      (status, said) = try run("--write")
      let written = try text()
      try #require(status == 0 && written.contains("| SSIMULACRA2 |"), "\(said)")
      #expect(written.hasPrefix("Before.\n") && written.hasSuffix("<!-- end -->\nAfter.\n"))
      (status, said) = try run()
      #expect(status == 0 && said.contains("1 tables, 0 differences"), "\(said)")

      // The first figure of the row of 50. A document may print its interval as well.
      let row = try #require(written.firstMatch(of: #/\| 50 \| (\S+) /#))
      let figure = String(row.1)
      func with(_ other: String) throws {
        try Data(written.replacing("| 50 | \(figure) ", with: "| 50 | \(other) ").utf8).write(to: document)
      }
      try with("−7.5 (−99.0 to 99.0)")
      #expect(try run().status == 0)
      try with("−7.5 (97.0 to 99.0)")
      (status, said) = try run()
      #expect(status == 1 && said.contains("kodak: 50: −7.5 (97.0 to 99.0) is now \(figure)"), "\(said)")
      try with("−97.5")
      #expect(try run().status == 1)
      // A table that is left out does not hide the difference.
      try Data((try text() + "<!-- results: tiles-clic -->\nx\n<!-- end -->\n").utf8).write(to: document)
      #expect(try run().status == 1)
    }

    @Test func theExampleIsHeldAgainstARun() throws {
      let summary = try String(
        contentsOf: DocumentText.root.appending(path: "results/example/summary.md"), encoding: .utf8)
      let file = desk.folder.url.appending(path: "summary.md")
      let others = summary.replacing(#/\| Started +\| \S+/#, with: "| Started | 2020-01-01T00:00:00Z")
        .replacing(#/[\d.]+ times to decode/#, with: "9.9 times to decode")
      try Data(others.utf8).write(to: file)
      var (status, said) = try run("--example", desk.folder.url.path)
      #expect(status == 0 && said.contains("0 differences"), "\(said)")
      for (old, new) in [("HEIC needs 5", "HEIC needs 9"), ("fewer bytes", "less")] {
        #expect(others.contains(old))
        try Data(others.replacing(old, with: new, maxReplacements: 1).utf8).write(to: file)
        (status, said) = try run("--example", desk.folder.url.path)
        #expect(status == 1 && said.contains("1 differences"), "\(said)")
      }
    }

    @Test func anAnswerIsTheOneThatAPersonSees() throws {
      for seed: UInt64 in 1...2 {
        try desk.writeImage("pictures/\(seed).ppm", width: 184, height: 180, seed: seed)
      }
      try Data("<!-- results: printed -->\nx\n<!-- end -->\n".utf8).write(to: document)
      let (status, said) = try run("--write", "--clic", desk.folder.path + "/pictures")
      #expect(status == 0, "\(said)")
      #expect(try text().contains("\nCodec  SSIMULACRA2"), "\(said)")
    }

    @Test func whatCannotBeMadeIsNamed() throws {
      try Data("<!-- results: tiles-clic -->\nx\n<!-- end -->\n".utf8).write(to: document)
      let (status, said) = try run()
      #expect(status == 3 && said.contains("tiles-clic: left out: --clic"), "\(said)")
      try Data("<!-- results: nothing -->\nx\n<!-- end -->\n".utf8).write(to: document)
      #expect(try run().status == 1)
    }
  }
#endif
