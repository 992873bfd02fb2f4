import Foundation

/// One point on the operation queue: synchronous, done by the slot that it was made for.
final class PointOperation: Operation, @unchecked Sendable {
  // Sendable because its own property never changes; the rest is Foundation's and safe.
  private let work: @Sendable () -> Void

  /// An operation that does `work` unless it is cancelled before it starts.
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  override func main() {
    guard !isCancelled else { return }
    work()
  }
}
