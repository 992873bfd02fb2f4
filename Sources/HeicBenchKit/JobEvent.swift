/// What goes on while files are worked on one by one: read, cut, made into thumbnails.
public enum JobEvent: Sendable, Hashable {
  /// So many jobs are done; nil where nobody knows how many there are.
  case progress(done: Int, total: Int?)
  /// How far the work is, in a few words, where a count does not tell.
  case status(String)
  /// A file could not be done.
  case failed(file: String, message: String)
  /// All is done that is going to be.
  case ended
  /// Something that readers of the results ought to know, in a sentence.
  case notice(String)
}
