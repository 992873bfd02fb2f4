import CHEIFShim
import CodecKit
import Foundation

/// The list of parameters that x265 prints when it starts to encode.
enum X265Log {
  /// x265's “info” level, at which it lists its parameters.
  static let level = 2

  /// Makes a call and captures what the process prints to standard error during it.
  static func keeping<Value>(_ call: () throws(CodecError) -> Value) throws(CodecError) -> (Value, String) {
    hb_log_begin()
    let result = Result { () throws(CodecError) in try call() }
    let text = hb_log_end()
    defer { free(text) }
    return (try result.get(), text.map { String(cString: $0) } ?? "")
  }

  /// The parameters that determine a still picture's bytes, in x265's words: `Main Still Picture profile; AQ: mode /
  /// str / qg-size / cu-tree: 1 / 1.0 / 32 / 0; …`. Nil if the text has none.
  static func settings(in log: String) -> String? {
    var (parts, tools): ([String], [Substring]) = ([], [])
    for line in log.split(separator: "\n") {
      guard let text = line.split(separator: "x265 [info]: ", maxSplits: 1).last, text != line else {
        continue
      }
      let words = text.split(separator: " ")
      if words.first == "tools:" {
        tools += words.dropFirst()
      } else if let end = text.firstRange(of: " profile, ") {
        parts.append(String(text[..<end.lowerBound]) + " profile")
      } else if titles.contains(where: text.hasPrefix) {
        parts.append(words.joined(separator: " ").replacing(" :", with: ":"))
      }
    }
    if !tools.isEmpty { parts.append("tools: " + tools.joined(separator: " ")) }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private static let titles = ["Coding QT:", "Residual QT:", "Cb/Cr QP Offset", "AQ:"]
}
