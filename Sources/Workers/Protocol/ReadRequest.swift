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
  /// What of the read is asked for.
  var share = Share.everything

  /// What one worker does of a read. Those of a build read for their own times; what comes out is scored through the
  /// system's decoder, as in a sweep.
  package enum Share: String, Codable, Sendable {
    /// Times, memory and scores.
    case everything
    /// Times and memory, of the worker's own libraries.
    case cost
    /// Scores, of the file that another worker had, and no times.
    case scores
    /// Times of decodes of a whole file as it is, on one core, and nothing else; no time is given twice.
    case times
  }

  /// Asks for a read of a file, or for a share of it.
  package init(path: [UInt8], key: ReadKey, repeats: Int, share: Share = .everything) {
    (self.path, self.key, self.repeats, self.share) = (Data(path), key, repeats, share)
  }

  /// How many times come with the answer.
  var expectedSamples: Int { share == .scores ? 0 : repeats }
}
