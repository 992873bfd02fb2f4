import CProcessShim

/// The number of files that may be open at a time (`ulimit -n`). With too few, libraries fail in unpredictable ways,
/// traps included, so the limit is checked at the start.
package enum FileLimit {
  /// Files of the program, of libraries while they are loaded, and of two workers.
  private static let least = 44
  /// Files for a worker: its socket, its log, the process itself, and pipes while it starts.
  private static let each = 6

  /// Raises the limit for this many workers, as far as the system allows.
  /// - Throws: `WorkerStartError` if it is too low even for two.
  package static func require(workers: Int = 0) throws(WorkerStartError) {
    let allowed = hb_allow_files(UInt64(least + each * min(max(workers, 0), 1 << 20)))
    guard allowed < least else { return }
    throw WorkerStartError(
      description: "only \(allowed) files may be open at a time, and heicbench needs \(least); "
        + "raise the limit with ulimit -n 64",
      isShortage: true)
  }
}
