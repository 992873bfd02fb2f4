import Foundation

/// Base64 (RFC 4648, section 4), as in data URLs and content-security policies.
enum Base64 {
  static func encoded(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
