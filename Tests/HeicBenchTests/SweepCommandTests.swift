import Foundation
import Model
import Store
import TestSupport
import Testing

/// The program as users run it.
@Suite("heicbench, run as a program")
struct SweepCommandTests {
  let desk: ProgramDesk
  private var program: BuiltProgram { desk.program }
  private var folder: TemporaryFolder { desk.folder }

  init() throws { desk = try ProgramDesk() }

  private func run(_ arguments: String...) throws -> BuiltProgram.Result { try desk.run(arguments) }
  private func text(_ name: String) throws -> String { try desk.text(name) }
  private func writeImage(_ name: String, width: Int = 32, height: Int = 24, seed: UInt64 = 1) throws {
    try desk.writeImage(name, width: width, height: height, seed: seed)
  }

  @Test("a sweep writes its files, and the same command again measures nothing")
  func sweepAndResume() throws {
    try writeImage("images/b.ppm", seed: 2)
    try writeImage("images/sub/a.ppm")
    try Data("no image".utf8).write(to: folder.url.appending(path: "images/notes.txt"))
    let command = [
      "images", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.3,0.8", "--refine", "off", "--format",
      "csv",
    ]
    let first = try program.run(command, in: folder.url)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.contains("Skipped 1 file that is not an image (notes.txt)."))
    #expect(first.errors.contains("8 encodes in"))
    let csv = try text("results/measurements.csv")
    #expect(first.output == csv)
    let lines = csv.split(separator: "\n")
    #expect(lines.count == 9)
    #expect(
      lines[0].hasPrefix(
        "image,width,height,bit_depth,alpha,source_format,codec,settings,quality,native_quality,status,"
          + "encoded_bytes,bits_per_pixel,compression_ratio,encode_wall_ms,encode_cpu_ms,decode_wall_ms,"
          + "decode_cpu_ms,repeats,peak_memory_mib,psnr_y_db,psnr_rgb_db,ssim,ms_ssim,ssimulacra2,"))
    #expect(lines[0].hasSuffix(",error"))
    #expect(lines[1].hasPrefix("b.ppm,32,24,8,false,pnm,jpeg,,0.3,30,measured,"))
    #expect(lines[8].hasPrefix("sub/a.ppm,32,24,8,false,pnm,heic,,0.8,80,measured,"))
    #expect(try text("results/summary.md").contains("jpeg"))
    let second = try program.run(command, in: folder.url)
    #expect(second.status == 0)
    #expect(second.errors.contains("0 encodes in"))
    #expect(second.output == csv)
  }

  #if os(Linux)
    @Test("CPU times are as exact under a CPU limit")
    func limitedCPUTime() throws {
      try writeImage("images/a.ppm")
      let shell = BuiltProgram(URL(filePath: "/bin/bash"))
      let sweep = "images --codec jpeg --qualities 0.1...1.0 --refine off --metrics none --images none"
      let result = try shell.run(
        ["-c", "ulimit -t 600; exec \"$0\" \(sweep) --format csv", program.executable.path], in: folder.url)
      #expect(result.status == 0, "\(result.errors)")
      let rows = result.output.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      for name in ["encode_cpu_ms", "decode_cpu_ms"] {
        let column = try #require(rows.first?.firstIndex { $0 == name })
        let times = try rows.dropFirst().map { try #require(Double($0[column])) }
        #expect(times.count == 10 && times.allSatisfy { $0 > 0 }, "\(name): \(times)")
      }
    }
  #endif

  @Test("reports list x265's settings, even for a run that measures nothing")
  func settingsAsRun() throws {
    try writeImage("images/b.ppm", width: 64, height: 48)
    // x265 reports fewer settings for a gray picture, and this one comes first.
    try Data(Array("P5\n64 48\n255\n".utf8) + [UInt8](repeating: 9, count: 64 * 48)).write(
      to: folder.url.appending(path: "images/a.pgm"))
    func told(_ codecs: String...) throws -> [String: String] {
      let result = try desk.run(
        ["images", "--qualities", "0.5", "--refine", "off", "--metrics", "none", "--images", "none"]
          + codecs.flatMap { ["--codec", $0] })
      #expect(result.status == 0, "\(result.errors)")
      let json = try JSONSerialization.jsonObject(
        with: Data(run("report", "results", "--format", "json").output.utf8))
      let manifest = (json as? [String: Any])?["manifest"] as? [String: Any]
      return manifest?["settings_as_run"] as? [String: String] ?? [:]
    }
    let first = try told("heic", "heic:chroma=444", "jpeg")
    #expect(first.keys.sorted() == ["heic", "heic:chroma=444"])
    #expect(first["heic"]?.hasPrefix("Main Still Picture profile") == true, "\(first)")
    #expect(first["heic:chroma=444"]?.contains("Cb/Cr QP Offset: 6 / 6") == true, "\(first)")
    #expect(try told("heic") == first.filter { $0.key == "heic" })
    #expect(try text("results/summary.md").contains("Settings used by heic"))
    #expect(try told("jpeg") == [:])
  }

  @Test("--chroma both adds 4:4:4 where codecs have it; points of halved chroma have its bound")
  func bothChromas() throws {
    try writeImage("images/a.ppm", width: 64, height: 48)
    let result = try run(
      "images", "--codec", "jpeg", "--codec", "webp", "--codec", "jpeg:chroma=422", "--chroma", "both",
      "--qualities", "0.2,0.9", "--refine", "off", "--metrics", "ssimulacra2")
    #expect(result.status == 0, "\(result.errors)")
    let rows = try desk.rows(of: "results/measurements.csv")
    let bounds = Dictionary(grouping: rows) { $0["variant"] ?? "" }
      .mapValues { Set($0.compactMap { $0["chroma_bound_ssimulacra2"] }) }
    #expect(Set(bounds.keys) == ["jpeg", "webp", "jpeg:chroma=422", "jpeg:chroma=444"])
    #expect(bounds["jpeg:chroma=444"] == [""] && bounds["jpeg:chroma=422"] == [""])
    #expect(bounds["jpeg"] == bounds["webp"])
    let bound = try #require(bounds["jpeg"]?.first.flatMap(Double.init))
    #expect(bounds["jpeg"]?.count == 1 && bound < 100)
    // The file of the highest quality cannot score much higher.
    let best = rows.filter { $0["variant"] == "jpeg" }.compactMap { $0["ssimulacra2"].flatMap(Double.init) }
      .max()
    #expect(try #require(best) < bound + 2)
  }

  @Test("--depth both adds 10 bits where codecs have them, beside both chromas")
  func bothDepths() throws {
    try writeImage("images/a.ppm", width: 64, height: 48)
    let result = try run(
      "images", "--codec", "jpeg", "--codec", "heic:preset=ultrafast", "--codec", "jxl:effort=1", "--chroma",
      "both",
      "--depth", "both", "--qualities", "0.5", "--refine", "off", "--metrics", "ssimulacra2")
    #expect(result.status == 0, "\(result.errors)")
    let rows = try desk.rows(of: "results/measurements.csv")
    #expect(
      Set(rows.compactMap { $0["variant"] }) == [
        "jpeg", "jpeg:chroma=444", "heic:preset=ultrafast", "heic:chroma=444,preset=ultrafast",
        "heic:depth=10,preset=ultrafast", "heic:chroma=444,depth=10,preset=ultrafast", "jxl:effort=1",
        "jxl:depth=10,effort=1",
      ])
    #expect(rows.allSatisfy { $0["status"] == "measured" })
    // Pictures coded in ten bits are decoded and scored in ten bits.
    let scores = rows.compactMap { row in
      row["variant"].flatMap { name in row["ssimulacra2"].map { (name, $0) } }
    }
    let byName = Dictionary(scores, uniquingKeysWith: { first, _ in first })
    #expect(byName["jxl:effort=1"] != byName["jxl:depth=10,effort=1"])
  }

  @Test("current reports are left alone, others are written again")
  func currentReports() throws {
    try writeImage("images/a.ppm")
    let command = [
      "images", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.2,0.4,0.6,0.8", "--quiet",
    ]
    func page() throws -> Date? {
      let path = folder.url.appending(path: "results/report.html").path
      return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
    let told = try program.run(command.dropLast(), in: folder.url)
    #expect(told.status == 0 && told.output.contains("JPEG"))
    let first = try page()
    let again = try program.run(command.dropLast(), in: folder.url)
    #expect(again.status == 0 && again.output == told.output)
    #expect(try page() == first)
    // The stamp contains the answer, which is then not computed again. Only heicbench can write a valid stamp.
    let stamp = folder.url.appending(path: "results/.heicbench-reports.json")
    let stamped = try text("results/.heicbench-reports.json")
    #expect(try stamped.contains(#require(told.output.split(separator: "\n").first)))
    try Data(stamped.replacing("JPEG", with: "GEPJ").utf8).write(to: stamp)
    let refused = try program.run(command.dropLast(), in: folder.url)
    #expect(refused.status == 74 && !refused.output.contains("GEPJ"))
    try FileManager.default.removeItem(at: stamp)
    let anew = try program.run(command.dropLast(), in: folder.url)
    #expect(anew.output == told.output, "\(told.output)\n\(anew.output)\n\(anew.errors)")
    let written = try page()
    #expect(written != first)

    #expect(try program.run(command + ["--title", "Ours"], in: folder.url).status == 0)
    #expect(try text("results/report.html").contains("<title>Ours</title>"))
    let titled = try page()
    #expect(titled != written)

    let summary = folder.url.appending(path: "results/summary.md")
    try Data("scribbled over".utf8).write(to: summary)
    let changed = try program.run(command + ["--title", "Ours"], in: folder.url)
    #expect(changed.status == 74 && changed.errors.contains("has changed since heicbench wrote it"))
    #expect(try text("results/summary.md") == "scribbled over")
    try FileManager.default.removeItem(at: summary)
    #expect(try program.run(command + ["--title", "Ours"], in: folder.url).status == 0)
    #expect(try text("results/summary.md").contains("JPEG"))

    try writeImage("images/b.ppm", seed: 2)
    #expect(try program.run(command + ["--title", "Ou\u{1B}[31mrs"], in: folder.url).status == 0)
    #expect(try text("results/measurements.csv").contains("b.ppm"))
    #expect(try !text("results/summary.md").contains("\u{1B}"))
    try FileManager.default.removeItem(at: folder.url.appending(path: "images/b.ppm"))
    #expect(try program.run(command + ["--title", "Ours"], in: folder.url).status == 0)
    #expect(try !text("results/measurements.csv").contains("b.ppm"))
  }

  @Test("totals end a sweep that cannot compare scores, and come from the database alone")
  func totals() throws {
    try writeImage("images/a.ppm")
    try writeImage("images/b.ppm", seed: 2)
    let sweep = try run(
      "images", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.3,0.8", "--metrics", "none")
    #expect(sweep.status == 0, "\(sweep.errors)")
    let json = try run("report", "--format", "json")
    let schema = try JSONSchema()
    #expect(try schema.problems(of: JSONSerialization.jsonObject(with: Data(json.output.utf8))) == [])
    let totals = try run("report", "--format", "totals")
    #expect(totals.status == 0, "\(totals.errors)")
    #expect(totals.output.split(separator: "\n").count == 5)
    #expect(sweep.output.hasSuffix(totals.output))
  }

  @Test("opaque images are measured once, whether or not the other codecs support alpha")
  func pointsAreMeasuredOnce() throws {
    try writeImage("images/a.ppm")
    let options = ["--qualities", "0.4,0.8", "--metrics", "none", "--images", "none"]
    let both = try desk.run(["images", "--codec", "heic:preset=ultrafast", "--codec", "webp"] + options)
    #expect(both.status == 0 && both.errors.contains("4 encodes in"), "\(both.errors)")
    let other = try desk.run(["images", "--codec", "jpeg", "--codec", "heic:preset=ultrafast"] + options)
    #expect(
      other.errors.contains("2 encodes in") && other.errors.contains("2 already there"),
      "\(other.errors)")
    #expect(try text("results/measurements.csv").split(separator: "\n").count == 5)
  }

  @Test("an unusable image adds one row and exit code 3")
  func someFailed() throws {
    try writeImage("images/good.ppm")
    try Data("P6\n100 100\n255\nshort".utf8).write(to: folder.url.appending(path: "images/cut.ppm"))
    let result = try run("images", "--codec", "jpeg", "--qualities", "0.5", "--metrics", "none")
    #expect(result.status == 3, "\(result.errors)")
    let rows = try text("results/measurements.csv").split(separator: "\n")
    #expect(rows.count == 3)
    let failures = try run("report", "--failures")
    #expect(failures.status == 0)
    #expect(failures.output.contains("cut.ppm: "))
    #expect(failures.output.contains("heicbench images/cut.ppm --metrics none --fresh --output reproduced"))
  }

  @Test(
    "wrong usage exits with 64 and says what is allowed",
    arguments: [
      (["x", "--codec", "hiec"], "did you mean “heic”?"),
      (["x", "--codec", "heic:chroma=421"], "420, 422 or 444"),
      (["x", "--qualities", "85"], "0.85"),
      (["x", "--metrics", "psnr"], "psnr-y"),
      (["x", "--jobs", "0"], "from 1 to 1024"),
      (["x", "--shard", "5/4"], "3/16"),
      (["x", "--background", "pink"], "pink"),
      ([], "at least one image"),
      (["x", "--threshold", "total-bytes=5"], "--threshold needs --baseline"),
      (["x", "--ratchet"], "--ratchet needs --baseline"),
      (["decode", "x", "--cell", "100"], "need --gallery"),
      (["tiles", "export", "x", "y", "--address", "http://a/"], "needs --layout iiif"),
      (["thumbnails", "x", "y", "--format", "png", "--quality", "0.5"], "PNG has no quality"),
      (["codecs", "jpg"], "heicbench calls it jpeg"), (["codecs", "jpge"], "did you mean “jpeg”?"),
    ])
  func refusesWrongUsage(arguments: [String], hint: String) throws {
    let result = try program.run(arguments, in: folder.url)
    #expect(result.status == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("a codec named twice, once with its defaults, is measured once, with a message")
  func namedTwice() throws {
    try writeImage("a.ppm")
    let arguments = ["a.ppm", "--qualities", "0.5", "--metrics", "none", "--codec", "jpeg", "--codec"]
    let same = try desk.run(arguments + ["jpeg:chroma=420"])
    #expect(same.status == 0 && same.errors.contains("named twice are measured once"), "\(same.errors)")
    #expect(try text("results/measurements.csv").split(separator: "\n").count == 2)
    let last = try desk.run(arguments + ["jpeg:chroma=420", "--qualities=0.6"])
    #expect(last.errors.contains("--qualities is given more than once; the last one"), "\(last.errors)")
    #expect(!last.errors.contains("--codec is given"))
    let other = try desk.run(arguments + ["jpeg:chroma=444"])
    #expect(other.status == 0 && !other.errors.contains("twice"), "\(other.errors)")
  }

  @Test(
    "the other commands say so, too",
    arguments: [
      "decode --sizes full", "generations --generations 2 --qualities 0.5", "tiles", "convert-check --quiet",
    ])
  func namedTwice(command: String) throws {
    try writeImage("a.ppm")
    let arguments = command.split(separator: " ").map(String.init) + ["a.ppm", "--codec", "jpeg"]
    let same = try program.run(arguments + ["--codec", "jpeg:chroma=420"], in: folder.url)
    #expect(same.errors.contains("named twice are measured once"), "\(same)")
  }

  @Test("without usable input, the exit code is 66 and no results are left")
  func noInput() throws {
    let missing = try run("nowhere")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("“nowhere” does not exist"))
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "empty"), withIntermediateDirectories: true)
    #expect(try run("empty").status == 66)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["empty"])
  }

  @Test("results that cannot be written exit with 74")
  func unwritable() throws {
    try writeImage("a.ppm")
    let result = try run("a.ppm", "--output", "a.ppm/results", "--codec", "jpeg")
    #expect(result.status == 74)
    #expect(try run("report", "nowhere", "--failures").status == 74)
    #expect(try run("check", "--current", "nowhere", "--write", "baseline.csv").status == 74)
  }

  @Test("a baseline has only the deterministic columns, sorted")
  func baseline() throws {
    try writeImage("b.ppm")
    try writeImage("a.ppm", seed: 3)
    let sweep = try run(
      "b.ppm", "a.ppm", "--codec", "jpeg", "--qualities", "0.5", "--metrics", "psnr-y", "--quiet")
    #expect(sweep.status == 0)
    #expect(sweep.output.isEmpty && sweep.errors.isEmpty)
    let result = try run("check", "--write", "-")
    let lines = result.output.split(separator: "\n")
    #expect(
      lines[0]
        == "image,width,height,codec,settings,quality,status,encoded_bytes,psnr_y_db,libraries,image_sha256,origin,"
        + "build,imported_file"
    )
    #expect(lines.dropFirst().map { $0.prefix(5) } == ["a.ppm", "b.ppm"])
  }

  @Test("scores have the names of the measurements' columns")
  func score() throws {
    try writeImage("a.ppm")
    try writeImage("b.ppm", seed: 2)
    try writeImage("c.ppm", width: 8)
    let result = try run(
      "score", "a.ppm", "b.ppm", "c.ppm", "--metrics", "psnr-y,ssimulacra2", "--format", "csv")
    #expect(result.status == 3)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "reference,distorted,psnr_y_db,ssimulacra2,remarks,error")
    #expect(lines[1].hasPrefix("a.ppm,b.ppm,") && lines[1].hasSuffix(","))
    #expect(lines[2].hasPrefix("a.ppm,c.ppm,,,") && lines[2].contains("size"))
  }

  @Test("paths that are not valid text are measured, and lists are read from standard input")
  func rawPaths() throws {
    try writeImage("a.ppm")
    let script = """
      cp a.ppm "$(printf 'x\\377y.ppm')" && "$0" "$(printf 'x\\377y.ppm')" --codec jpeg --qualities 0.5 \
      --metrics none --quiet --format csv && printf 'a.ppm\\0' | "$0" --files - --codec jpeg --qualities 0.5 \
      --metrics none --quiet --format csv --output listed
      """
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script, program.executable.path]
    shell.currentDirectoryURL = folder.url
    let pipe = Pipe()
    shell.standardOutput = pipe
    try shell.run()
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(output.contains("\nx\\xffy.ppm,32,24,"))
    #expect(output.contains("\na.ppm,32,24,"))
  }

  @Test("shards add up to the whole, and an empty one is allowed")
  func shards() throws {
    for name in ["a", "b", "c"] { try writeImage("images/\(name).ppm", seed: UInt64(name.utf8.first ?? 0)) }
    var names: [String] = []
    for shard in 1...4 {
      let result = try run(
        "images", "--codec", "jpeg", "--qualities", "0.5", "--metrics", "none", "--quiet", "--format", "csv",
        "--shard", "\(shard)/4", "--output", "part\(shard)")
      #expect(result.status == 0, "\(result.errors)")
      names += result.output.split(separator: "\n").dropFirst().map { String($0.prefix(5)) }
    }
    #expect(names.sorted() == ["a.ppm", "b.ppm", "c.ppm"])
  }

  @Test("a target is searched for, and its points are not measured again")
  func target() throws {
    try writeImage("a.ppm", width: 96, height: 64)
    let command = [
      "a.ppm", "--codec", "jpeg", "--target", "psnr-y=38", "--metrics", "none", "--images", "none",
    ]
    let first = try program.run(command, in: folder.url)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.contains("Target psnr-y=38, over 1 image for which"))
    let table = try text("results/targets.csv").split(separator: "\n")
    #expect(
      table[0]
        == "image,codec,settings,target,reached,quality,native_quality,encoded_bytes,psnr_y_db,probes,build,error"
    )
    let fields = table[1].split(separator: ",", omittingEmptySubsequences: false)
    #expect(fields[4] == "true")
    #expect(try #require(Double(fields[8])) >= 38)
    let second = try program.run(command, in: folder.url)
    #expect(second.errors.contains("0 encodes in"))
    let wrong = try run("a.ppm", "--target", "psnr=38", "--output", "other")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("did you mean “psnr-y”?"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/other"))
  }

  @Test("exclusive times are listed beside those of the sweep, for the requested qualities")
  func timing() throws {
    try writeImage("a.ppm")
    let command = [
      "a.ppm", "--codec", "jpeg", "--qualities", "0.2,0.8", "--metrics", "none", "--quiet", "--format", "csv",
      "--time-qualities", "0.8", "--images", "none",
    ]
    let result = try program.run(command, in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try ProgramDesk.rows(in: result.output).map { $0["timing"] } == ["contended", "exclusive"])
    #expect(try run("a.ppm", "--qualities", "0.5", "--time-qualities", "0.6").status == 64)
  }

  @Test("--time includes the qualities of earlier runs, which the reports show, too")
  func timingOfEarlierQualities() throws {
    try writeImage("a.ppm")
    let command = ["a.ppm", "--codec", "jpeg", "--metrics", "none", "--refine", "off", "--images", "none"]
    #expect(try desk.run(command + ["--qualities", "0.2"]).status == 0)
    let result = try desk.run(command + ["--qualities", "0.8", "--time"])
    #expect(result.status == 0, "\(result.errors)")
    let timings = try desk.rows(of: "results/measurements.csv").map { $0["timing"] }
    #expect(timings == ["exclusive", "exclusive"])
  }

  @Test("an interrupt ends with 130 and keeps finished points", .timeLimit(.minutes(30)))
  func interruption() throws {
    try writeImage("images/small.ppm")
    try writeImage("images/tall.ppm", width: 1500, height: 1500)
    let arguments = [
      "images", "--codec", "jpeg", "--codec", "heic:preset=placebo", "--qualities", "0.9", "--metrics",
      "none",
      "--jobs", "1",
    ]
    let process = program.process(arguments, in: folder.url)
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    #expect(try ProcessTable.wait { try finishedPoints(in: "results") >= 2 })
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    let rows = try text("results/measurements.csv").split(separator: "\n")
    #expect((3...4).contains(rows.count))
  }

  /// How many points a results folder has so far, even while the sweep runs.
  private func finishedPoints(in name: String) throws -> Int {
    guard let store = try? ResultStore(reading: folder.path + "/" + name), let run = try store.latestRun()
    else {
      return 0
    }
    var count = 0
    try store.forEachRow(of: run.id) { _ in count += 1 }
    return count
  }

  @Test("an image that cannot be decoded is not timed")
  func unusableImagesAreNotTimed() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("images/a.ppm", width: 32, height: 24)
    try desk.write("P6 32 24 255\ntoo short", to: "images/broken.ppm")
    let result = try desk.run([
      "images", "--codec", "jpeg", "--qualities", "0.3", "--metrics", "none", "--refine", "off", "--images",
      "none", "--time", "--verbose",
    ])
    #expect(result.status == 3 && result.errors.contains("1 image unusable"), "\(result.errors)")
    #expect(result.errors.contains("TimingSummary(timed: 1, failed: 0,"), "\(result.errors)")
  }
}
