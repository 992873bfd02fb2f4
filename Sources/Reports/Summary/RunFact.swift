package import Model
package import Store

/// A row of the table on the making of a run.
package struct RunFact: Sendable, Hashable {
  /// The subject, such as `Machine`.
  package var title: String
  package var value: Cell

  package static let columns: [Column<RunFact>] = [
    Column("fact", title: "What", alignment: .leading) { .text($0.title) },
    Column("value", title: "Value", alignment: .leading) { $0.value },
  ]

  /// The facts that a reader needs to repeat or to doubt a run.
  package static func facts(of manifest: RunManifest) -> [RunFact] {
    [
      RunFact(title: "Command", value: .code(command(manifest.command))),
      RunFact(title: "Started", value: .text(manifest.started)),
      RunFact(title: "Corpus", value: .code(manifest.roots.joined(separator: " "))),
      RunFact(title: "Prepared", value: .text(manifest.preparation.canonicalSpelling)),
      manifest.target.map { RunFact(title: "Target", value: .code($0)) },
      manifest.qualities.isEmpty
        ? nil
        : RunFact(
          title: "Qualities", value: .text(manifest.qualities.map(\.description).joined(separator: ", "))),
      passedOver(manifest.passedOver),
      manifest.shard.map { RunFact(title: "Shard", value: .text($0)) },
      RunFact(title: "Jobs", value: .text(jobs(manifest))),
    ].compactMap(\.self) + defaults(manifest) + libraries(manifest) + machine(manifest.machine)
      + (manifest.sandbox.map { [RunFact(title: "Sandbox of the workers", value: .text($0.summary))] } ?? [])
      + [RunFact(title: "Cite as", value: .text(citation(of: manifest)))]
  }

  /// The program, libraries and date for quotations: `heicbench 0.2.0 with libheif 1.15.1, run of 2026-11-22`.
  private static func citation(of manifest: RunManifest) -> String {
    var libraries: [String] = []
    for library in manifest.variants.flatMap(\.libraries) {
      let name = "\(library.name) \(library.version)"
      if !libraries.contains(name) { libraries.append(name) }
    }
    let names = libraries.isEmpty ? "" : " with \(libraries.joined(separator: ", "))"
    return "heicbench \(manifest.version)\(names), run of \(manifest.started.prefix(10))"
  }

  private static func jobs(_ manifest: RunManifest) -> String {
    let threads = Set(manifest.variants.map(\.threads)).sorted()
    let spelling = threads.isEmpty ? "1" : threads.map(String.init).joined(separator: " or ")
    let noun = threads.last ?? 1 == 1 ? "thread" : "threads"
    let repeats = manifest.repeats == 1 ? "each point once" : "each point \(manifest.repeats) times"
    return "\(manifest.jobs) side by side, \(spelling) encoder \(noun) each, \(repeats)"
  }

  /// The behaviour of codecs for settings that are not stated.
  private static func defaults(_ manifest: RunManifest) -> [RunFact] {
    var codecs: [String] = []
    for variant in manifest.variants.map(\.variant) where !codecs.contains(variant.codec) {
      codecs.append(variant.codec)
    }
    return codecs.compactMap { codec in
      guard let text = manifest.defaults?[codec], !text.isEmpty else { return nil }
      return RunFact(title: "Defaults of \(codec)", value: .text(text))
    }
  }

  private static func libraries(_ manifest: RunManifest) -> [RunFact] {
    manifest.variants.map { description in
      RunFact(
        title: "Libraries of \(description.variant.name)",
        value: .text(description.libraries.map(\.description).joined(separator: ", ")))
    }
  }

  private static func machine(_ machine: MachineDescription) -> [RunFact] {
    var processor = "\(machine.processor), \(machine.cores) cores"
    if let quota = machine.quotaCores {
      processor += ", quota \(Numerals.short((quota * 1000).rounded() / 1000)) cores"
    }
    if let governor = machine.governor { processor += ", governor \(governor)" }
    return [
      RunFact(title: "Machine", value: .text("\(machine.host), \(machine.system)")),
      RunFact(title: "Processor", value: .text(processor)),
      RunFact(
        title: "Memory",
        value: .text(Numerals.fixed(Double(machine.memoryBytes) / 0x1p30, decimals: 1) + " GiB")),
      machine.loadAverage.map {
        RunFact(title: "Load at the start", value: .text(Numerals.fixed($0, decimals: 2)))
      },
    ].compactMap(\.self)
  }

  private static func passedOver(_ counts: [String: Int]) -> RunFact? {
    let phrases = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return phrases.isEmpty
      ? nil : RunFact(title: "Files passed over", value: .text(phrases.joined(separator: ", ")))
  }

  /// The command with words of special characters in single quotes, as a shell takes them.
  private static func command(_ words: [String]) -> String {
    words.map { word in
      let isPlain = !word.isEmpty && word.utf8.allSatisfy { isPlainByte($0) }
      return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }

  private static func isPlainByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: "-_./:=,+%@".utf8.contains(byte)
    }
  }
}
