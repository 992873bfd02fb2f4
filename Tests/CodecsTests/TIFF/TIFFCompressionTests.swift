import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Files that libtiff's own program compresses keep the same pixels.
@Suite struct TIFFCompressionTests {
  private typealias Tests = TIFFReaderTests
  private static let tiffcp = OutsideTool("tiffcp")
  static let isPresent = tiffcp.path != nil
  static let reason: Comment = "without libtiff's tiffcp (scripts/setup --tests)"

  private func converted(_ file: [UInt8], _ arguments: [String]) throws -> [UInt8] {
    try Self.tiffcp.output(of: file, named: "in.tif", as: "out.tif", arguments + ["{in}", "{out}"])
  }

  @Test(
    .enabled(if: isPresent, reason),
    arguments: [
      "-c lzw", "-c lzw:2", "-c zip", "-c zip:2", "-c packbits", "-c none -8", "-c zip -t -w 32 -l 16",
      "-c lzw:2 -p separate",
      "-c zip -p separate -t -w 16 -l 16", "-c lzw -B", "-c zip:2 -8 -L",
    ])
  func losslessCompressionsKeepColours(options: String) throws {
    // tiffcp makes separate planes only for 8 bits.
    for bits in options.contains("separate") ? [8] : [8, 16] {
      let page = Tests.page(83, 61, channels: 3, bits: bits, photometric: 2)
      let file = try converted(TIFFFile.file(page), options.split(separator: " ").map(String.init))
      let source = try Tests.read(file)
      #expect(Tests.values(source.image) == page.samples && source.notes.isEmpty)
    }
  }

  @Test(
    .enabled(if: isPresent, reason),
    arguments: ["-c g3", "-c g3:2d", "-c g4", "-c g4 -f lsb2msb", "-c g4 -r 7"])
  func faxKeepsBits(options: String) throws {
    for photometric in [0, 1] {
      let page = Tests.page(83, 61, channels: 1, bits: 1, photometric: photometric)
      let file = try converted(TIFFFile.file(page), options.split(separator: " ").map(String.init))
      let plain = try Tests.read(TIFFFile.file(page)).image
      #expect(try Tests.read(file).image == plain)
    }
  }

  @Test(
    .enabled(if: isPresent, reason), arguments: ["-c jpeg:r:95", "-c jpeg:95", "-c jpeg:95 -t -w 32 -l 32"])
  func jpegInsideIsNear(options: String) throws {
    var page = TIFFFile.Page(
      width: 64, height: 64, samples: (0..<64 * 64 * 3).map { $0 / 3 % 64 * 2 + $0 / 192 }, photometric: 2)
    page.rowsPerStrip = 16
    let file = try converted(TIFFFile.file(page), options.split(separator: " ").map(String.init))
    let source = try Tests.read(file)
    let worst = zip(Tests.values(source.image), page.samples).map { abs($0 - $1) }.max() ?? 255
    #expect(worst <= 6 && source.notes.isEmpty)
    #expect(try TIFFReader().header(of: file).isLossy)
    // Part of the scan is missing.
    let directory = try TIFFPicture(TIFFBytes(file), mayBeCut: false).directory
    let start = try #require(
      directory.numbers(directory.has(.tileOffsets) ? .tileOffsets : .stripOffsets).first)
    var broken = file
    broken.replaceSubrange(start + 20..<start + 60, with: repeatElement(0, count: 40))
    #expect(throws: CodecError.self) { try Tests.read(broken) }
  }
}
