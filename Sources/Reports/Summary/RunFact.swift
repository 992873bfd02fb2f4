import Model
import Store

struct RunFact {
  let title: String
  let value: Cell

  init(_ title: String, _ value: Cell) { (self.title, self.value) = (title, value) }

  static let columns: [Column<RunFact>] = [
    .text("fact", "What") { $0.title },
    Column("value", title: "Value", alignment: .leading) { $0.value },
  ]

  static func facts(of manifest: RunManifest) -> [RunFact] {
    [
      RunFact("Command", .code(manifest.command.map(ShellWord.quoted).joined(separator: " "))),
      RunFact("Started", .text(manifest.started)),
      RunFact("Corpus", .code(manifest.roots.joined(separator: " "))),
      RunFact("Prepared", .text(manifest.preparation.canonicalSpelling)),
      manifest.preparation.lightTitle.map { RunFact("Light", .text("HDR: \($0)")) },
      manifest.target.map { RunFact("Target", .code($0)) },
      manifest.qualities.isEmpty
        ? nil
        : RunFact("Qualities", .text(manifest.qualities.map(\.description).joined(separator: ", "))),
      skipped(manifest),
      (manifest.unread ?? []).isEmpty ? nil : RunFact("Cannot be read", .text(unread(manifest.unread ?? []))),
      manifest.shard.map { RunFact("Shard", .text($0)) },
      manifest.sample.map {
        RunFact(
          "Sample",
          .text(
            "\(Numerals.grouped($0.images)) of \(Numerals.counted($0.population, "image")), seed \($0.seed)"))
      },
      RunFact("Jobs", .text(jobs(manifest))),
    ].compactMap(\.self) + defaults(manifest) + settings(manifest) + libraries(manifest)
      + machine(manifest.machine)
      + (manifest.sandbox.map { [RunFact("Sandbox of the workers", .text($0.summary))] } ?? [])
      + [RunFact("Cite as", .text(citation(of: manifest)))]
  }

  /// The program, libraries and date for citations: `heicbench 0.2.0 with libheif 1.15.1, run of 2026-11-22`.
  private static func citation(of manifest: RunManifest) -> String {
    let libraries = unique(manifest.variants.flatMap(\.libraries).map { "\($0.name) \($0.version)" })
    let names = libraries.isEmpty ? "" : " with \(libraries.joined(separator: ", "))"
    return "heicbench \(manifest.version)\(names), run of \(manifest.started.prefix(10))"
  }

  private static func jobs(_ manifest: RunManifest) -> String {
    let threads = Set(manifest.variants.map(\.threads)).sorted()
    let spelling = threads.isEmpty ? "1" : threads.map(String.init).joined(separator: " or ")
    let noun = threads.last ?? 1 == 1 ? "thread" : "threads"
    let repeats = manifest.repeats == 1 ? "each encode once" : "each encode \(manifest.repeats) times"
    return "\(manifest.jobs) in parallel, \(spelling) encoder \(noun) each, \(repeats)"
  }

  private static func defaults(_ manifest: RunManifest) -> [RunFact] {
    unique(manifest.variants.map(\.variant).filter { $0.build == nil }.map(\.codec)).compactMap { codec in
      guard let text = manifest.defaults?[codec], !text.isEmpty else { return nil }
      return RunFact("Defaults of \(codec)", .text(text))
    }
  }

  /// The encoders' own logs, which show settings that the library chose beyond the requested ones.
  private static func settings(_ manifest: RunManifest) -> [RunFact] {
    manifest.variants.map(\.variant.name).compactMap { name in
      manifest.settingsAsRun?[name].map { RunFact("Settings used by \(name)", .text($0)) }
    }
  }

  private static func unique(_ texts: [String]) -> [String] {
    var told: Set<String> = []
    return texts.filter { told.insert($0).inserted }
  }

  private static func libraries(_ manifest: RunManifest) -> [RunFact] {
    manifest.variants.map { description in
      RunFact(
        "Libraries of \(description.variant.name)",
        .text(description.libraries.map(\.description).joined(separator: ", ")))
    }
  }

  private static func machine(_ machine: MachineDescription) -> [RunFact] {
    var processor = "\(machine.processor), \(machine.cores) cores"
    if let quota = machine.quotaCores {
      processor += ", quota \(Numerals.short((quota * 1000).rounded() / 1000)) cores"
    }
    if let governor = machine.governor { processor += ", governor \(governor)" }
    return [
      RunFact("Machine", .text("\(machine.host), \(machine.system)")),
      RunFact("Processor", .text(processor)),
      RunFact("Memory", .text(Numerals.fixed(Double(machine.memoryBytes) / 0x1p30, decimals: 1) + " GiB")),
      machine.loadAverage.map { RunFact("Load at the start", .text(Numerals.fixed($0, decimals: 2))) },
    ].compactMap(\.self)
  }

  private static func skipped(_ manifest: RunManifest) -> RunFact? {
    let counts = manifest.passedOver.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    let phrases = counts.map { "\($0.value) \($0.key)" }
    return phrases.isEmpty ? nil : RunFact("Files skipped", .text(phrases.joined(separator: ", ")))
  }

  /// `17 TIFF, 60.0 MB (a.tif, b.tif, c.tif, …)`
  private static func unread(_ formats: [UnreadFormat]) -> String {
    formats.map { format in
      let names = format.names.prefix(3).joined(separator: ", ") + (format.files > 3 ? ", …" : "")
      return "\(format.files) \(format.format), \(Numerals.size(Double(format.bytes))) (\(names))"
    }.joined(separator: "; ")
  }
}
