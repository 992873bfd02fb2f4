import Foundation
import Model

/// Why no worker could be started; trying another image would not help.
package struct WorkerStartError: Error, CustomStringConvertible {
  package let description: String
  /// True if the worker was killed from outside, which says nothing about the next one.
  var wasKilled = false
  /// True if the system has run out of something (processes, threads, descriptors, files) or has no sandbox; the
  /// program itself is not at fault.
  package var isShortage = false

}

extension WorkerStartError {
  init(lacking: String) {
    self.init(
      description:
        "workers would run without \(lacking), which this system does not offer, and --require-sandbox "
        + "does not allow that", isShortage: true)
  }

  init(refused what: String, _ error: SystemError) {
    let hint = [EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC].contains(error.code)
    let advice = "check ulimit -a and the container's limits, or use fewer --jobs"
    self.init(
      description: "cannot \(what): \(error)" + (hint ? "; \(advice)" : ""), isShortage: hint)
  }
}
