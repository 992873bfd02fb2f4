/// What can go wrong in a codec or a reader, sorted by who can mend it.
package enum CodecError: Error, Sendable, Hashable {
  /// The caller asked for settings that do not exist or do not go together; the text says what is allowed.
  case invalidSetting(String)
  /// The codec cannot represent this image with these settings; the text gives the codec's reason.
  case unsupported(String)
  /// The bytes are broken or no image of the expected kind.
  case malformed(String)
  /// The input would exceed a limit that heicbench sets, on pixels, memory, scans or nesting.
  case limitExceeded(String)
  /// The library reported an error that is none of the above; the text is the library's own.
  case library(name: String, message: String)
}

extension CodecError: CustomStringConvertible {
  /// One sentence without the file's name, which the caller knows.
  package var description: String {
    switch self {
    case .invalidSetting(let text), .unsupported(let text), .malformed(let text), .limitExceeded(let text):
      text
    case .library(let name, let message): "\(name): \(message)"
    }
  }
}
