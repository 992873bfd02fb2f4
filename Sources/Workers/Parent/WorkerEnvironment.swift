import Foundation
import Model

/// The environment that workers get: a few variables of the run's own, and nothing else of it.
enum WorkerEnvironment {
  private static let passedOn = [
    "PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH", "ASAN_OPTIONS",
    "TSAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE",
  ]

  /// The variables as `NAME=value`, for a worker with a build's libraries where there is one.
  static func variables(
    of environment: [String: String] = ProcessInfo.processInfo.environment, build: LibraryBuild? = nil
  ) -> [String] {
    var environment = environment
    if let build {
      let inherited = environment["LD_LIBRARY_PATH"].map { ":" + $0 } ?? ""
      environment["LD_LIBRARY_PATH"] = build.folder + inherited
    }
    var kept = passedOn.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    // A function that the build lacks is missed at the start, and not by the first point that needs it.
    if build != nil { kept.append("LD_BIND_NOW=1") }
    #if DEBUG
      // For Valgrind: see hb_sandbox.
      let unfenced = environment["HEICBENCH_UNFENCED"].map { ["HEICBENCH_UNFENCED=\($0)"] } ?? []
    #else
      let unfenced: [String] = []
    #endif
    // A crash is for the run to record. Swift's own report of it would start another program for seconds.
    return kept + unfenced + ["SWIFT_BACKTRACE=enable=no"]
  }
}
