import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Sweep
@testable import Workers

@Suite struct PictureExporterTests {
  private let variant = CodecVariant(codec: "scripted", settings: ["do": "error"])
  private let quality: Quality

  init() throws { quality = try #require(Quality(thousandths: 500)) }

  @Test("Points that cannot be encoded are left out, unless their file was kept") func keptFiles() throws {
    let sweep = try ScriptedSweep()
    let entry = try #require(sweep.plan.entries.first)
    let points = [
      (variant: CodecVariant(codec: "scripted"), quality: quality), (variant: variant, quality: quality),
    ]
    let kept = EncodedFiles(folder: sweep.folder.path + "/kept")
    let without = try exporter(sweep, kept).export(entry.file, prefix: "1", points: points)
    #expect(without.pictures.mapValues(\.count) == ["scripted": 1])

    let name = EncodedFileName.path(
      image: entry.identity.name, variant: variant, quality: quality, fileExtension: "scripted")
    let file = URL(filePath: kept.folder).appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("scripted 16 16\0".utf8).write(to: file)
    let with = try exporter(sweep, kept).export(entry.file, prefix: "1", points: points)
    #expect(with.pictures.mapValues(\.count) == ["scripted": 1, variant.name: 1])
  }

  @Test("Exports side by side fit into memory together") func concurrency() throws {
    let entries = try ScriptedSweep(images: ["nothing", "nothing"], side: 1000).plan.entries
    #expect(
      PictureExporter.concurrency(for: entries.map(\.file), within: 1 << 40) == min(2, MachineCores.count))
    #expect(PictureExporter.concurrency(for: entries.map(\.file), within: 200_000_000) == 1)
    #expect(PictureExporter.concurrency(for: entries.map(\.file), within: 0) == 1)
    #expect(PictureExporter.concurrency(for: [], within: .max) == 1)
  }

  @Test("An image that was edited since has no pictures") func editedImage() throws {
    let sweep = try ScriptedSweep()
    let entry = try #require(sweep.plan.entries.first)
    try Data("TINY".utf8).write(to: URL(filePath: String(decoding: entry.path, as: UTF8.self)))
    #expect(throws: Failure.self) { try exporter(sweep, nil).export(entry.file, prefix: "1", points: []) }
  }

  @Test("Only what fits is kept", arguments: [(8, true), (40_000, false)])
  func size(_ side: Int, _ fits: Bool) throws {
    var sweep = try ScriptedSweep()
    sweep.plan.entries = sweep.plan.entries.map { entry in
      CorpusEntry(
        identity: entry.identity, path: entry.path, fileBytes: entry.fileBytes,
        header: ImageHeader(
          format: "tiny", width: side, height: side, bitDepth: 8, layout: .rgb, isLossy: false))
    }
    #expect(EncodedFiles.areFew(pixels: sweep.plan.pixelCount) == fits)
  }

  private func exporter(_ sweep: ScriptedSweep, _ kept: EncodedFiles?) -> PictureExporter {
    PictureExporter(
      registry: .scripted, preparation: Preparation(), encoded: kept, folder: sweep.folder.path + "/pictures")
  }
}
