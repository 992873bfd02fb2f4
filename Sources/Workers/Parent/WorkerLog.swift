import Foundation
import Model

/// The last things that a worker wrote to standard error: a library's complaint, Swift's reason for a trap.
struct WorkerLog {
  private static let kept = 4096
  private static let longestLine = 160
  /// More than a pipe holds. A worker that never stops talking is not listened to for longer.
  private static let readsAtMost = 64

  private let descriptor: Int32
  private var tail: [UInt8] = []

  /// Reads from a descriptor that never blocks. Does not close it.
  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Takes what has been written, so that there is room for more.
  mutating func drain() {
    var chunk = [UInt8](repeating: 0, count: Self.kept)
    for _ in 0..<Self.readsAtMost {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      tail = (tail + chunk[..<count]).suffix(Self.kept)
    }
  }

  /// The last line, printable and not too long; nil where nothing was written.
  var lastLine: String? {
    let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let last = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
    return String(PlainText.line(String(last)).trimmingCharacters(in: .whitespaces).prefix(Self.longestLine))
  }
}
