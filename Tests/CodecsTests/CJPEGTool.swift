import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// libjpeg-turbo's own program, where it is installed: what our files have to equal.
enum CJPEGTool {
  /// Where it is; nil where it is not installed.
  static let path = ["/usr/bin/cjpeg", "/usr/local/bin/cjpeg", "/opt/homebrew/bin/cjpeg"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// What it makes of an 8-bit image, through files.
  static func encode(_ image: RasterImage, _ arguments: [String]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    guard case .bytes(let samples) = image.samples else { return [] }
    let magic = image.format.layout == .gray ? "P5" : "P6"
    let file = Array("\(magic)\n\(image.width) \(image.height)\n255\n".utf8) + samples
    try Data(file).write(to: folder.url.appending(path: "in.pnm"))
    let process = Process()
    process.executableURL = URL(filePath: try #require(path))
    process.arguments = arguments + ["-outfile", folder.path + "/out.jpg", folder.path + "/in.pnm"]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return [UInt8](try Data(contentsOf: folder.url.appending(path: "out.jpg")))
  }
}
