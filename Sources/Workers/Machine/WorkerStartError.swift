import Foundation
import Model

/// The reason why no worker could be started; another image would not help.
package struct WorkerStartError: Error, CustomStringConvertible {
  package let description: String
  /// True if the worker was killed from outside, which says nothing about the next one.
  var wasKilled = false
  /// True if the system lacks a process, thread, descriptor, file or sandbox; the program itself is not at fault.
  package var isShortage = false

}

extension WorkerStartError {
  init(lacking: String) {
    self.init(
      description:
        "workers would not be held by \(lacking), which this system does not give, and --require-sandbox "
        + "refuses that", isShortage: true)
  }

  init(refused what: String, _ error: SystemError) {
    let hint = [EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC].contains(error.code)
    let advice = "look at ulimit -a and at the limits of the container, or ask for fewer --jobs"
    self.init(
      description: "cannot \(what): \(error)" + (hint ? "; \(advice)" : ""), isShortage: hint)
  }
}
