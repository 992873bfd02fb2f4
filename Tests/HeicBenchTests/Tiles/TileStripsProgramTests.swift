import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// Pictures that are decoded while their tiles are written give the same tiles as pictures that are decoded first.
struct TileStripsProgramTests {
  private let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: desk.folder.url.appending(path: name))
  }

  /// The content of the files below a folder, by path, without files that name the source.
  private func files(_ folder: String) throws -> [String: Data] {
    let root = desk.folder.url.appending(path: folder)
    var files: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: root.path) ?? .init() {
      let isFolder = (try? root.appending(path: name).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
      if isFolder != true { files[name] = try Data(contentsOf: root.appending(path: name)) }
    }
    return files
  }

  private func tiles(_ folder: String) throws -> [String: Data] {
    try files(folder).filter { $0.key.contains("/") }
  }

  private static let jpeg = JPEGCodec()

  private func jpegFile(_ image: RasterImage) throws -> [UInt8] {
    let variant = try CodecRegistry.standard.variant("jpeg")
    return try Self.jpeg.encode(
      image, EncodeSettings(variant: variant, quality: 0.9, traits: Self.jpeg.traits))
  }

  /// PPM is not read row by row; PNG and JPEG are.
  @Test(arguments: [
    ["--tile-size", "33"], ["--tile-size", "50", "--overlap", "25", "--layout", "names", "--jobs", "3"],
    ["--tile-size", "64", "--base-only"],
    ["--tile-size", "64", "--overlap", "1", "--codec", "jpeg:progressive=true"],
  ])
  func tilesAreTheSame(options: [String]) throws {
    let waves = try #require(SyntheticImage.waves(width: 301, height: 203))
    let jpeg = try jpegFile(waves)
    let image = try JPEGReader().read(jpeg, limits: ReadLimits()).image
    let samples = try image.samples.eightBits()
    for folder in ["ppm", "png", "jpg"] {
      try FileManager.default.createDirectory(
        at: desk.folder.url.appending(path: folder), withIntermediateDirectories: true)
    }
    try write(Array("P6\n301 203\n255\n".utf8) + samples, to: "ppm/a.ppm")
    try write(try PNGWriter().write(image), to: "png/a.png")
    try write(jpeg, to: "jpg/a.jpg")
    for source in ["ppm/a.ppm", "png/a.png", "jpg/a.jpg"] {
      let result = try desk.run(["tiles", "export", source, "of-\(source)"] + options)
      #expect(result.status == 0, "\(source): \(result.errors)")
    }
    let whole = try tiles("of-ppm/a.ppm")
    #expect(whole.count >= 20)
    #expect(try tiles("of-png/a.png") == whole)
    #expect(try tiles("of-jpg/a.jpg") == whole)
    // Missing tiles are made again, identically, wherever they are.
    let made = whole.keys.filter { $0.hasSuffix(".jpg") }.sorted()
    for name in made.enumerated().filter({ $0.offset % 5 == 0 }).map(\.element) {
      try desk.remove("of-png/a.png/\(name)")
    }
    let again = try desk.run(["tiles", "export", "png/a.png", "of-png/a.png"] + options)
    #expect(again.status == 0 && again.output.contains(" kept"), "\(again.output)\(again.errors)")
    #expect(try tiles("of-png/a.png") == whole)
  }

  @Test func grayAndDeepPicturesAreTheSame() throws {
    for (layout, depth) in [(ChannelLayout.gray, 8), (.rgb, 16)] {
      let image = try #require(
        SyntheticImage.waves(width: 150, height: 170, layout: layout, bitDepth: depth))
      var samples: [UInt8] = []
      switch image.samples {
      case .bytes(let bytes): samples = bytes
      case .words(let words): samples = words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      }
      let head = "\(layout == .gray ? "P5" : "P6")\n150 170\n\(image.format.maximum)\n"
      try write(Array(head.utf8) + samples, to: "a.pnm")
      try write(try PNGWriter().write(image), to: "a.png")
      for source in ["a.pnm", "a.png"] {
        let folder = "\(depth)-\(source)"
        #expect(try desk.run(["tiles", "export", source, folder, "--tile-size", "64"]).status == 0)
      }
      let whole = try tiles("\(depth)-a.pnm")
      #expect(try whole.count > 9 && tiles("\(depth)-a.png") == whole)
    }
  }

  /// A fault may appear in a file's last rows. Nothing of the file is kept, and nothing else is lost.
  @Test func brokenFilesLeaveNothing() throws {
    let image = try #require(SyntheticImage.waves(width: 300, height: 400))
    let (jpeg, png) = (try jpegFile(image), try PNGWriter().write(image))
    try write(jpeg, to: "good.jpg")
    #expect(try desk.run(["tiles", "export", "good.jpg", "out", "--tile-size", "64"]).status == 0)
    let before = try files("out")
    try write(jpeg.dropLast(jpeg.count / 4), to: "cut.jpg")
    try write(png.dropLast(png.count / 4), to: "cut.png")
    for (source, reason) in [("cut.jpg", "truncated JPEG"), ("cut.png", "broken PNG")] {
      let result = try desk.run(["tiles", "export", source, "out", "--tile-size", "64"])
      #expect(result.status == 3 && result.errors.contains(reason), "\(result.errors)")
      let after = try files("out")
      #expect(Set(after.keys) == Set(before.keys))
      #expect(before.allSatisfy { after[$0.key] == $0.value || !$0.key.contains("/") })
    }
    #expect(!FileManager.default.fileExists(atPath: desk.folder.url.appending(path: "out/cut_files").path))
    // A broken file does not replace another picture's tiles under that name.
    try write(jpeg.dropLast(jpeg.count / 4), to: "good.jpg")
    #expect(try desk.run(["tiles", "export", "good.jpg", "out", "--tile-size", "64"]).status == 3)
    let kept = try files("out")
    #expect(before.filter { $0.key.contains("/") }.allSatisfy { kept[$0.key] == $0.value })
  }
}
