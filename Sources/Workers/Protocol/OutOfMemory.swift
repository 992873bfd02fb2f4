import Model

/// The words for a worker that wanted more memory than it may have.
enum OutOfMemory {
  /// `over 2 GiB`, or `out of memory` where no limit of ours was the reason.
  static func message(limit: Int?) -> String {
    limit.map { "over \(ByteSize.text($0))" } ?? "out of memory"
  }
}
