import Model
import Workers

extension RunnerConfiguration {
  /// Tells the user what readers left out or changed in the files that workers have read, with a line for each kind.
  func tellRemarks(_ notice: (String) -> Void) { remarks?.tally.lines.forEach(notice) }
}
