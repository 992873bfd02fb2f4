import CodecKit
import Model
import TestSupport
import Testing

@testable import Codecs
@testable import Reports

/// Commands that reports print are run as printed, and must make the measured files.
struct PrintedCommandTests {
  private static let image = SyntheticImage.waves(width: 131, height: 77)

  /// Our file, and the printed command's file of the same picture.
  private func files(_ spelling: String, native: Int) throws -> (ours: [UInt8], printed: [UInt8]) {
    let (image, registry) = (try #require(Self.image), CodecRegistry.standard)
    let variant = try registry.variant(spelling)
    let command = try #require(SettingColumns.command(variant, quality: Double(native) / 100))
    let words = command.split(separator: " ").map(String.init)
    let ours = try registry.encode(image, spelling, native: native)
    if words[0] == "cjpeg" { return (ours, try CJPEGTool.encode(image, Array(words.dropFirst()))) }
    let output = "out.\(try #require(registry.codec(variant.codec)).traits.fileExtension)"
    let printed = try OutsideTool(words[0]).output(
      of: PNGWriter().write(image), named: "in.png", as: output, words.dropFirst() + ["{in}", "-o", "{out}"])
    return (ours, printed)
  }

  @Test(
    .enabled(if: CJPEGTool.path != nil, "SKIPPED: cjpeg is not installed"),
    arguments: ["jpeg", "jpeg:chroma=444", "jpeg:progressive", "jpeg:optimise"], [1, 10, 24, 25, 80])
  func cjpeg(spelling: String, native: Int) throws {
    let files = try files(spelling, native: native)
    #expect(files.ours == files.printed)
  }

  /// Later versions of heif-enc add a colour box.
  @Test(
    .enabled(
      if: OutsideTool("heif-enc").path != nil && CodecRegistry.standard.hasLibheif115,
      "SKIPPED: heif-enc 1.15 is not installed"),
    arguments: [
      "heic", "heic:preset=fast", "heic:chroma-offset=-3", "heic:chroma=444,chroma-offset=2",
      "heic:x265:aq-mode=3",
      "avif", "avif:speed=8",
    ])
  func heifEnc(spelling: String) throws {
    let files = try files(spelling, native: 52)
    #expect(files.ours == files.printed)
  }

  @Test(
    .enabled(
      if: OutsideTool("cwebp").path != nil && OpenedLibrary.webP.absence == nil,
      "SKIPPED: cwebp is not installed"),
    arguments: ["webp", "webp:method=6"])
  func cwebp(spelling: String) throws {
    let files = try files(spelling, native: 75)
    #expect(files.ours == files.printed)
  }
}
