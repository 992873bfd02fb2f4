import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// Every command gives the same answer for a damaged file, whichever files are read before and after it.
@Suite(.timeLimit(.minutes(30))) struct DamagedFilesProgramTests {
  /// A folder with damaged files in some order.
  struct Order {
    var folder: String
    /// The names in the folder, by the number of the damaged file.
    var names: [Int: String]
  }

  /// A command's result for each damaged file, by its number. Each result has named parts.
  typealias Answers = [Int: [String: Data]]

  enum Command: CaseIterable {
    case thumbnails, score, decode, tiles, sweep
  }

  private static let (width, height) = (64, 48)
  private let desk: ProgramDesk
  private let damaged: [(ending: String, bytes: [UInt8])]
  private let orders: [Order]

  init() throws {
    desk = try ProgramDesk()
    try desk.writeImage("reference.ppm", width: Self.width, height: Self.height)
    var generator = SeededGenerator(seed: 51)
    var (damaged, intact): ([(ending: String, bytes: [UInt8])], [(ending: String, bytes: [UInt8])]) = ([], [])
    for spelling in ["jpeg", "png", "heic:preset=ultrafast", "avif:speed=9", "webp", "jxl", "tiff"] {
      let ending = String(spelling.prefix { $0 != ":" })
      let file = try Self.file(spelling, seed: 1)
      for bits in [0, 1, 2] {
        damaged.append((ending, Self.damaged(file, bits: bits, using: &generator)))
      }
      intact.append((ending, try Self.file(spelling, seed: 2)))
    }
    self.damaged = damaged
    orders = [
      Self.order("first", prefix: "a", Array(damaged.indices), damaged.map(\.ending)),
      Self.order("last", prefix: "z", damaged.indices.reversed(), damaged.map(\.ending)),
    ]
    for order in orders {
      try write(order)
      for (number, file) in intact.enumerated() {
        try write(file.bytes, to: "\(order.folder)/m\(number).\(file.ending)")
      }
    }
  }

  // MARK: Files

  /// A tiny picture in a format.
  private static func file(_ spelling: String, seed: UInt64) throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: width, height: height, seed: seed))
    if spelling == "png" { return try PNGWriter().write(image) }
    if spelling == "tiff" {
      let samples = try image.samples.eightBits().map { Int($0) }
      var page = TIFFFile.Page(width: width, height: height, samples: samples, photometric: 2)
      (page.rowsPerStrip, page.isPackBits) = (16, true)
      return TIFFFile.file(page)
    }
    let variant = try CodecRegistry.standard.variant(spelling)
    let codec = try #require(CodecRegistry.standard.codec(variant.codec))
    return try codec.encode(image, EncodeSettings(variant: variant, quality: 0.6, traits: codec.traits))
  }

  /// The file with this many bits flipped after its header; for 0, only the file's beginning.
  private static func damaged(_ file: [UInt8], bits: Int, using generator: inout SeededGenerator) -> [UInt8] {
    let behindHead = file.count / 3..<file.count
    guard bits > 0 else { return Array(file.prefix(Int.random(in: behindHead, using: &generator))) }
    var bytes = file
    for _ in 0..<bits {
      bytes[Int.random(in: behindHead, using: &generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    }
    return bytes
  }

  /// Makes a folder with files in the order of their numbers in the list.
  private static func order(
    _ folder: String, prefix: String, _ numbers: [Int], _ endings: [String]
  ) -> Order {
    let names = numbers.enumerated().map { ($1, "\(prefix)\(10 + $0).\(endings[$1])") }
    return Order(folder: folder, names: Dictionary(uniqueKeysWithValues: names))
  }

  private func write(_ order: Order) throws {
    for (number, name) in order.names { try write(damaged[number].bytes, to: "\(order.folder)/\(name)") }
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    let file = desk.folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  // MARK: Answers

  private func answers(of command: Command, _ order: Order) throws -> Answers {
    switch command {
    case .thumbnails: try thumbnails(order)
    case .score: try scores(order)
    case .decode: try rows(order, "decode", "decodes.csv", ["--sizes", "20,full", "--region", "32x24"])
    case .tiles: try tiles(order)
    case .sweep:
      try rows(
        order, "sweep", "measurements.csv",
        ["--codec", "jpeg", "--qualities", "0.5", "--metrics", "psnr-y", "--refine", "off"])
    }
  }

  /// Runs a command that reads the files one by one.
  private func run(_ arguments: [String]) throws -> BuiltProgram.Result {
    let result = try desk.run(arguments)
    // Every file succeeded, some failed, or the only one did.
    #expect(!result.wasKilled && [0, 3, 66].contains(result.status), "\(arguments): \(result.errors)")
    return result
  }

  /// What a command says of a file, without its name.
  private func fault(of name: String, in errors: String) -> Data {
    let said = errors.split(separator: "\n").compactMap { line in
      ["heicbench: \(name): ", "heicbench: “\(name)”: "].first { line.hasPrefix($0) }.map { start in
        line.dropFirst(start.count)
      }
    }
    return Data(said.joined(separator: "\n").utf8)
  }

  private func thumbnails(_ order: Order) throws -> Answers {
    let out = "thumbnails-\(order.folder)"
    let result = try run(
      ["thumbnails", order.folder, out, "--size", "40", "--format", "png", "--jobs", "1"])
    return order.names.mapValues { name in
      ["picture": try? desk.data("\(out)/\(name).png"), "fault": fault(of: name, in: result.errors)]
        .compactMapValues { $0 }
    }
  }

  private func scores(_ order: Order) throws -> Answers {
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(desk.folder.path)/\(order.folder)")
      .sorted().map { "\(order.folder)/\($0)" }
    let result = try run(["score", "reference.ppm"] + files + ["--metrics", "psnr-rgb", "--format", "csv"])
    let lines = result.output.split(separator: "\n")
    return order.names.mapValues { name in
      let start = "reference.ppm,\(order.folder)/\(name),"
      let said = lines.filter { $0.hasPrefix(start) }.map { $0.dropFirst(start.count) }
      return ["line": Data(said.joined(separator: "\n").utf8)]
    }
  }

  private func tiles(_ order: Order) throws -> Answers {
    let out = "tiles-\(order.folder)"
    let result = try run(
      ["tiles", "export", order.folder, out, "--tile-size", "32", "--codec", "webp", "--jobs", "1"])
    let files = FileManager.default.enumerator(atPath: "\(desk.folder.path)/\(out)")?.compactMap {
      $0 as? String
    }
    return try order.names.mapValues { name in
      let folder = name.prefix { $0 != "." } + "_files/"
      let tiles = (files ?? []).filter { $0.hasPrefix(folder) && $0.hasSuffix(".webp") }
      let parts = try tiles.map { (String($0.dropFirst(folder.count)), try desk.data("\(out)/\($0)")) }
      return Dictionary(uniqueKeysWithValues: parts + [("fault", fault(of: name, in: result.errors))])
    }
  }

  /// The rows of a table, without what depends on the machine's load.
  private func rows(
    _ order: Order, _ command: String, _ table: String, _ options: [String]
  ) throws -> Answers {
    let out = "\(command)-\(order.folder)"
    let own = command == "decode" ? ["--repeat", "1"] : []
    _ = try run(
      [command, order.folder, "--images", "none", "--jobs", "1", "--output", out] + options + own)
    let rows = try desk.rows(of: "\(out)/\(table)")
    return order.names.mapValues { name in
      let said = rows.filter { $0["image"] == name }.map { row in
        let columns = row.filter { column in
          !["image", "timing"].contains(column.key)
            && !["_ms", "_mib"].contains { column.key.contains($0) }
        }
        return columns.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      }
      return ["rows": Data(said.sorted().joined(separator: "\n").utf8)]
    }
  }

  // MARK: The test

  @Test(arguments: Command.allCases) func theSameInAnyOrder(command: Command) throws {
    let first = try answers(of: command, orders[0])
    let last = try answers(of: command, orders[1])
    #expect(first.count == damaged.count)
    for (number, file) in damaged.enumerated() {
      #expect(first[number]?.values.contains { !$0.isEmpty } == true, "\(command), \(number) \(file.ending)")
      #expect(first[number] == last[number], "\(command), \(number) \(file.ending)")
    }
    if command == .thumbnails { #expect(first.values.count { $0["picture"] != nil } > 3) }
    // In three formats: one file that is cut off, and two that most libraries still decode.
    for (ending, bits) in [("heic", 0), ("jpeg", 1), ("webp", 1)] {
      let number = try #require(damaged.firstIndex { $0.ending == ending }) + bits
      let alone = Self.order("alone-\(number)", prefix: "m", [number], damaged.map(\.ending))
      try write(alone)
      let answer = try answers(of: command, alone)[number]
      #expect(answer == first[number], "\(command), \(ending) alone")
    }
  }
}
