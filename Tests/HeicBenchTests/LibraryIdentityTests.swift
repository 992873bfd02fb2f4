#if os(Linux)
  import Codecs
  import Foundation
  import TestSupport
  import Testing

  /// Points belong to the libraries that really ran, whatever they call themselves.
  @Suite("Swapped libraries") struct LibraryIdentityTests {
    private let desk: ProgramDesk

    init() throws { desk = try ProgramDesk() }

    /// A copy of the libjpeg that this process has mapped, with another build id. It calls itself the same but is a
    /// different file.
    private func otherLibrary(in name: String, _ library: String = "libjpeg.so.62") throws -> String {
      let file = try MappedJPEG.bytes(of: library, buildID: [0xDE, 0xAD, 0xBE, 0xEF])
      let folder = desk.folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(file).write(to: folder.appending(path: library))
      return folder.path
    }

    @Test("images without a codec are read again when another library reads them")
    func swappedReader() throws {
      let image = try #require(SyntheticImage.waves(width: 40, height: 30))
      try desk.writeImage("images/a.ppm")
      try Data(PNGWriter().write(image)).write(to: desk.folder.url.appending(path: "images/b.png"))
      let command = [
        "decode", "images", "--sizes", "full", "--region", "none", "--repeat", "1", "--images", "none",
      ]
      let first = try desk.run(command)
      #expect(first.status == 0, "\(first.errors)")
      #expect(try desk.run(command).errors.contains("6 of 6 reads already there"))
      let environment = ["LD_LIBRARY_PATH": try otherLibrary(in: "other", "libpng16.so.16")]
      let second = try desk.run(command, environment: environment)
      #expect(second.errors.contains("3 of 6 reads already there"), "\(second.errors)")
      #expect(try desk.run(["check", "--current", "results", "--reads", "--write", "reads.csv"]).status == 0)
      let libraries = try desk.rows(of: "reads.csv").map { ($0["image"], $0["libraries"] ?? "") }
      #expect(
        libraries.allSatisfy {
          $0.0 == "a.ppm" || $0.1.contains("libpng") && $0.1.contains("(build deadbeef)")
        })
      #expect(libraries.contains { $0.0 == "b.png" } && libraries.allSatisfy { !$0.1.isEmpty })
    }

    @Test("a swapped library is measured again, and both keep their points")
    func swappedLibrary() throws {
      try desk.writeImage("images/a.ppm")
      let command = [
        "images", "--codec", "jpeg", "--qualities", "0.3,0.8", "--format", "csv", "--metrics", "psnr-y",
      ]
      let first = try desk.run(command)
      #expect(first.errors.contains("2 encodes in"), "\(first.errors)")
      let environment = ["LD_LIBRARY_PATH": try otherLibrary(in: "other")]
      let second = try desk.run(command, environment: environment)
      #expect(second.status == 0, "\(second.errors)")
      #expect(second.errors.contains("2 encodes in"), "\(second.errors)")
      #expect(second.output.contains("(build deadbeef)"))
      #expect(!first.output.contains("deadbeef"))
      #expect(try desk.run(command).errors.contains("0 encodes in"))
      #expect(try desk.run(command, environment: environment).errors.contains("0 encodes in"))
    }

    @Test("libraries are opened at run time only by commands that need them")
    func librariesOnDemand() throws {
      try desk.writeImage("images/a.ppm")
      let loader = ["LD_DEBUG": "files"]
      let sweep = ["images", "--codec", "jpeg", "--qualities", "0.5", "--metrics", "psnr-y"]
      for command in [["--version"], ["--help"], sweep] {
        let result = try desk.run(command, environment: loader)
        #expect(result.status == 0)
        #expect(result.errors.contains("libjpeg"), "the loader says nothing here")
        for library in ["libjxl", "libheif", "libx265"] {
          #expect(!result.errors.contains(library), "\(library) \(command)")
        }
      }
      let codecs = try desk.run(["codecs"], environment: loader).errors
      #expect(codecs.contains("libjxl") && codecs.contains("libheif"))
    }

    @Test("a library that cannot be opened disables only its codecs, which say why")
    func unusableLibrary() throws {
      try desk.writeImage("images/a.ppm")
      try FileManager.default.createDirectory(
        at: desk.folder.url.appending(path: "broken"), withIntermediateDirectories: true)
      try desk.write("no library", to: "broken/libheif.so.1")
      let environment = ["LD_LIBRARY_PATH": desk.folder.url.appending(path: "broken").path]
      let codecs = try desk.run(["codecs"], environment: environment)
      #expect(codecs.status == 0)
      #expect(codecs.output.contains("cannot be used: libheif cannot be opened (Debian: libheif1): "))
      let sweep = ["images", "--qualities", "0.5", "--metrics", "psnr-y", "--codec"]
      let jpeg = try desk.run(sweep + ["jpeg"], environment: environment)
      #expect(jpeg.status == 0, "\(jpeg.errors)")
      let heic = try desk.run(sweep + ["heic"], environment: environment)
      #expect(
        heic.status == 64 && heic.errors.contains("broken/libheif.so.1: file too short"), "\(heic.errors)")
    }

    /// Where `scripts/builds mozjpeg` puts mozjpeg.
    private static let mozjpeg = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "builds/mozjpeg").path

    @Test(
      "settings mean the same with mozjpeg",
      .enabled(
        if: FileManager.default.fileExists(atPath: mozjpeg), "SKIPPED: run scripts/builds mozjpeg before"))
    func keepsSettingsOfMozjpegApart() throws {
      try desk.writeImage("images/a.ppm", width: 200, height: 150)
      let spellings = ["jpeg", "jpeg:optimise=true", "jpeg:progressive=true"]
      let command =
        ["images", "--qualities", "0.2,0.8", "--metrics", "none", "--quiet"]
        + spellings.flatMap { ["--codec", $0] }
      #expect(try desk.run(command + ["--keep-encoded", "turbo", "--output", "turbo-results"]).status == 0)
      let environment = ["LD_LIBRARY_PATH": Self.mozjpeg]
      let moz = ["--keep-encoded", "moz", "--output", "moz-results", "--codec", "jpeg:optimise,trellis"]
      #expect(try desk.run(command + moz, environment: environment).status == 0)
      #expect(try desk.text("moz-results/measurements.csv").contains("mozjpeg 5.0.0 (build "))
      for spelling in spellings {
        for quality in ["0.2", "0.8"] {
          let name = "a.ppm/\(spelling.replacing(":", with: "-"))-q\(quality).jpg"
          let turbo = try desk.data("turbo/" + name)
          #expect(try desk.data("moz/" + name) == turbo, "\(name)")
          let start: [UInt8] = [0xFF, spelling.contains("progressive") ? 0xC2 : 0xC0, 0, 17]
          #expect(turbo.range(of: Data(start)) != nil, "\(name)")
        }
      }
    }

    @Test("codecs names the loaded libraries")
    func listing() throws {
      let environment = ["LD_LIBRARY_PATH": try otherLibrary(in: "other")]
      #expect(try desk.run(["codecs", "jpeg"], environment: environment).output.contains("(build deadbeef)"))
    }
  }
#endif
