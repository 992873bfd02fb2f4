package import CodecKit
import Foundation
package import Model

/// The conversation between a run and its workers, in JSON, with exactly one reply to each question. The first line is
/// the worker's setup, answered with its `Readiness`; then come questions, two lines each: a `QuestionHead` and the
/// question, answered with a `ReplyHead` and the answer.
enum WorkerProtocol {
  /// Increased with every change of the messages. Both ends are the same program unless it is replaced during a run.
  static let version = 20

  /// The longest line accepted as a message. A path has at most 4,096 bytes, and a measurement with a thousand repeats
  /// some 100 kB.
  static let longestLine = 16 << 20

  static func line(_ message: some Encodable) throws -> [UInt8] {
    [UInt8](try ScoreJSON.encoder().encode(message) + [0x0a])
  }

  static func message<Message: Decodable>(_ type: Message.Type, from line: [UInt8]) throws -> Message {
    try ScoreJSON.decoder().decode(type, from: Data(line))
  }
}

/// A program that scores a pair of image files: the original and its coded version.
package struct ExternalMetric: Sendable, Hashable, Codable {
  package var id: String
  /// The program and its arguments, without a shell. `{reference}` and `{distorted}` stand for paths of PNG files.
  package var words: [String]

  package init(id: String, words: [String]) { (self.id, self.words) = (id, words) }
}

/// Settings that stay the same for a worker's life. They are the first message to it.
package struct WorkerSetup: Codable, Sendable {
  var version = WorkerProtocol.version
  package var preparation: Preparation
  package var limits: ReadLimits
  package var metrics: [String]
  package var externalMetrics: [ExternalMetric] = []
  /// The memory that the system allows the worker, bytes, for its messages; nil without a limit.
  package var memoryLimit: Int?
  /// The folder for kept encoded files; nil keeps none.
  package var keepFolder: String?
  /// The slot's own folder, for the files of commands and for sharing with builds; nil without either.
  package var scratchFolder: String?
  /// The name of the build whose libraries the worker has; nil for the system's.
  var build: String?
}

struct Readiness: Codable, Sendable {
  var version = WorkerProtocol.version
  var sandbox: SandboxStatus
}
