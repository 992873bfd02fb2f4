import Foundation
import Model

/// The environment of workers: a few of the run's own variables, and nothing else.
enum WorkerEnvironment {
  private static let passedOn = [
    "PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH", "ASAN_OPTIONS",
    "TSAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE",
  ]

  static func variables(
    of environment: [String: String] = ProcessInfo.processInfo.environment, build: LibraryBuild? = nil
  ) -> [String] {
    var environment = environment
    if let build {
      // Without empty parts, each of which would be the current folder.
      let inherited = (environment["LD_LIBRARY_PATH"] ?? "").split(separator: ":").map(String.init)
      environment["LD_LIBRARY_PATH"] = ([build.folder] + inherited).joined(separator: ":")
    }
    var kept = passedOn.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    // LD_BIND_NOW reports functions that the build lacks at the start instead of at the first point that needs them.
    if let build { kept += ["LD_BIND_NOW=1", "LIBAVIF_FOLDER=\(build.folder)"] }
    #if DEBUG
      // For Valgrind: see hb_sandbox.
      let unfenced = environment["HEICBENCH_UNFENCED"].map { ["HEICBENCH_UNFENCED=\($0)"] } ?? []
    #else
      let unfenced: [String] = []
    #endif
    // The run records crashes. Swift's own crash report would start another program for seconds.
    return kept + unfenced + ["SWIFT_BACKTRACE=enable=no"]
  }
}
