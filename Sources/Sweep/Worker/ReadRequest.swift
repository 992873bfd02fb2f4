import Foundation
import Model

/// A file to read by a route.
struct ReadRequest: Codable, Sendable {
  /// The path's bytes, base 64 in the message: paths need not be text.
  var path: Data
  /// What is to be read.
  var key: ReadKey
  /// How often the decode is timed, at least once.
  var repeats: Int
}
