/// The machine of a run, as far as it affects times.
package struct MachineDescription: Sendable, Hashable, Codable {
  package var host: String
  package var system: String
  package var processor: String
  package var cores: Int
  /// Memory of the machine or its control group, in bytes.
  package var memoryBytes: Int
  package var governor: String?
  /// The control group's CPU quota in cores; nil if there is none.
  package var quotaCores: Double?
  /// The one-minute load average at the start of the run.
  package var loadAverage: Double?

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

package struct VariantDescription: Sendable, Hashable, Codable {
  package var variant: CodecVariant
  package var libraries: [LibraryVersion]
  /// Encoder threads per job.
  package var threads: Int
  /// The system libraries used to decode the files of a build for scoring; nil if the libraries that encoded also
  /// decoded.
  package var decoder: [LibraryVersion]?

  package init(
    variant: CodecVariant, libraries: [LibraryVersion], threads: Int, decoder: [LibraryVersion]? = nil
  ) {
    self.variant = variant
    self.libraries = libraries
    self.threads = threads
    self.decoder = decoder
  }

  /// All libraries that affect sizes and scores, as part of a measurement's key.
  package var librariesInKey: String {
    let own = libraries.canonicalSpelling
    return decoder.map { own + LibrarySpelling.scoredThrough + $0.canonicalSpelling } ?? own
  }
}

/// Everything about a run that is not a measurement: its parameters, inputs, machine and libraries.
package struct RunManifest: Sendable, Hashable, Codable {
  package var version: String
  /// Start of the run, ISO 8601 in UTC.
  package var started: String
  /// The command line without the program's path.
  package var command: [String]
  package var roots: [String]
  package var machine: MachineDescription
  /// The variants in table order; the first is the reference of comparisons.
  package var variants: [VariantDescription]
  /// The qualities; empty for a target search, which finds its own.
  package var qualities: [Quality]
  /// Points measured outside these qualities; nil for none.
  package var refinement: Refinement?
  /// The target of a search, such as `ssimulacra2=80`; nil for a plain sweep.
  package var target: String?
  package var preparation: Preparation
  package var metrics: [MetricTraits]
  /// Digests of metrics that are programs, by identifier, over the command's words and the contents of program and
  /// scripts. Scores with another digest belong to another metric. Nil in runs of 0.1.0.
  package var metricPrograms: [String: String]?
  package var jobs: Int
  package var repeats: Int
  /// Files skipped, by reason: `hidden`, `not an image`, `not a regular file`, `unreadable`.
  package var passedOver: [String: Int]
  /// The first hundred names of skipped files, by reason; nil in runs of 0.1.0.
  package var passedOverNames: [String: [String]]?
  /// Skipped files in formats that heicbench does not read; nil without any, and in runs up to 0.2.0.
  package var unread: [UnreadFormat]?
  /// The effective defaults of the run's codecs, by codec; nil for runs of 0.1.0.
  package var defaults: [String: String]?
  /// The shard, such as `3/16`; nil for a whole run.
  package var shard: String?
  /// The sample that the images form; nil for a whole folder, and in runs up to 0.2.0.
  package var sample: DrawnSample?
  /// True for a run that measured everything again; nil for others, and in runs up to 0.2.0.
  package var isFresh: Bool?
  /// The title of the reports; nil to name the codecs.
  package var title: String?
  /// The library builds that variants name; nil in runs of versions without builds.
  package var builds: [LibraryBuild]?
  /// Imported series of other encoders, in table order after the variants; nil for none.
  package var imports: [ImportedSeries]?
  /// The sandbox common to all workers that encoded and scored; nil without any, and in runs up to 0.2.0.
  package var sandbox: SandboxStatus?
  /// Each encoder's own list of the settings it used, by the variant's name; nil if no encoder gave one, and in runs up
  /// to 0.2.0.
  package var settingsAsRun: [String: String]?

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
  /// The imported series in the tables: none beside a search, which covers only one score.
  package var shownImports: [ImportedSeries] { target == nil ? imports ?? [] : [] }

  /// The variants of the tables: measured ones first, then imported ones.
  package var shownVariants: [CodecVariant] { variants.map(\.variant) + shownImports.map(\.variant) }
}

extension MachineDescription {
  /// True if times with this origin come from this run's machine. A merged run has several machines, with names joined
  /// by commas.
  package func includes(_ origin: TimesOrigin) -> Bool {
    Self.contains(host, origin.host) && Self.contains(processor, origin.processor)
  }

  /// A processor's own name may have a comma: `AMD A10-7850K Radeon R7, 12 Compute Cores 4C+8G`.
  private static func contains(_ names: String, _ name: String) -> Bool {
    names == name || !name.isEmpty && ", \(names), ".contains(", \(name), ")
  }
}
