package import CodecKit
import Foundation
package import Model
package import Pixels

/// A codec that does what its settings say, defects included, for tests of the code around codecs. It writes the
/// image's size followed by as many bytes as the quality requires, and decodes to a flat gray.
package struct ScriptedCodec: ImageCodec {
  /// What happens in an encode besides encoding.
  package enum Script: String, CaseIterable, Sendable {
    case nothing, crash, hang, sleep, exit, garbage, print, allocate, error, unsupported
    case allocateChecked = "allocate-checked"
    case crashOnce = "crash-once"
    case wrongSize = "wrong-size"
    case undecodable, unsteady, stop, resume, sandbox
    case listDescriptors = "list-descriptors"
    case flood, dribble, lie, leave, mutter
  }

  /// A codec under its only name, `scripted`.
  package init() {}

  /// A hidden codec with the scripts as settings.
  package var traits: CodecTraits {
    CodecTraits(
      id: "scripted", title: "Scripted", fileExtension: "scripted",
      libraries: [LibraryVersion(name: "script", version: "1")], nativeQuality: 0...100,
      settings: [
        SettingSpecification(
          key: "do", values: .choice(Script.allCases.map(\.rawValue)), defaultValue: "nothing",
          summary: "what happens"),
        SettingSpecification(
          key: "at", values: .integer(-1...100), defaultValue: "-1", summary: "at this native quality only"),
        SettingSpecification(
          key: "ms", values: .integer(0...1_000_000), defaultValue: "0", summary: "how long to sleep"),
        SettingSpecification(
          key: "file", values: .passThrough(prefix: "file:"), defaultValue: "", summary: "what remembers"),
      ])
  }

  /// Every layout and depth.
  package func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(alpha: true, maximumBitDepth: 16, maximumSide: 65_535)
  }

  /// Every variant is valid.
  package func validate(_ variant: CodecVariant) throws(CodecError) {}

  /// Does what the script says, then writes the file.
  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    var width = image.width
    var script = Script(rawValue: settings["do"]) ?? .nothing
    if let at = settings.integer("at"), at >= 0, at != settings.nativeQuality { script = .nothing }
    switch script {
    case .nothing: break
    case .wrongSize: width += 1
    case .undecodable: return Array("broken".utf8)
    case .unsteady:
      return Self.file(image.width, image.height, settings.nativeQuality) + [UInt8.random(in: 0...255)]
    default: try ScriptedAccident.happen(script, settings)
    }
    return Self.file(width, image.height, settings.nativeQuality)
  }

  /// A flat gray image of the size in the file.
  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    let words = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
    guard words.count == 3, let width = Int(words[1]), let height = Int(words[2]),
      let image = RasterImage(
        width: width, height: height, layout: .gray, bytes: [UInt8](repeating: 99, count: width * height))
    else { throw .malformed("no scripted file") }
    return image
  }

  private static func file(_ width: Int, _ height: Int, _ quality: Int) -> [UInt8] {
    Array("scripted \(width) \(height)".utf8) + [0] + [UInt8](repeating: 7, count: 100 + 10 * quality)
  }
}
