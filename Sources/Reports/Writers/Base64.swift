internal import Foundation

/// Base64 (RFC 4648, section 4), as data URLs and content-security policies have it.
enum Base64 {
  /// The bytes as text.
  static func encoded(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
