import CodecKit
import Foundation
import Model
import Pixels
import Reports
import Store
import Synchronization
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct PictureExporterTests {
  private let variant = CodecVariant(codec: "scripted", settings: ["do": "error"])
  private let quality: Quality

  init() throws { quality = try #require(Quality(thousandths: 500)) }

  @Test("Points that cannot be encoded are left out, unless their file was kept") func keptFiles() throws {
    let sweep = try ScriptedSweep()
    let entry = try #require(sweep.plan.entries.first)
    let kept = EncodedFiles(folder: sweep.folder.path + "/kept")
    let image = PictureExporter.Image(
      file: entry.file,
      points: [CodecVariant(codec: "scripted"), variant].map { point($0, of: entry, kept) })
    let without = try #require(try exporter(sweep).export([image], into: target(sweep)).first).get()
    #expect(without.pictures.mapValues(\.count) == ["scripted": 1])
    #expect(without.reference == "1-reference.png")
    #expect(without.thumbnail == "1-thumbnail.png")

    let name = EncodedFileName.path(
      image: entry.identity.name, variant: variant, quality: quality, fileExtension: "scripted")
    let file = URL(filePath: kept.folder).appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("scripted 16 16\0".utf8).write(to: file)
    let with = try #require(try exporter(sweep).export([image], into: target(sweep)).first).get()
    #expect(with.pictures == ["scripted": ["0.5": "1-0.png"], variant.name: ["0.5": "1-1.png"]])
  }

  @Test("An edited image has no pictures, and one that kills its worker loses only its own")
  func unusableImages() throws {
    let sweep = try ScriptedSweep(images: ["nothing", "crash", "nothing"])
    let edited = try #require(sweep.plan.entries.first)
    try Data("TINY".utf8).write(to: URL(filePath: String(decoding: edited.path, as: UTF8.self)))
    let made = try exporter(sweep).export(
      sweep.plan.entries.map {
        PictureExporter.Image(file: $0.file, points: [point(CodecVariant(codec: "scripted"), of: $0)])
      }, into: target(sweep))
    #expect(made.map { (try? $0.get().pictures.count) ?? 0 } == [0, 0, 1])
  }

  @Test("Pictures can be cancelled like any work", .timeLimit(.minutes(30))) func cancellation() throws {
    var sweep = try ScriptedSweep(images: ["hang", "hang"])
    let program = try ScriptedWorker.copy(in: sweep.folder)
    sweep.configuration.workerExecutable = program
    let exporter = exporter(sweep)
    let canceller = Thread {
      _ = ProcessTable.wait { ProcessTable.running(program).count == 2 }
      exporter.cancel()
    }
    canceller.start()
    #expect(throws: CancellationError.self) {
      try exporter.export(
        sweep.plan.entries.map { PictureExporter.Image(file: $0.file, points: []) }, into: target(sweep))
    }
    #expect(ProcessTable.wait { ProcessTable.running(program).isEmpty })
  }

  @Test(
    "Pictures drawn during the measurement are shown, and match those drawn later",
    arguments: [PointDrawing.dear, .all])
  func drawnBefore(_ drawing: PointDrawing) throws {
    var sweep = try ScriptedSweep(images: ["nothing", "nothing"], qualities: "0.5", side: 64)
    sweep.plan.metrics = ["ssimulacra2"]
    let kept = EncodedFiles(folder: sweep.folder.path + "/kept")
    try FileManager.default.createDirectory(atPath: kept.folder, withIntermediateDirectories: true)
    sweep.configuration.keepFolder = kept.folder
    let runner = SweepRunner(
      plan: sweep.plan, configuration: sweep.configuration, sink: sweep.sink, finished: sweep.sink,
      drawing: drawing)
    #expect(try runner.run().measured == 2)
    let scripted = CodecVariant(codec: "scripted")
    let names = try sweep.plan.entries.map {
      try #require(
        kept.path(image: $0.identity.name, variant: scripted, quality: quality, registry: .scripted))
    }
    let drawn = [".png", "-map.png"].filter { FileManager.default.fileExists(atPath: names[0] + $0) }
    // The codec decodes pixels in no time.
    #expect(drawn == (drawing == .all ? [".png", "-map.png"] : ["-map.png"]))
    // Pictures that were not drawn, as after an interrupted run.
    for name in drawn { try FileManager.default.removeItem(atPath: names[1] + name) }

    func images(_ kept: EncodedFiles?) -> [PictureExporter.Image] {
      sweep.plan.entries.map { .init(file: $0.file, points: [point(scripted, of: $0, kept)]) }
    }
    _ = try exporter(sweep).export(images(nil), into: target(sweep))
    let pictures = sweep.folder.path + "/pictures/"
    let files = ["1-0.png", "1-0-map.png", "2-0.png", "2-0-map.png"]
    let later = try files.map { try Data(contentsOf: URL(filePath: pictures + $0)) }
    // Nothing can be drawn from this file, so the pictures shown were drawn earlier.
    if drawing == .all { try Data("broken".utf8).write(to: URL(filePath: names[0])) }
    let made = try exporter(sweep).export(images(kept), into: target(sweep)).map { try $0.get() }
    #expect(made.map(\.pictures) == [["scripted": ["0.5": "1-0.png"]], ["scripted": ["0.5": "2-0.png"]]])
    #expect(made.map(\.maps) == [["scripted": ["0.5": "1-0-map.png"]], ["scripted": ["0.5": "2-0-map.png"]]])
    #expect(try files.map { try Data(contentsOf: URL(filePath: pictures + $0)) } == later)
  }

  @Test("A picture that cannot be written, as on a full disk, is named") func unwritable() throws {
    let sweep = try ScriptedSweep()
    let entry = try #require(sweep.plan.entries.first)
    let error = #expect(throws: OutputError.self) {
      try exporter(sweep).export(
        [.init(file: entry.file, points: [])], into: sweep.folder.url.appending(path: "missing"))
    }
    #expect(error?.operation == "write")
    #expect(error.flatMap { HeicBenchError($0)?.kind } == .resultsUnusable)
  }

  @Test("Half a picture is made again") func halfPicture() throws {
    let folder = try TemporaryFolder()
    let pictures = PointPictures(beside: folder.path + "/file")
    func taken() -> Set<RenderQuestion.Product> { pictures.move { "\(folder.path)/taken-\($0)" } }
    #expect(taken() == [])
    try Data().write(to: URL(filePath: folder.path + "/file.png"))
    #expect(taken() == [])
    pictures.write(.picture) { Array("picture".utf8) }
    pictures.write(.errorMap) { throw Failure(kind: .limit, message: "no room") }
    #expect(taken() == [.picture])
    pictures.write(.errorMap) { nil }
    #expect(taken() == [])
  }

  @Test("Pixels are drawn at once if decoding took longer than packing them")
  func dearPixels() throws {
    let image = try #require(SyntheticImage.waves(width: 100, height: 10))
    func isDrawn(_ drawing: PointDrawing, _ nanoseconds: Int64) -> Bool {
      drawing.includesPixels(
        image, decode: TimingSample(wallNanoseconds: 1, cpuNanoseconds: nanoseconds))
    }
    #expect(isDrawn(.dear, 80_000) && !isDrawn(.dear, 6_000))
    #expect(isDrawn(.all, 0) && !isDrawn(.nothing, 80_000))
    #expect(!PointDrawing.dear.includesPixels(image, decode: nil))
  }

  @Test("Only pictures that fit are kept", arguments: [(8, true), (40_000, false)])
  func size(_ side: Int, _ fits: Bool) throws {
    var sweep = try ScriptedSweep()
    sweep.plan.entries = sweep.plan.entries.map { entry in
      CorpusEntry(
        identity: entry.identity, path: entry.path, fileBytes: entry.fileBytes,
        header: ImageHeader(
          format: "tiny", width: side, height: side, bitDepth: 8, layout: .rgb, isLossy: false))
    }
    #expect(EncodedFiles.areFew(pixels: sweep.plan.pixelCount) == fits)
    #expect(EncodedFiles.areFew(drawnPixels: sweep.plan.pixelCount) == fits)
  }

  private func exporter(_ sweep: ScriptedSweep) -> PictureExporter {
    PictureExporter(sweep.configuration, preparation: Preparation())
  }

  private func point(
    _ variant: CodecVariant, of entry: CorpusEntry, _ kept: EncodedFiles? = nil
  ) -> PictureExporter.Point {
    let path = kept?.path(
      image: entry.identity.name, variant: variant, quality: quality, registry: .scripted)
    return .init(
      variant: variant, label: "\(quality)", subject: .encoded(variant, quality, kept: path))
  }

  private func target(_ sweep: ScriptedSweep) throws -> URL {
    let folder = sweep.folder.url.appending(path: "pictures")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
