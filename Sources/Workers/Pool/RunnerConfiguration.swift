package import CodecKit
package import Model

/// How a sweep is carried out: nothing in here changes what is measured, apart from times.
package struct RunnerConfiguration: Sendable {
  /// Workers side by side, at least 1.
  package var jobs: Int
  /// Seconds a point may take; nil goes by the image: see `timeout(pixels:repeats:)`.
  package var timeout: Double?
  /// Bytes that all workers together may plan to use.
  package var memoryBudget: Int
  /// Bytes that the system lets one worker have; nil lets it have no more than the machine.
  package var memoryPerJob: Int?
  /// Whether workers are refused where the system gives no whole sandbox.
  package var requiresSandbox = false
  /// Added to the workers' priority number.
  package var niceness: Int
  /// A folder to keep encoded files in; nil keeps none. It has to exist.
  package var keepFolder: String?
  /// The program that is started as a worker with the argument `worker`.
  package var workerExecutable: String
  /// Encodes after which a worker is replaced, since x265 leaks some 40 kB in each.
  package var renewAfter: Int
  /// What a reader may spend on a file.
  package var limits: ReadLimits
  /// Commands that score pairs of files.
  package var externalMetrics: [ExternalMetric]
  /// The builds of the libraries that variants name.
  package var builds: [LibraryBuild] = []
  /// Whether the files of a build are scored through its own decoder in place of the system's.
  package var scoresThroughBuild = false

  /// Sets up a run. By default it uses all cores and plans with 80 % of the memory there is.
  package init(
    jobs: Int = MachineCores.count, timeout: Double? = nil,
    memoryBudget: Int = MachineMemory().defaultBudget, memoryPerJob: Int? = nil, niceness: Int = 0,
    keepFolder: String? = nil, workerExecutable: String = RunnerConfiguration.ownExecutable,
    renewAfter: Int = 200, limits: ReadLimits = ReadLimits(), externalMetrics: [ExternalMetric] = []
  ) {
    self.jobs = max(1, jobs)
    self.timeout = timeout
    self.memoryBudget = memoryBudget
    self.memoryPerJob = memoryPerJob
    self.niceness = niceness
    self.keepFolder = keepFolder
    self.workerExecutable = workerExecutable
    self.renewAfter = max(1, renewAfter)
    self.limits = limits
    self.externalMetrics = externalMetrics
  }

  /// The running program itself, even when its file has been replaced meanwhile.
  package static var ownExecutable: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments.first ?? "heicbench"
    #endif
  }

  /// Seconds that a point of so many pixels may take: what was set, or a minute and half a minute per megapixel, at most an
  /// hour, for each repeat. The slowest presets of x265 and aom need about 20 seconds per megapixel. A header may claim any
  /// number of pixels, and must not have a process stay for days.
  package func timeout(pixels: Int, repeats: Int) -> Double {
    timeout ?? min(60 + 30 * Double(pixels) / 1e6, 3600) * Double(max(1, repeats))
  }

  /// Starts a worker where a sandbox is required, before there is a build whose libraries would run code of their own.
  /// - Throws: where it is not held, or cannot be started.
  package func checkSandbox() throws {
    guard requiresSandbox else { return }
    var launch = launch(preparation: Preparation(), metrics: [])
    launch.setup.externalMetrics = []
    try WorkerProcess(launch).begin()
  }

  /// How the run's workers are started. `metrics` may name external ones too.
  package func launch(preparation: Preparation, metrics: [String]) -> WorkerLaunch {
    let external = Set(externalMetrics.map(\.id))
    let machine = MachineMemory().bytes
    let memoryLimit = memoryPerJob ?? (machine > 0 ? machine : nil)
    return WorkerLaunch(
      executable: workerExecutable, memoryLimit: memoryLimit, niceness: niceness,
      requiresSandbox: requiresSandbox,
      setup: WorkerSetup(
        preparation: preparation, limits: limits, metrics: metrics.filter { !external.contains($0) },
        externalMetrics: externalMetrics,
        memoryLimit: memoryLimit, keepFolder: keepFolder))
  }
}
