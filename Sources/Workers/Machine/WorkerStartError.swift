import Foundation
import Model

/// Why no worker could be started: nothing that another image would mend.
package struct WorkerStartError: Error, CustomStringConvertible {
  /// One sentence for the terminal.
  package let description: String
  /// Whether it was killed from outside, which says nothing about the next one.
  var wasKilled = false
  /// Whether the system gives no process, thread, descriptor, file or sandbox: nothing that is wrong with the program.
  package var isShortage = false

  init(description: String, wasKilled: Bool = false, isShortage: Bool = false) {
    self.description = description
    self.wasKilled = wasKilled
    self.isShortage = isShortage
  }

  /// The sandboxes that the system does not give, where workers were to have them.
  init(lacking: String) {
    self.init(
      description:
        "workers would not be held by \(lacking), which this system does not give, and --require-sandbox "
        + "refuses that", isShortage: true)
  }

  /// What the system refused, with what to look at.
  init(refused what: String, _ error: SystemError) {
    let hint = [EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC].contains(error.code)
    let advice = "look at ulimit -a and at the limits of the container, or ask for fewer --jobs"
    self.init(
      description: "cannot \(what): \(error)" + (hint ? "; \(advice)" : ""), isShortage: hint)
  }
}
