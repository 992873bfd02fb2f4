import Model

/// Messages for a worker that exceeded its memory.
enum OutOfMemory {
  /// `over 2 GiB`, or `out of memory` if no limit of ours was the reason.
  static func message(limit: Int?) -> String {
    limit.map { "over \(ByteSize.text($0))" } ?? "out of memory"
  }
}
