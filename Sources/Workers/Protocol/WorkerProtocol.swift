import CodecKit
import Foundation
import Model

/// The conversation of a run and its workers: one JSON object a line. A run asks, its worker answers, one reply to each
/// question and nothing unasked. The first line is the worker's setup, which it answers with its `Readiness`; all others are
/// questions.
enum WorkerProtocol {
  /// Goes up with every change of the messages. Both ends are the same program, except when someone replaces
  /// it in the middle of a run.
  static let version = 14

  /// The longest line that is still taken for a message. A path has 4,096 bytes at most and a measurement with
  /// a thousand repeats some 100 kB.
  static let longestLine = 16 << 20

  /// The line of a message, without the line feed.
  static func line(_ message: some Encodable) throws -> [UInt8] {
    [UInt8](try ScoreJSON.encoder().encode(message))
  }

  /// The message of a line.
  static func message<Message: Decodable>(_ type: Message.Type, from line: [UInt8]) throws -> Message {
    try ScoreJSON.decoder().decode(type, from: Data(line))
  }
}

/// Settings that stay the same for a worker's life: the first thing that it is told.
package struct WorkerSetup: Codable, Sendable {
  /// `WorkerProtocol.version` of the asking end.
  var version = WorkerProtocol.version
  /// How sources become rasters.
  var preparation: Preparation
  /// What a reader may spend.
  var limits: ReadLimits
  /// The metrics to score, by identifier.
  var metrics: [String]
  /// Commands that score a pair of files.
  var externalMetrics: [ExternalMetric] = []
  /// The memory that the system lets the worker have, bytes, for its messages; nil without a limit.
  var memoryLimit: Int?
  /// The folder below which encoded files are kept; nil where they are not.
  var keepFolder: String?
  /// The worker's own folder for the files that commands read; nil without commands.
  var scratchFolder: String?
}

/// A worker's answer to its setup.
struct Readiness: Codable, Sendable {
  /// The `WorkerProtocol.version` that it speaks.
  var version = WorkerProtocol.version
  /// What the kernel holds it with.
  var sandbox: SandboxStatus
}
