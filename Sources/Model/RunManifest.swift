/// The machine that a run was made on, as far as it bears on times.
package struct MachineDescription: Sendable, Hashable, Codable {
  /// The host's name.
  package var host: String
  /// Operating system and release.
  package var system: String
  /// The processor's model name.
  package var processor: String
  /// Cores that the process may use.
  package var cores: Int
  /// Memory of the machine or its control group, bytes.
  package var memoryBytes: Int
  /// The frequency governor, where the system tells.
  package var governor: String?
  /// The control group's CPU quota in cores, where there is one.
  package var quotaCores: Double?
  /// The one-minute load average when the run began.
  package var loadAverage: Double?

  /// Describes a machine.
  package init(
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
package struct VariantDescription: Sendable, Hashable, Codable {
  /// Codec and settings.
  package var variant: CodecVariant
  /// The versions of all libraries that the codec stands on.
  package var libraries: [LibraryVersion]
  /// Encoder threads of each job.
  package var threads: Int
  /// The libraries of the system through which the files of a build were scored; nil where files were scored
  /// through the libraries that encoded them.
  package var decoder: [LibraryVersion]?

  /// Describes a variant.
  package init(
    variant: CodecVariant, libraries: [LibraryVersion], threads: Int, decoder: [LibraryVersion]? = nil
  ) {
    self.variant = variant
    self.libraries = libraries
    self.threads = threads
    self.decoder = decoder
  }

  /// Everything that sizes and scores depend on among libraries, as it is part of a measurement's key.
  package var librariesInKey: String {
    let own = libraries.canonicalSpelling
    return decoder.map { own + LibrarySpelling.scoredThrough + $0.canonicalSpelling } ?? own
  }
}

/// Everything about a run that is not a measurement: what was asked for, of what, where and with what.
package struct RunManifest: Sendable, Hashable, Codable {
  /// heicbench's own version.
  package var version: String
  /// When the run began, ISO 8601 in UTC.
  package var started: String
  /// The command line, without the path of the program.
  package var command: [String]
  /// The corpus roots as given.
  package var roots: [String]
  /// The machine.
  package var machine: MachineDescription
  /// The variants, in the order in which tables show them; the first is what the others are compared with.
  package var variants: [VariantDescription]
  /// The qualities; empty for a target search, which finds its own.
  package var qualities: [Quality]
  /// What was measured beside these qualities; nil where that was nothing.
  package var refinement: Refinement?
  /// The target of a search, such as `ssimulacra2=80`; nil for a plain sweep.
  package var target: String?
  /// How images were prepared.
  package var preparation: Preparation
  /// The metrics, in the order in which tables show them.
  package var metrics: [MetricTraits]
  /// What stands behind the metrics that are programs, by identifier: a digest of the command's words and of the
  /// contents of program and scripts. Scores of another digest are another metric's. Nil in runs of 0.1.0.
  package var metricPrograms: [String: String]?
  /// Jobs side by side.
  package var jobs: Int
  /// Repeats of each timed call.
  package var repeats: Int
  /// Files passed over, by reason: `hidden`, `not an image`, `not a regular file`, `unreadable`.
  package var passedOver: [String: Int]
  /// The first hundred names of the files passed over, by reason; nil in runs of 0.1.0.
  package var passedOverNames: [String: [String]]?
  /// What the defaults of the run's codecs come to, by codec; nil for runs of 0.1.0.
  package var defaults: [String: String]?
  /// The shard, such as `3/16`; nil for a whole run.
  package var shard: String?
  /// What the reports are to be called; nil to name the codecs.
  package var title: String?
  /// The builds of the libraries that variants name; nil in runs of before there were any.
  package var builds: [LibraryBuild]?
  /// What other encoders made of the run's images, in the order of the tables, behind the variants; nil for nothing.
  package var imports: [ImportedSeries]?
  /// What the kernel held all workers with that encoded and scored; nil where none was started, and in runs of 0.2.0 and before.
  package var sandbox: SandboxStatus?

  /// Describes a run.
  package init(
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

extension RunManifest {
  /// The variants of the tables: those that were measured, then those of imported files.
  package var shownVariants: [CodecVariant] { variants.map(\.variant) + (imports ?? []).map(\.variant) }
}
