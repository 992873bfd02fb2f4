import Foundation

/// Queue of what operations have done, on which the runner's own thread waits.
final class BlockingQueue<Message: Sendable>: @unchecked Sendable {
  // Sendable because `messages` is only touched under `condition`.
  private let condition = NSCondition()
  private var messages: [Message] = []

  /// Leaves a message.
  func put(_ message: Message) {
    condition.withLock {
      messages.append(message)
      condition.signal()
    }
  }

  /// Wakes the reader without a message.
  func nudge() { condition.withLock { condition.signal() } }

  /// All messages; waits for the first one, but not longer than so many seconds.
  func take(within seconds: Double) -> [Message] {
    condition.withLock {
      if messages.isEmpty { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
      defer { messages.removeAll() }
      return messages
    }
  }
}
