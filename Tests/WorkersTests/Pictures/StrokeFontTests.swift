import Model
import Pixels
import Testing

@testable import Workers

@Suite struct StrokeFontTests {
  /// What a text covers, by pixel.
  private func coverage(_ text: String, size: Double = 14) -> [[Int]: Double] {
    var covered: [[Int]: Double] = [:]
    StrokeFont(size: size).draw(text, x: 0, baseline: 40) { x, y, part in
      covered[[x, y]] = max(part, covered[[x, y]] ?? 0)
    }
    return covered
  }

  @Test("every character that captions need has a pattern of its own")
  func patterns() {
    let needed = "0123456789ABCDEFGHIJKLMNPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:;%()+/=_!"
    let drawn = needed.map { coverage(String($0)) }
    #expect(drawn.allSatisfy { !$0.isEmpty })
    // The letter O is a zero.
    for (index, one) in drawn.enumerated() {
      let isOwn = !drawn[..<index].contains(one)
      #expect(isOwn, "\(Array(needed)[index])")
    }
    let isUnknown = coverage("語") == coverage("?")
    #expect(isUnknown)
    #expect(coverage(" ").isEmpty)
  }

  @Test("letters stand on their line and within their width", arguments: [9.0, 14, 22])
  func place(size: Double) {
    for text in ["Hxi", "gjpqy", "%()"] {
      let covered = coverage(text, size: size).keys
      let width = StrokeFont(size: size).width(text)
      #expect(covered.allSatisfy { $0[0] >= -3 && $0[0] <= width + 3 }, "\(text)")
      let top = 40 - Int(size) - 3
      #expect(covered.allSatisfy { $0[1] >= top && $0[1] <= 40 + Int(size / 2) + 3 }, "\(text)")
    }
    #expect(StrokeFont(size: size).width("ii") < StrokeFont(size: size).width("MM"))
  }

  @Test("a sheet shows words, pictures and bars")
  func sheet() throws {
    func drawn(_ title: String, bar: Double, red: UInt8, sides: Int = 2) throws -> RasterImage? {
      let picture = try #require(
        RasterImage(
          width: 900, height: 40, layout: .rgb, bytes: (0..<36_000).flatMap { _ in [red, 0, 0] as [UInt8] }))
      let side = ComparisonSheet.Side(
        variant: CodecVariant(codec: "heic"), quality: 0.5, lines: ["HEIC: 1,234 bytes", "70.1"])
      let sheet = ComparisonSheet(
        title: title, subtitle: "a.png", sides: Array(repeating: side, count: sides), barTitle: "Bytes",
        bars: [100, bar].map { ComparisonSheet.Bar(label: "HEIC", value: $0, text: "\($0) %") }, footer: "")
      let region = try #require(sheet.region(of: picture))
      #expect(region.width < 900 && region.height == 40 && region.x > 0)
      let part = try #require(picture.cropped(to: region))
      return sheet.drawn(Array(repeating: part, count: sides))
    }
    let plain = try #require(try drawn("HEIC takes 30 % fewer bytes", bar: 70, red: 200))
    #expect(plain.width > 1200 && plain.height > 300)
    let same = try drawn("HEIC takes 30 % fewer bytes", bar: 70, red: 200) == plain
    let others = [
      try drawn("HEIC takes 31 % fewer bytes", bar: 70, red: 200),
      try drawn("HEIC takes 30 % fewer bytes", bar: 60, red: 200),
      try drawn("HEIC takes 30 % fewer bytes", bar: 70, red: 100),
    ]
    let differ = others.allSatisfy { $0 != nil && $0 != plain }
    #expect(same && differ)
    let none = try drawn("HEIC", bar: .nan, red: 0, sides: 0) == nil
    #expect(none)
    let survives = try drawn(String(repeating: "long ", count: 300), bar: .infinity, red: 0) != nil
    #expect(survives)
  }

  @Test("what lies beyond the sheet is left out")
  func clipping() {
    var canvas = SheetCanvas(width: 20, height: 10)
    canvas.fill(x: -5, y: -5, width: 100, height: 100, .text)
    canvas.fill(x: 30, y: 30, width: 4, height: 4, .paper)
    canvas.write("Wide words", x: 0, baseline: 9, StrokeFont(size: 14), .paper, room: 10_000)
    let image = canvas.image
    #expect(image?.width == 20 && image?.height == 10)
    var narrow = SheetCanvas(width: 20, height: 10)
    narrow.write("Wide words", x: 0, baseline: 9, StrokeFont(size: 14), .text, room: 0)
    #expect(narrow.image == SheetCanvas(width: 20, height: 10).image)
  }
}
