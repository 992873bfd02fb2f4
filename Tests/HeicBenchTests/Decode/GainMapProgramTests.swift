import Foundation
import TestSupport
import Testing

/// Files with a gain map, as `decode` and `import` show them.
struct GainMapProgramTests {
  /// A picture as JPEG.
  private func jpeg(_ desk: ProgramDesk, _ name: String, width: Int, height: Int) throws -> [UInt8] {
    try desk.writeImage("\(name).ppm", width: width, height: height)
    let made = try desk.run(["thumbnails", "\(name).ppm", "files", "--size", "512"])
    #expect(made.status == 0, "\(made.errors)")
    return [UInt8](try desk.data("files/\(name).ppm.jpg"))
  }

  /// A map of a quarter of the base's size, with the parameters of Ultra HDR.
  private func file(_ desk: ProgramDesk) throws -> (bytes: [UInt8], base: Int, map: Int, metadata: Int) {
    let (base, map) = (
      try jpeg(desk, "base", width: 240, height: 160), try jpeg(desk, "map", width: 60, height: 40)
    )
    let text =
      "http://ns.adobe.com/xap/1.0/\0<x hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2.5\" hdrgm:HDRCapacityMax=\"2.5\"/>"
    let segment = [0xFF, 0xE1, 0, UInt8(text.utf8.count + 2)] + Array(text.utf8)
    return (base + map.prefix(2) + segment + map.dropFirst(2), base.count, map.count, segment.count)
  }

  @Test func partsAndScoresOfAFileAreReported() throws {
    let desk = try ProgramDesk()
    let (bytes, base, map, metadata) = try file(desk)
    let folder = desk.folder.url
    try FileManager.default.createDirectory(
      at: folder.appending(path: "phone"), withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appending(path: "phone/a.jpg"))
    let row: [UInt8] = (0..<240).flatMap { (x: Int) -> [UInt8] in
      [UInt8](repeating: UInt8(60 + x / 2), count: 3)
    }
    let light = [UInt8]([[UInt8]](repeating: row, count: 160).joined())
    try Data(PNGFile.pq(width: 240, height: 160, rgb: light)).write(to: folder.appending(path: "a.png"))
    let decode = [
      "decode", "phone", "--sizes", "full", "--region", "none", "--repeat", "1", "--images", "none",
    ]
    #expect(try desk.run(decode).status == 0)
    let plain = try #require(try parts(desk).first)
    #expect(plain["pictures"] as? [String] == [])
    // A second call has an original to score against.
    let result = try desk.run(decode + ["--hdr-original", "."])
    #expect(result.status == 0, "\(result.errors)")
    let found = try #require(try parts(desk).first)
    #expect(found["metadata"] as? [String] == ["Ultra HDR"])
    #expect(found["base_bytes"] as? Int == base && found["map_bytes"] as? Int == map)
    #expect(found["map_metadata_bytes"] as? Int == metadata)
    #expect(found["map_width"] as? Int == 60 && found["map_height"] as? Int == 40)
    #expect(found["map_scale"] as? Double == 4 && found["headroom"] as? Double == 2.5)
    let pictures = try #require(found["pictures"] as? [[String: Any]])
    #expect(pictures.compactMap { $0["headroom"] as? Double } == [0, 1, 2, 2.5])
    let scores = pictures.compactMap { $0["pu21_psnr_db"] as? Double }
    #expect(scores.count == 4 && Set(scores).count == 4)
    #expect(try desk.text("results/decode.md").contains("## Gain maps"))
    let read = try desk.rows(of: "results/decodes.csv").first { $0["route"] == "gain-map" }
    #expect(read?["status"] == "measured" && read?["delivered_width"] == "240")
  }

  private func parts(_ desk: ProgramDesk) throws -> [[String: Any]] {
    let json = try JSONSerialization.jsonObject(with: Data(desk.text("results/decode.json").utf8))
    return try #require((json as? [String: Any])?["gain_maps"] as? [[String: Any]])
  }

  @Test func importListsTheParts() throws {
    let desk = try ProgramDesk()
    let bytes = try file(desk).bytes
    let folder = desk.folder.url
    for name in ["phone", "originals"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      at: folder.appending(path: "base.ppm"), to: folder.appending(path: "originals/a.ppm"))
    try Data(bytes).write(to: folder.appending(path: "phone/a.jpg"))
    let result = try desk.run(["import", "--reference", "originals", "phone=phone", "--images", "none"])
    #expect(result.status == 0, "\(result.errors)")
    let remark = "gain map (Ultra HDR): base "
    #expect(try desk.text("results/measurements.csv").contains(remark))
  }
}
