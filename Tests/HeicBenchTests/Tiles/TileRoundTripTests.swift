import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Tiles that are taken out of a file and put together again: the round trip of docs/tiles.md.
struct TileRoundTripTests {
  private let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private func picture(_ name: String) throws -> RasterImage {
    try HEICCodec().decode([UInt8](try desk.data(name)))
  }

  /// A picture in tiles of 64 pixels that is rotated for display.
  private func turnedFile(_ turns: [Orientation]) throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: 150, height: 100))
    let variant = try CodecRegistry.standard.variant("heic:preset=ultrafast,grid=64")
    let file = try HEICCodec().encode(
      image, EncodeSettings(variant: variant, quality: 0.5, traits: HEICCodec().traits))
    let grid = try HEIFGrid(HEIFFileInfo(file, maximumPixels: 1_000_000))
    let tiles = try (0..<grid.rows).flatMap { row in
      try (0..<grid.columns).map { try #require(grid.tile(column: $0, row: row)) }
    }
    return try HEIFGridFile(tiles, columns: grid.columns, width: 150, height: 100, turns: turns).bytes
  }

  /// The folder of the largest level.
  private func largest(_ layout: String, in folder: String = "out") throws -> String {
    let levels = "\(folder)/\(layout == "dzi" ? "photo_files" : "photo")"
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(desk.folder.path)/\(levels)")
    return "\(levels)/\(try #require(names.compactMap { Int($0) }.max()))"
  }

  /// `options` say how smaller levels are encoded, which this does not check.
  private func check(
    _ file: [UInt8], _ layout: String, _ options: [String] = ["--codec", "heic:preset=ultrafast"]
  ) throws {
    try Data(file).write(to: desk.folder.url.appending(path: "photo.heic"))
    let export = try desk.run(
      ["tiles", "export", "photo.heic", "out", "--rewrap", "--layout", layout] + options)
    #expect(export.status == 0, "\(export.errors)")
    let pack = try desk.run(["tiles", "pack", try largest(layout), "again.heic"])
    #expect(pack.status == 0, "\(pack.errors)")
    let isSame = try picture("again.heic") == picture("photo.heic")
    #expect(isSame)
    // The folder may be moved.
    try FileManager.default.moveItem(
      atPath: desk.folder.path + "/out", toPath: desk.folder.path + "/moved")
    let moved = try largest(layout, in: "moved")
    #expect(try desk.run(["tiles", "pack", moved, "moved.heic"]).status == 0)
    #expect(try desk.data("moved.heic") == desk.data("again.heic"))
  }

  @Test(arguments: [[Orientation.right], [.left], [.down], [.up], [.left, .upMirrored]], ["dzi", "names"])
  func turnedPicturesComeBack(turns: [Orientation], layout: String) throws {
    try check(try turnedFile(turns), layout)
  }

  @Test(
    .enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)),
    arguments: ["device/arrow.heic", "device/IMG_2927.HEIC", "device/Issue_437_dotnet.heic"])
  func phonesPicturesComeBack(file: String) throws {
    try check(try SharedFolder.bytes("inputs/\(file)"), "dzi", ["--base-only"])
  }
}
