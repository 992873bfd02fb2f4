import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// The built program with a folder to work in.
struct ProgramDesk {
  let program: BuiltProgram
  let folder: TemporaryFolder

  init() throws {
    program = try #require(BuiltProgram("heicbench"))
    folder = try TemporaryFolder()
  }

  /// Runs the program in the folder.
  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> BuiltProgram.Result {
    try program.run(arguments, in: folder.url, environment: environment)
  }

  /// Writes a PPM file and makes its folders.
  func writeImage(_ name: String, width: Int = 32, height: Int = 24, seed: UInt64 = 1) throws {
    let file = folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Self.image(width: width, height: height, seed: seed)).write(to: file)
  }

  /// The bytes of an image, as a PPM file.
  static func image(width: Int, height: Int, seed: UInt64) throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: width, height: height, seed: seed))
    return try Array("P6\n\(width) \(height)\n255\n".utf8) + image.samples.eightBits()
  }

  /// The bytes of a file in the folder.
  func data(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

  /// The text of a file in the folder. Repairing invalid text first avoids a slow backtrace, which Swift Testing takes
  /// for each error.
  func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

  /// The rows of a CSV file in the folder.
  func rows(of name: String) throws -> [[String: String]] { try Self.rows(in: try text(name)) }

  /// The rows of a CSV text, by column name. These tests do not write quotation marks into fields.
  static func rows(in text: String) throws -> [[String: String]] {
    let lines = text.split(separator: "\n").map { line in
      // Every other part is in quotation marks, so its commas do not separate fields.
      line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().reduce(into: [""]) {
        fields, part in
        let pieces =
          part.offset.isMultiple(of: 2)
          ? part.element.split(separator: ",", omittingEmptySubsequences: false) : [part.element]
        fields[fields.count - 1] += pieces[0]
        fields += pieces.dropFirst().map(String.init)
      }
    }
    let names = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(zip(names, $0), uniquingKeysWith: { first, _ in first }) }
  }

  /// Removes a file from the folder.
  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: folder.url.appending(path: name))
  }

  /// Writes a text file in the folder.
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }
}
