import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Rows that are read a few at a time equal those of the file decoded as a whole, and faults in the file are still
/// found.
struct RowReaderTests {
  private let limits = ReadLimits()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func begin(
    _ reader: any ImageReader, _ file: [UInt8], limits: ReadLimits = ReadLimits()
  ) throws -> (any RowReader)? {
    let path = folder.path + "/file"
    try ScratchFile.write(file, to: path)
    return try reader.rows(
      of: try FileMapping(try FileSystem.open(Array(path.utf8))), limits: limits)
  }

  /// Searching for a gain map loads the whole file into memory, which an export row by row avoids.
  @Test func formatsWithoutAPlaceForGainMapsAreNotSearchedForThem() {
    let without: [any ImageReader] = [PNGReader(), TIFFReader(), PNMReader(), WebPReader()]
    for reader in without { #expect(!reader.mayHaveGainMap([]), "\(reader.formats)") }
    let with: [any ImageReader] = [JPEGReader(), HEIFReader(), JPEGXLReader()]
    for reader in with { #expect(reader.mayHaveGainMap([]), "\(reader.formats)") }
  }

  /// All rows, `step` at a time.
  private func rows(_ reader: any ImageReader, _ file: [UInt8], step: Int) throws -> RasterImage {
    let rows = try #require(try begin(reader, file))
    let layout = rows.layout
    var canvas: RasterCanvas?
    for y in stride(from: 0, to: layout.height, by: step) {
      let part = try rows.next(min(step, layout.height - y))
      if canvas == nil { canvas = RasterCanvas(width: layout.width, height: layout.height, like: part) }
      let all = PixelRegion(x: 0, y: 0, width: part.width, height: part.height)
      #expect(canvas?.paste(part, from: all, x: 0, y: y) == true)
    }
    #expect(throws: CodecError.self) { try rows.next(1) }
    return try #require(canvas?.image)
  }

  private func jpeg(_ image: RasterImage, _ spelling: String) throws -> [UInt8] {
    let codec = JPEGCodec()
    let variant = try CodecRegistry.standard.variant(spelling)
    return try codec.encode(
      image, EncodeSettings(variant: variant, quality: 0.8, traits: codec.traits))
  }

  @Test(arguments: ["jpeg", "jpeg:progressive=true", "jpeg:chroma=444"], [ChannelLayout.rgb, .gray])
  func readsRowsOfJPEG(spelling: String, layout: ChannelLayout) throws {
    let image = try #require(SyntheticImage.waves(width: 83, height: 131, layout: layout))
    let file = try jpeg(image, spelling)
    let whole = try JPEGReader().read(file, limits: limits).image
    for step in [1, 7, 64, 131] { #expect(try rows(JPEGReader(), file, step: step) == whole) }
  }

  /// libjpeg passes over three bytes that belong to no segment.
  @Test func repairedJPEGIsRemarkedOn() throws {
    let image = try #require(SyntheticImage.waves(width: 83, height: 131))
    var file = try jpeg(image, "jpeg")
    #expect(try remarks(JPEGReader(), file).isEmpty)
    file.insert(contentsOf: [1, 2, 3], at: 2)
    let notes = try JPEGReader().read(file, limits: limits).notes
    #expect(try remarks(JPEGReader(), file) == notes && notes.count == 1)
  }

  private func remarks(_ reader: any ImageReader, _ file: [UInt8]) throws -> [String] {
    let rows = try #require(try begin(reader, file))
    _ = try rows.next(rows.layout.height)
    return rows.layout.notes + rows.remarks
  }

  @Test func brokenJPEGIsRefused() throws {
    let image = try #require(SyntheticImage.waves(width: 200, height: 300))
    let file = try jpeg(image, "jpeg")
    for part in [file.count / 10, file.count / 2, file.count - 3] {
      let cut = Array(file.prefix(part))
      #expect(throws: CodecError.self) { try JPEGReader().read(cut, limits: limits) }
      #expect(throws: CodecError.self) { try rows(JPEGReader(), cut, step: 16) }
    }
  }

  @Test(arguments: ChannelLayout.allCases, [8, 16])
  func readsRowsOfPNG(layout: ChannelLayout, depth: Int) throws {
    let image = try #require(
      SyntheticImage.waves(width: 300, height: 700, layout: layout, bitDepth: depth))
    let file = try PNGWriter().write(image)
    for step in [1, 9, 256, 700] { #expect(try rows(PNGReader(), file, step: step) == image) }
    // A chunk that libpng forgives shows up after the last row, so libpng reads the rows before it again.
    let end = PNGFile.chunk("IEND", [])
    let odd = file.dropLast(end.count) + PNGFile.chunk("teSt", [1], breakingChecksum: true) + end
    #expect(try rows(PNGReader(), Array(odd), step: 50) == image)
  }

  @Test func brokenPNGIsRefused() throws {
    let image = try #require(SyntheticImage.waves(width: 400, height: 500))
    let file = try PNGWriter().write(image)
    var generator = SeededGenerator(seed: 3)
    for round in 0..<40 {
      var broken = file
      if round % 2 == 0 {
        broken = Array(file.prefix(.random(in: 60..<file.count - 12, using: &generator)))
      } else {
        broken[.random(in: 60..<file.count - 12, using: &generator)] ^= 16
      }
      let whole = try? PNGReader().read(broken, limits: limits).image
      let parts = try? rows(PNGReader(), broken, step: 33)
      #expect(whole == nil && parts == nil)
    }
  }

  @Test func readsRowsOfTIFF() throws {
    for isSeparate in [false, true] {
      for tile in [nil, (16, 32)] as [(width: Int, height: Int)?] {
        var page = TIFFReaderTests.page(83, 131, channels: 4, photometric: 2)
        (page.isSeparate, page.tile, page.rowsPerStrip, page.isPackBits) = (isSeparate, tile, 19, true)
        let file = TIFFFile.file(page)
        let whole = try TIFFReader().read(file, limits: limits).image
        for step in [1, 7, 64, 131] { #expect(try rows(TIFFReader(), file, step: step) == whole) }
      }
    }
  }

  @Test func brokenTIFFIsRefused() throws {
    var page = TIFFReaderTests.page(83, 131, channels: 3, photometric: 2)
    page.rowsPerStrip = 20
    page.isPackBits = true
    // The strip has too little data.
    page.tags[279] = .longs(TIFFFile.sizes(of: page).enumerated().map { $0 == 3 ? 1 : $1 })
    let file = TIFFFile.file(page)
    #expect(throws: CodecError.self) { try TIFFReader().read(file, limits: limits) }
    #expect(throws: CodecError.self) { try rows(TIFFReader(), file, step: 16) }
  }

  @Test func filesWithoutRowsHaveNone() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 20))
    let file = try PNGWriter().write(image)
    // IHDR's last byte says that the file is interlaced.
    let header = Array(file[16..<28]) + [1]
    let interlaced = file.prefix(8) + PNGFile.chunk("IHDR", header) + file.dropFirst(33)
    #expect(try begin(PNGReader(), Array(interlaced)) == nil)
    #expect(try begin(PNGReader(), PNGFile.with([("cICP", [1, 13, 0, 0])])) == nil)
    #expect(try begin(HEIFReader(), file) == nil)
    #expect(throws: CodecError.self) {
      try begin(PNGReader(), file, limits: ReadLimits(maximumPixels: 399))
    }
  }
}
