import Codecs
import Foundation
import Pixels
import TestSupport
import Testing

/// libheif's own program, where it is installed: what our files have to equal in size.
enum HEIFEncTool {
  /// Where it is; nil where it is not installed.
  static let path = ["/usr/bin/heif-enc", "/usr/local/bin/heif-enc", "/opt/homebrew/bin/heif-enc"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether the program and the photographs are there.
  static var isUsable: Bool { path != nil && SharedFolder.isPresent }

  /// The reason that a skipped test prints.
  static let reason: Comment = "SKIPPED: needs heif-enc (package libheif-examples) and ../shared"

  /// What it makes of an image, as `.heic` or `.avif`.
  static func file(_ image: RasterImage, as fileExtension: String, _ arguments: [String]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let input = folder.url.appending(path: "in.png")
    let output = folder.url.appending(path: "out.\(fileExtension)")
    try Data(PNGWriter().write(image)).write(to: input)
    let process = Process()
    process.executableURL = URL(filePath: try #require(path))
    process.arguments =
      arguments + (fileExtension == "avif" ? ["-A"] : []) + ["-o", output.path(), input.path()]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return [UInt8](try Data(contentsOf: output))
  }
}
