/// The machine that a run was made on, as far as it bears on times.
public struct MachineDescription: Sendable, Hashable, Codable {
  /// The host's name.
  public var host: String
  /// Operating system and release.
  public var system: String
  /// The processor's model name.
  public var processor: String
  /// Cores that the process may use.
  public var cores: Int
  /// Memory of the machine or its control group, bytes.
  public var memoryBytes: Int
  /// The frequency governor, where the system tells.
  public var governor: String?
  /// The control group's CPU quota in cores, where there is one.
  public var quotaCores: Double?
  /// The one-minute load average when the run began.
  public var loadAverage: Double?

  /// Describes a machine.
  public init(
    host: String, system: String, processor: String, cores: Int, memoryBytes: Int,
    governor: String? = nil, quotaCores: Double? = nil, loadAverage: Double? = nil
  ) {
    self.host = host
    self.system = system
    self.processor = processor
    self.cores = cores
    self.memoryBytes = memoryBytes
    self.governor = governor
    self.quotaCores = quotaCores
    self.loadAverage = loadAverage
  }
}

/// A variant of a run, with the library versions it was measured with.
public struct VariantDescription: Sendable, Hashable, Codable {
  /// Codec and settings.
  public var variant: CodecVariant
  /// The versions of all libraries that the codec stands on.
  public var libraries: [LibraryVersion]
  /// Encoder threads of each job.
  public var threads: Int

  /// Describes a variant.
  public init(variant: CodecVariant, libraries: [LibraryVersion], threads: Int) {
    self.variant = variant
    self.libraries = libraries
    self.threads = threads
  }
}

/// Everything about a run that is not a measurement: what was asked for, of what, where and with what.
public struct RunManifest: Sendable, Hashable, Codable {
  /// heicbench's own version.
  public var version: String
  /// When the run began, ISO 8601 in UTC.
  public var started: String
  /// The command line, without the path of the program.
  public var command: [String]
  /// The corpus roots as given.
  public var roots: [String]
  /// The machine.
  public var machine: MachineDescription
  /// The variants, in the order in which tables show them; the first is what the others are compared with.
  public var variants: [VariantDescription]
  /// The qualities; empty for a target search, which finds its own.
  public var qualities: [Quality]
  /// What was measured beside these qualities; nil where that was nothing.
  public var refinement: Refinement?
  /// The target of a search, such as `ssimulacra2=80`; nil for a plain sweep.
  public var target: String?
  /// How images were prepared.
  public var preparation: Preparation
  /// The metrics, in the order in which tables show them.
  public var metrics: [MetricTraits]
  /// What stands behind the metrics that are programs, by identifier: a digest of the command's words and of the
  /// contents of program and scripts. Scores of another digest are another metric's. Nil in runs of 0.1.0.
  public var metricPrograms: [String: String]?
  /// Jobs side by side.
  public var jobs: Int
  /// Repeats of each timed call.
  public var repeats: Int
  /// Files passed over, by reason: `hidden`, `not an image`, `not a regular file`, `unreadable`.
  public var passedOver: [String: Int]
  /// The first hundred names of the files passed over, by reason; nil in runs of 0.1.0.
  public var passedOverNames: [String: [String]]?
  /// What the defaults of the run's codecs come to, by codec; nil for runs of 0.1.0.
  public var defaults: [String: String]?
  /// The shard, such as `3/16`; nil for a whole run.
  public var shard: String?

  /// Describes a run.
  public init(
    version: String, started: String, command: [String], roots: [String], machine: MachineDescription,
    variants: [VariantDescription], qualities: [Quality], refinement: Refinement? = nil,
    target: String? = nil, preparation: Preparation,
    metrics: [MetricTraits], jobs: Int, repeats: Int, passedOver: [String: Int] = [:], shard: String? = nil
  ) {
    self.version = version
    self.started = started
    self.command = command
    self.roots = roots
    self.machine = machine
    self.variants = variants
    self.qualities = qualities
    self.refinement = refinement
    self.target = target
    self.preparation = preparation
    self.metrics = metrics
    self.jobs = jobs
    self.repeats = repeats
    self.passedOver = passedOver
    self.shard = shard
  }
}
