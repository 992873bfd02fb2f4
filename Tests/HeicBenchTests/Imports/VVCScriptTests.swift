#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The script that makes VVC files for `heicbench import`. A stand-in for ffmpeg writes streams of 641 bytes, and the
  /// picture in another format instead of a decoded one.
  @Suite(.enabled(if: Python.isPresent, "SKIPPED: needs Python; scripts/setup --tests installs it"))
  struct VVCScriptTests {
    let desk: ProgramDesk

    init() throws {
      desk = try ProgramDesk()
      try FileManager.default.createDirectory(at: file("photos"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: DocumentText.root.appending(path: "corpus/photo/coast.png"), to: file("photos/coast.png"))
      try desk.write(
        """
        #!/bin/sh
        echo "$@" >>"$CALLS"
        for last; do :; done
        case $last in
          -) ;;
          *.png) cp "$PICTURE" "$last"; echo >>"$last" ;;
          *) head -c 641 /dev/zero >"$last" ;;
        esac
        """, to: "ffmpeg")
      chmod(file("ffmpeg").path, 0o755)
    }

    private func file(_ name: String) -> URL { desk.folder.url.appending(path: name) }

    private func run(_ arguments: String...) throws -> (status: Int32, text: String) {
      try Python.script(
        "scripts/lab/vvc", arguments, program: desk.program, in: desk.folder.path,
        environment: [
          "FFMPEG": file("ffmpeg").path, "CALLS": file("calls").path,
          "PICTURE": file("photos/coast.png").path,
        ])
    }

    private func calls() throws -> [Substring] { try desk.text("calls").split(separator: "\n") }

    @Test func makesAListThatImportTakes() throws {
      let made = try run(
        file("photos").path, file("vvc").path, "--preset", "faster", "--qp", "22,32", "--limit", "1")
      #expect(made.status == 0, "\(made.text)")
      let rows = try desk.rows(of: "vvc/pairs.csv")
      #expect(rows.map { $0["file"] } == ["coast-vvc-faster-qp22.png", "coast-vvc-faster-qp32.png"])
      #expect(rows.allSatisfy { $0["bytes"] == "1000" && $0["reference"] == "coast.png" })
      #expect(rows.allSatisfy { $0["cpu_s_per_megapixel"].flatMap(Double.init) != nil })
      let encodes = try calls().filter { $0.contains("-c:v libvvenc -preset faster -qp") }
      #expect(encodes.count == 2 && encodes.allSatisfy { $0.contains("threads=1") })

      // Existing files are not made again, and another encoder's files have other names.
      let before = try calls().count
      #expect(
        try run(file("photos").path, file("vvc").path, "--preset", "faster", "--qp", "22,32").status == 0)
      #expect(try calls().count == before)
      let control = try run(
        file("photos").path, file("vvc").path, "--preset", "faster", "--qp", "22", "--encoder", "libx265")
      #expect(control.status == 0, "\(control.text)")
      #expect(try desk.rows(of: "vvc/pairs.csv").count == 3)
      #expect(try calls().contains { $0.contains("-c:v libx265 -preset faster -x265-params qp=22:") })

      let imported = try desk.run([
        "import", "--reference", "photos", "vvc=vvc", "--pairs", "vvc/pairs.csv", "--images", "none",
      ])
      #expect(imported.status == 0 && imported.errors.contains("3 files imported"), "\(imported.errors)")
    }

    @Test func aFolderWithoutPNGFilesIsRefused() throws {
      let refused = try run(desk.folder.path, file("vvc").path)
      #expect(refused.status == 1 && refused.text.contains("has no PNG files"), "\(refused.text)")
    }
  }
#endif
