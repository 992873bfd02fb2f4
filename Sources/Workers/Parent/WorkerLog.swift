import Foundation
import Model

/// The end of a worker's standard error: a library's complaint, or Swift's reason for a trap.
struct WorkerLog {
  private static let kept = 4096
  /// Characters. The dynamic linker prints its reason after the path of a library.
  private static let longestLine = 400
  /// Reads more than a pipe holds, and stops even if a worker never stops writing.
  private static let readsAtMost = 64

  private let descriptor: Int32
  private var tail: [UInt8] = []

  /// Reads from a non-blocking descriptor, which stays open.
  init(descriptor: Int32) { self.descriptor = descriptor }

  mutating func drain() {
    var chunk = [UInt8](repeating: 0, count: Self.kept)
    for _ in 0..<Self.readsAtMost {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      tail = (tail + chunk[..<count]).suffix(Self.kept)
    }
  }

  var lastLine: String? {
    let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let last = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
    return String(PlainText.line(String(last)).trimmingCharacters(in: .whitespaces).prefix(Self.longestLine))
  }
}
