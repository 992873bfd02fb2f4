import Foundation

/// A queue of finished operations, on which the runner's thread waits.
final class BlockingQueue<Message: Sendable>: @unchecked Sendable {
  // Sendable because `messages` is accessed only under `condition`.
  private let condition = NSCondition()
  private var messages: [Message] = []

  func put(_ message: Message) {
    condition.withLock {
      messages.append(message)
      condition.signal()
    }
  }

  /// Wakes the reader without a message.
  func nudge() { condition.withLock { condition.signal() } }

  /// All messages; waits up to `seconds` for the first.
  func take(within seconds: Double) -> [Message] {
    condition.withLock {
      if messages.isEmpty { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
      defer { messages.removeAll() }
      return messages
    }
  }
}
