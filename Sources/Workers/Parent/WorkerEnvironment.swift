import Foundation

/// The environment that workers get: a few variables of the run's own, and nothing else of it.
enum WorkerEnvironment {
  private static let passedOn = [
    "PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH", "ASAN_OPTIONS",
    "TSAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE",
  ]

  /// The variables as `NAME=value`.
  static func variables(of environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
    let kept = passedOn.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    #if DEBUG
      // For Valgrind: see hb_fence.
      let unfenced = environment["HEICBENCH_UNFENCED"].map { ["HEICBENCH_UNFENCED=\($0)"] } ?? []
    #else
      let unfenced: [String] = []
    #endif
    // A crash is for the run to record. Swift's own report of it would start another program for seconds.
    return kept + unfenced + ["SWIFT_BACKTRACE=enable=no"]
  }
}
