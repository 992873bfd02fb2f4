import CodecKit
import Codecs
import Foundation
import TestSupport
import Testing

/// `--codec jxl:recompress=true` as users run it.
@Suite(
  .enabled(if: CodecRegistry.standard.codec("jxl")?.traits.absence == nil, "SKIPPED: libjxl is not there"))
struct RecompressionProgramTests {
  @Test func aSweepPacksJPEGFilesAndNothingElse() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("raw/a.ppm", width: 160, height: 120)
    let make = try desk.run([
      "raw", "--codec", "jpeg", "--qualities", "0.9", "--refine", "off", "--metrics", "none", "--images",
      "none",
      "--keep-encoded", "kept", "--output", "made", "--quiet",
    ])
    #expect(make.status == 0, "\(make.errors)")
    let made = try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path + "/kept")
      .first { $0.hasSuffix(".jpg") }
    let jpeg = desk.folder.path + "/kept/" + (try #require(made))
    try FileManager.default.createDirectory(
      atPath: desk.folder.path + "/photos", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: jpeg, toPath: desk.folder.path + "/photos/a.jpg")
    try desk.writeImage("photos/b.ppm", width: 160, height: 120)
    let result = try desk.run([
      "photos", "--codec", "jxl:recompress=true", "--qualities", "0.5", "--refine", "off", "--images", "none",
      "--format", "csv",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let rows = try ProgramDesk.rows(in: result.output)
    let packed = try #require(rows.first { $0["image"] == "a.jpg" })
    #expect(packed["status"] == "measured" && packed["ssimulacra2"]?.hasPrefix("100") == true)
    let bytes = try #require(packed["encoded_bytes"].flatMap(Int.init))
    #expect(bytes < (packed["source_bytes"].flatMap(Int.init) ?? 0))
    let other = try #require(rows.first { $0["image"] == "b.ppm" })
    #expect(other["status"] == "unsupported")
    #expect(other["error"]?.contains("only unchanged JPEG files can be recompressed") == true)
  }
}
