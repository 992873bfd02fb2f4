import Foundation

/// One point on the operation queue: synchronous, done by the slot that it was made for. What is cancelled are
/// slots, not operations: each operation runs, if only to say that its slot is cancelled.
final class PointOperation: Operation, @unchecked Sendable {
  // Sendable because its own property never changes; the rest is Foundation's and safe.
  private let work: @Sendable () -> Void

  /// An operation that does `work`.
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  override func main() { work() }
}
