import Foundation
import Model
import TestSupport
import Testing

/// A folder with images in which the program is run as its users run it.
struct UserFolder {
  private let desk: ProgramDesk
  var program: BuiltProgram { desk.program }
  var folder: TemporaryFolder { desk.folder }

  init() throws { desk = try ProgramDesk() }

  /// The path of something in the folder.
  func path(_ name: String) -> String { folder.path + "/" + name }

  /// Runs the program in the folder.
  func run(_ arguments: String...) throws -> BuiltProgram.Result { try desk.run(arguments) }

  /// Writes a small image and makes its folders.
  func writeImage(_ name: String, width: Int = 24, height: Int = 16, seed: UInt64 = 1) throws {
    try desk.writeImage(name, width: width, height: height, seed: seed)
  }

  /// The bytes of a small image, as a PPM file.
  static func image(seed: UInt64 = 1) throws -> [UInt8] {
    try ProgramDesk.image(width: 24, height: 16, seed: seed)
  }

  /// A file's bytes.
  func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

  /// A file as text.
  func text(_ name: String) throws -> String { try desk.text(name) }

  /// The rows of a run's measurements.csv, without the header.
  func rows(_ results: String = "results") throws -> [Substring] {
    Array(try text(results + "/measurements.csv").split(separator: "\n").dropFirst())
  }

  /// Processes with the folder's path in their environment, which they inherit when they are started there.
  func processes() -> [String] {
    let mark = Data("HOME=\(folder.path)\0".utf8)
    let temporary = Data("TMPDIR=\(folder.path)\0".utf8)
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil }
    return (numbers ?? []).filter { number in
      guard let environment = FileManager.default.contents(atPath: "/proc/\(number)/environ") else {
        return false
      }
      return environment.range(of: mark) != nil || environment.range(of: temporary) != nil
    }
  }
}
