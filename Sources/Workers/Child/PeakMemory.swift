import CProcessShim
import Foundation

/// Peak memory of the whole process, and of single calls beyond what was resident before them. Linux resets its
/// high-water mark when “5” is written to `/proc/self/clear_refs` (proc(5)). Without a reset, the mark covers the
/// process's whole life and shows a call's need only if the call raised it.
package final class PeakMemory {
  private let reset: Int32
  private let readStatus: () -> String?
  /// The highest mark of the request before the latest reset.
  private var highestBefore = 0

  /// Opens the file that resets the mark; must run before the sandbox, which forbids it.
  init(
    resetFile: String = "/proc/self/clear_refs",
    status: @escaping () -> String? = { SmallFile.text(at: "/proc/self/status") }
  ) {
    let file = open(resetFile, O_WRONLY | O_CLOEXEC)
    reset = file >= 0 ? file : Self.handedOver()
    readStatus = status
  }

  /// The descriptor that the parent left open for a worker with a build's libraries, which is sandboxed from its first
  /// line and may open nothing for writing; −1 if there is none.
  private static func handedOver() -> Int32 {
    let mark = HB_MEMORY_MARK
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(mark)"),
      target.hasPrefix("/proc/"), target.hasSuffix("/clear_refs")
    else { return -1 }
    return fcntl(mark, F_SETFD, FD_CLOEXEC) == 0 ? mark : -1
  }

  deinit { if reset >= 0 { close(reset) } }

  package func begin() {
    highestBefore = 0
    restart()
  }

  /// Makes a call and returns by how many bytes it raised resident memory: its own need including the result, without
  /// the input. Nil if the system does not say. Heap left over from earlier calls is released first, since a call that
  /// reuses it would seem to need less.
  package func growth<Value, Problem: Error>(
    of call: () throws(Problem) -> Value
  ) throws(Problem) -> (value: Value, bytes: Int?) {
    hb_trim_memory()
    let before = mark() ?? 0
    highestBefore = max(highestBefore, before)
    let isReset = restart()
    let base = isReset ? mark() : resident()
    let value = try call()
    guard let base, let top = mark(), isReset || top > before else { return (value, nil) }
    return (value, max(0, top - base))
  }

  /// The highest resident memory of the request, bytes; nil if the system does not say.
  package func highest() -> Int? { mark().map { max($0, highestBefore) } }

  @discardableResult
  private func restart() -> Bool { reset >= 0 && write(reset, "5", 1) == 1 }

  private func resident() -> Int? { status("VmRSS:") }

  private func mark() -> Int? {
    if let bytes = status("VmHWM:") { return bytes }
    var usage = rusage()
    #if os(Linux)
      let whole = RUSAGE_SELF.rawValue
      let unit = 1024
    #else
      let whole = RUSAGE_SELF
      let unit = 1
    #endif
    return getrusage(__rusage_who_t(whole), &usage) == 0 ? usage.ru_maxrss * unit : nil
  }

  private func status(_ field: String) -> Int? {
    SmallFile.number(field, in: readStatus()).map { $0 * 1024 }
  }
}
