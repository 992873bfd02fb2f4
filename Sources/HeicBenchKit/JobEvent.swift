/// Progress of work on files one by one: reading, cutting, making thumbnails.
public enum JobEvent: Sendable, Hashable {
  /// The number of finished jobs; `total` is nil if unknown.
  case progress(done: Int, total: Int?)
  /// A file could not be processed.
  case failed(file: String, message: String)
  /// All work is done or was stopped.
  case ended
  /// A remark for readers of the results, as a sentence.
  case notice(String)
}
