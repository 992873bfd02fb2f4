#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Reads by libraries from a folder.
  struct DecodeBuildTests {
    private let desk: ProgramDesk
    private static let command = [
      "decode", "photos", "--sizes", "40,full", "--region", "31x17", "--repeat", "2", "--images", "none",
      "--build", "other=other",
    ]

    init() throws {
      desk = try ProgramDesk()
      try build([0xDE, 0xAD, 0xBE, 0xEF])
      let photos = desk.folder.url.appending(path: "photos")
      try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
      try desk.writeImage("source.ppm", width: 160, height: 120)
      let made = try desk.run(["thumbnails", "source.ppm", "made", "--size", "160"])
      #expect(made.status == 0, "\(made.errors)")
      // Files on heicbench's list are its own, so it does not read them as pictures.
      try FileManager.default.copyItem(
        at: desk.folder.url.appending(path: "made/source.ppm.jpg"), to: photos.appending(path: "a.jpg"))
    }

    /// A libjpeg that calls itself the same as the system's but is a different file.
    private func build(_ identifier: [UInt8]) throws {
      let folder = desk.folder.url.appending(path: "other")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(MappedJPEG.bytes(buildID: identifier)).write(to: folder.appending(path: "libjpeg.so.62"))
    }

    private func rows(_ name: String = "results/decodes.csv") throws -> [[String: String]] {
      try desk.rows(of: name)
    }

    @Test func filesAsFoundAreReadByEachBuild() throws {
      let first = try desk.run(Self.command)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output.contains("JPEG files, read by other"), "\(first.output)")
      let rows = try rows()
      // Only the system's libraries read a file by its gain map.
      #expect(rows.count == 15 && rows.count { $0["build"] == "other" } == 7)
      // Each build has its own times and memory; the same decoder makes the pictures that are scored.
      let byRead = Dictionary(grouping: rows.filter { $0["route"] != "gain-map" }) {
        "\($0["route"] ?? "") \($0["wanted"] ?? "")"
      }
      for name in ["ssimulacra2", "psnr_y_db", "touched_bytes", "delivered_width", "status", "error"] {
        #expect(byRead.values.allSatisfy { Set($0.map { $0[name] }).count == 1 && $0.count == 2 }, "\(name)")
      }
      let measured = rows.filter { $0["build"] == "other" && $0["status"] == "measured" }
      #expect(measured.contains { $0["ssimulacra2"].flatMap(Double.init) == 100 })
      #expect(measured.allSatisfy { $0["repeats"] == "2" && $0["peak_mib"]?.isEmpty == false })
      let again = try desk.run(Self.command)
      #expect(again.errors.contains("15 of 15 reads already there"), "\(again.errors)")
      // Other libraries under the same name make other reads. The table shows the latest.
      try build([1, 2, 3, 4])
      #expect(try desk.run(Self.command).errors.contains("8 of 15 reads already there"))
      #expect(try self.rows().count == 15)
    }

    @Test func whatABuildEncodesItReads() throws {
      let codecs = ["--codec", "jpeg", "--codec", "jpeg@other", "--qualities", "0.6"]
      let first = try desk.run(Self.command + codecs)
      #expect(first.status == 0, "\(first.errors)")
      let rows = try rows()
      #expect(rows.count == 29 && rows.count { $0["build"] == "other" } == 14)
      let encoded = Dictionary(grouping: rows.filter { $0["source"] == "encoded" }) {
        "\($0["route"] ?? "") \($0["wanted"] ?? "")"
      }
      for name in ["file_bytes", "ssimulacra2", "psnr_y_db", "status", "error"] {
        #expect(encoded.values.allSatisfy { Set($0.map { $0[name] }).count == 1 && $0.count == 2 }, "\(name)")
      }
      #expect(first.output.contains("JPEG@other at quality 0.6"), "\(first.output)")
      let own = try desk.run(Self.command + codecs + ["--decoder", "own"])
      #expect(own.status == 0 && own.errors.contains("15 of 29 reads already there"), "\(own.errors)")
    }

    @Test func thePageShowsWhatBuildsMake() throws {
      let command = Self.command.map { $0 == "none" ? "all" : $0 } + ["--codec", "jpeg@other"]
      let result = try desk.run(command)
      #expect(result.status == 0 && !result.errors.contains("no picture"), "\(result.errors)")
      let page = try desk.text("results/decode.html")
      for kind in ["JPEG files", "JPEG files, read by other", "JPEG@other at quality 0.8"] {
        let parts = page.components(separatedBy: "<h3>a.jpg, \(kind)</h3>")
        let shown = parts.count == 2 ? parts[1].components(separatedBy: "<h3>")[0] : ""
        // The whole picture, and the decoder's reduced size.
        #expect(shown.components(separatedBy: "src=\"data:image/png").count - 1 == 2, "\(kind)")
      }
    }

    @Test func buildsComeThroughShardsAndTheGate() throws {
      try desk.writeImage("source.ppm", width: 160, height: 120, seed: 2)
      try FileManager.default.copyItem(
        at: desk.folder.url.appending(path: "source.ppm"), to: desk.folder.url.appending(path: "photos/b.ppm")
      )
      let codecs = Self.command + ["--codec", "jpeg@other", "--output"]
      #expect(try desk.run(codecs + ["whole"]).status == 0)
      for shard in 1...2 {
        #expect(try desk.run(codecs + ["part\(shard)", "--shard", "\(shard)/2"]).status == 0)
      }
      let merged = try desk.run(["merge", "results", "part1", "part2"])
      #expect(merged.status == 0, "\(merged.errors)")
      let timeless = ["image", "codec", "build", "route", "wanted", "ssimulacra2", "status"]
      let whole = try rows("whole/decodes.csv").map { row in timeless.map { row[$0] } }
      #expect(try rows().map { row in timeless.map { row[$0] } } == whole && whole.count == 36)
      #expect(try desk.run(["check", "--current", "whole", "--reads", "--write", "reads.csv"]).status == 0)
      let gate = try desk.run(["check", "--baseline", "reads.csv"])
      #expect(
        gate.status == 0 && gate.output.contains("gate for reads passed"), "\(gate.output)\(gate.errors)")
    }

    @Test(arguments: [
      (["source.ppm"], "has no library that reads these files"),
      (["photos", "--codec", "jpeg@othr"], "did you mean “other”"),
      (["photos", "--gallery"], "leave out --codec and --build"),
    ])
    func misused(arguments: [String], says: String) throws {
      let result = try desk.run(["decode", "--build", "other=other"] + arguments)
      #expect(result.status == 64 && result.errors.contains(says), "\(result.errors)")
    }
  }
#endif
