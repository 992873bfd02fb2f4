import Foundation
package import Model

/// A file to read by a route.
package struct ReadRequest: Codable, Sendable {
  /// The path's bytes, base 64 in the message: paths need not be text.
  var path: Data
  /// What is to be read.
  var key: ReadKey
  /// How often the decode is timed, at least once.
  var repeats: Int

  /// Asks for a read of a file.
  package init(path: [UInt8], key: ReadKey, repeats: Int) {
    (self.path, self.key, self.repeats) = (Data(path), key, repeats)
  }
}
