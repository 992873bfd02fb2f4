package import CodecKit
package import Model

/// How a sweep runs. Of the measurements, these settings affect only times.
package struct RunnerConfiguration: Sendable {
  /// The number of workers at a time, at least 1.
  package var jobs: Int
  /// The time limit of a point, seconds; if nil, it depends on the image: see `timeout(pixels:repeats:)`.
  package var timeout: Double?
  /// The time limit for describing the files of a message, seconds, on top of the time for reading their bytes.
  package var describingTimeout = 60.0
  /// The memory that all workers together may plan to use, bytes.
  package var memoryBudget = MachineMemory().defaultBudget
  /// The memory limit of one worker, bytes; nil for the machine's memory.
  package var memoryPerJob: Int?
  package var requiresSandbox = false
  package var niceness = 0
  /// An existing folder to keep encoded files in; nil keeps none.
  package var keepFolder: String?
  package var workerExecutable: String
  /// Encodes after which a worker is replaced, since x265 leaks some 40 kB in each.
  package var renewAfter = 200
  package var limits: ReadLimits
  package var externalMetrics: [ExternalMetric] = []
  package var builds: [LibraryBuild] = []
  /// False if no question needs files that workers share.
  package var sharesFiles = true
  /// True to score the files of a build through its own decoder instead of the system's.
  package var scoresThroughBuild = false

  /// Collects the readers' remarks on files, for all copies of this value; nil if the store keeps them.
  package var remarks: ReadRemarks? = ReadRemarks()

  package init(
    jobs: Int = MachineCores.count, timeout: Double? = nil,
    workerExecutable: String = RunnerConfiguration.ownExecutable, limits: ReadLimits = ReadLimits()
  ) {
    self.jobs = max(1, jobs)
    self.timeout = timeout
    self.workerExecutable = workerExecutable
    self.limits = limits
  }

  /// The running program itself, even if its file has been replaced.
  package static var ownExecutable: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments.first ?? "heicbench"
    #endif
  }

  /// The time limit of a point, seconds: the one set, or for each repeat a minute plus half a minute per megapixel, but
  /// at most an hour. The slowest presets of x265 and aom need about 20 seconds per megapixel. A header may claim any
  /// number of pixels and must not keep a process busy for days.
  package func timeout(pixels: Int, repeats: Int) -> Double {
    timeout ?? min(60 + 30 * Double(pixels) / 1e6, 3600) * Double(max(1, repeats))
  }

  func setup(preparation: Preparation, metrics: [String]) -> WorkerSetup {
    let external = Set(externalMetrics.map(\.id))
    let machine = MachineMemory().bytes
    // The limit set in the user's shell applies to workers as well.
    let memory = [memoryPerJob ?? (machine > 0 ? machine : nil), ProcessLimit.data.hard].compactMap(\.self)
      .min()
    var limits = limits
    limits.light = preparation.light
    return WorkerSetup(
      preparation: preparation, limits: limits, metrics: metrics.filter { !external.contains($0) },
      externalMetrics: externalMetrics, memoryLimit: memory,
      keepFolder: keepFolder)
  }
}
