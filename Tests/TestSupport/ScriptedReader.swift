package import CodecKit
import Foundation
package import Model
package import Pixels

/// Reads `SCRIPT width height`, followed by an accident: none, `crash`, `broken` or `hang`; `trap` or `hang-early`,
/// which already affect its header and contents; or `trap-in-contents`, which affects only its contents.
package struct ScriptedReader: ImageReader {
  package let formats = ["test image"]

  /// A reader of the only format in its registry.
  package init() {}

  /// The file of an image.
  package static func file(width: Int, height: Int, accident: String = "nothing") -> [UInt8] {
    Array("SCRIPT \(width) \(height) \(accident)".utf8)
  }

  /// Whether the file begins with `SCRIPT`.
  package func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "SCRIPT ".utf8) }

  /// The size that the script gives.
  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let words = Self.words(bytes)
    guard words.count >= 4, let width = Int(words[1]), let height = Int(words[2]) else {
      throw .malformed("no script")
    }
    happenEarly(words[3])
    return ImageHeader(
      format: "script", width: width, height: height, bitDepth: 8, layout: .gray, isLossy: false)
  }

  /// Nothing, unless the script has an accident.
  package func contents(of bytes: [UInt8]) -> FileContents {
    let accident = Self.words(bytes).last ?? ""
    happenEarly(accident)
    if accident == "trap-in-contents" { raise(SIGILL) }
    return FileContents()
  }

  private func happenEarly(_ accident: Substring) {
    if accident == "trap" { raise(SIGILL) }
    while accident == "hang-early" { sleep(1000) }
  }

  /// A flat gray image, unless the script has an accident.
  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let header = try header(of: bytes)
    switch Self.words(bytes)[3] {
    case "crash": raise(SIGBUS)
    case "hang": while true { sleep(1000) }
    case "broken": throw .malformed("broken on purpose")
    default: break
    }
    guard header.pixelCount <= limits.maximumPixels,
      let image = RasterImage(
        width: header.width, height: header.height, layout: .gray,
        bytes: [UInt8](repeating: 50, count: header.pixelCount))
    else { throw .limitExceeded("too large") }
    return SourceImage(image: image)
  }

  private static func words(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: " ")
  }
}

/// Writes files that no reader can read.
package struct ScriptedWriter: ImageWriter {
  /// A writer.
  package init() {}

  /// Writes the size as text.
  package func write(_ image: RasterImage) throws(CodecError) -> [UInt8] {
    Array("\(image.width) \(image.height)".utf8)
  }
}

extension CodecRegistry {
  /// The scripted codec and reader, and nothing else.
  package static var scripted: CodecRegistry {
    CodecRegistry(codecs: [ScriptedCodec()], readers: [ScriptedReader()], writer: ScriptedWriter())
  }
}
