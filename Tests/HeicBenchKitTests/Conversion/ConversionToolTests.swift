import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

@testable import HeicBenchKit

/// What the codecs' own programs keep. Each runs once with a file of each format, so the test notices a later release
/// that keeps or opens more.
struct ConversionToolTests {
  enum Source: String, CaseIterable {
    case jpeg, png, textPNG, webp, jxl, pam, ppm, heic, avif, tiff

    func file() throws -> EverythingFile {
      switch self {
      case .jpeg: try .jpeg()
      case .png: try .png(isText: false)
      case .textPNG: try .png(isText: true)
      case .webp: try .webp()
      case .jxl: try .jxl()
      case .pam: try .pnm()
      case .ppm: try .ppm()
      case .heic, .avif: try .heif(rawValue)
      case .tiff: try .tiff()
      }
    }
  }

  /// A tool as a separate line, with the extension of its files.
  struct Line: Sendable, CustomStringConvertible {
    let tool: ConversionTool
    let ending: String
    let arguments: [String]
    var description: String { "\(tool.name) to \(ending)" }
  }

  static let lines = [
    Line(tool: .heifEnc, ending: "heic", arguments: ["-q", "50", "{in}", "-o", "{out}"]),
    Line(tool: .heifEncToAVIF, ending: "avif", arguments: ["-A", "-q", "50", "{in}", "-o", "{out}"]),
    Line(tool: .cwebp, ending: "webp", arguments: ["-q", "80", "-metadata", "all", "{in}", "-o", "{out}"]),
    Line(tool: .cjxl, ending: "jxl", arguments: ["-q", "80", "--lossless_jpeg=0", "{in}", "{out}"]),
    Line(tool: .heifConvert, ending: "jpg", arguments: ["-q", "80", "{in}", "{out}"]),
    Line(tool: .cjpeg, ending: "jpg", arguments: ["-quality", "80", "-outfile", "{out}", "{in}"]),
  ].filter { OutsideTool($0.tool.name).path != nil && OutsideTool("heif-enc").path != nil }

  private static let missing = ConversionTool.all.map(\.name).filter { OutsideTool($0).path == nil }

  @Test(.enabled(if: missing.isEmpty, "SKIPPED: needs \(missing.joined(separator: ", "))"))
  func allToolsAreHere() { #expect(Self.missing.isEmpty) }

  /// The contents of a converted file, including the profile that JPEG XL has in its codestream.
  private func contents(_ bytes: [UInt8]) throws -> FileContents {
    let reader = try #require(CodecRegistry.standard.reader(for: bytes))
    var contents = try reader.contents(of: bytes)
    if try reader.header(of: bytes).format == "jxl",
      try reader.read(bytes, limits: ReadLimits()).image.profile != .sRGB
    {
      contents.add(.icc, bytes: 1)
    }
    return contents
  }

  @Test(arguments: lines, Source.allCases) func whatIsKept(line: Line, source: Source) throws {
    let file = try source.file()
    // PAM is the one kind of PNM that cjpeg does not open.
    var opens = line.tool.opens(file.format) && (line.tool != .cjpeg || source == .ppm)
    if source == .textPNG, line.tool.fate(of: .deepSamples, from: file.format) == .fails { opens = false }
    let made = try? OutsideTool(line.tool.name).output(
      of: file.bytes, named: "in.\(file.ending)", as: "out.\(line.ending)", line.arguments)
    #expect((made != nil) == opens)
    if let made, CodecRegistry.standard.reader(for: file.bytes) != nil {
      try expectKept(line, of: file, in: made)
    }
  }

  private func expectKept(_ line: Line, of file: EverythingFile, in made: [UInt8]) throws {
    let (before, after) = (try contents(file.bytes), try contents(made))
    var kept = Set(
      before.shares.keys.filter { line.tool.fate(of: $0, from: file.format).isKept })
    // Metadata that were spelled as text become real metadata.
    if kept.remove(.textMetadata) != nil { kept.formUnion([.exif, .exifThumbnail, .xmp]) }
    #expect(Set(after.shares.keys) == kept)
    let counted = line.tool.keptBytes(of: before, from: file.format, hasOwnProfile: true)
    let found = [.exif, .exifThumbnail, .xmp].map(after.plainBytes(of:)).reduce(0, +)
    #expect(abs(counted - found) <= 100, "\(counted) bytes for \(found)")
  }

  @Test(
    "cjxl packs a JPEG losslessly unless told otherwise, whatever the quality",
    .enabled(if: OutsideTool("djxl").path != nil, "SKIPPED: needs cjxl and djxl (package libjxl-tools)"))
  func cjxlPacksJPEG() throws {
    let file = try EverythingFile.jpeg()
    let packed = try OutsideTool("cjxl").output(
      of: file.bytes, named: "in.jpg", as: "out.jxl", ["-q", "50", "{in}", "{out}"])
    let back = try OutsideTool("djxl").output(of: packed, named: "in.jxl", as: "out.jpg", ["{in}", "{out}"])
    #expect(back == file.bytes)
    #expect(ConversionTool.recompression.fate(of: .gainMap, from: "jpeg") == .kept)
  }
}
