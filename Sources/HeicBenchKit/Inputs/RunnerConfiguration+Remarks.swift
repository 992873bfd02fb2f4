import Model
import Workers

extension RunnerConfiguration {
  /// Tells the user what readers left out of the files that workers have read, or changed: a line for each kind.
  func tellRemarks(_ notice: (String) -> Void) { remarks?.tally.lines.forEach(notice) }
}
