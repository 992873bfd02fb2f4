import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// An encoder's own program, where it is installed: what our files have to equal.
struct OutsideTool {
  /// Where it is; nil where it is not installed.
  let path: String?

  /// Looks where packages put programs.
  init(_ name: String) {
    path = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs it on an input file with its arguments; `{in}` and `{out}` stand for the two files.
  func output(of input: [UInt8], named name: String, as output: String, _ arguments: [String]) throws
    -> [UInt8]
  {
    let folder = try TemporaryFolder()
    try Data(input).write(to: folder.url.appending(path: name))
    let program = try #require(path)
    let files = ["{in}": folder.path + "/" + name, "{out}": folder.path + "/" + output]
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments.map { files[$0] ?? $0 }
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(arguments)")
    return [UInt8](try Data(contentsOf: folder.url.appending(path: output)))
  }
}

extension CodecRegistry {
  /// One encode with a variant as `--codec` spells it, at a native quality.
  func encode(_ image: RasterImage, _ spelling: String, native quality: Int) throws -> [UInt8] {
    let variant = try variant(spelling)
    guard let codec = codec(variant.codec) else { throw CodecError.unsupported(variant.codec) }
    let settings = EncodeSettings(
      variant: variant, quality: try #require(Quality(native: quality)), traits: codec.traits)
    return try codec.encode(image, settings)
  }
}
