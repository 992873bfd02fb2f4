import CodecKit
import Codecs
import Model
import Workers

extension CodecVariant {
  /// Parses a `--codec` value: a codec with optional settings, such as `heic:chroma=444,preset=medium`. The settings of
  /// a codec with its own build (`heic@new:preset=medium`) are checked together with the build.
  /// - Throws: `HeicBenchError` that lists the alternatives.
  public init(_ spelling: String) throws {
    guard let build = TriedBuilds.build(of: spelling) else {
      self = try HeicBenchError.mapping { try CodecRegistry.standard.variant(spelling) }
      return
    }
    guard LibraryBuild.isName(build) else {
      throw HeicBenchError(.usage, "“\(spelling)”: write the name of a --build after the @")
    }
    guard let variant = CodecVariant(unchecked: spelling) else {
      throw HeicBenchError(.usage, "“\(spelling)”: a setting is given twice")
    }
    self = variant
  }

  /// Parses a `--codec` value with lists in braces: `heic:preset={fast,slow}` gives two variants, and two lists give
  /// all combinations, the last list changing fastest.
  /// - Throws: `HeicBenchError` that lists the alternatives.
  package static func all(in spelling: String) throws -> [CodecVariant] {
    let spellings: [String]
    do throws(BraceExpansion.Problem) {
      spellings = try BraceExpansion.expand(spelling)
    } catch {
      throw HeicBenchError(.usage, "“\(spelling)”: \(error)")
    }
    return try spellings.map { try CodecVariant($0) }
  }
}

extension TriedBuilds {
  /// Tries every build that codecs name. Throws for a build that no codec names, which would otherwise be ignored
  /// silently.
  /// - Throws: `HeicBenchError`, `CodecError` or `BuildError`.
  init(_ builds: [LibraryBuild], namedBy codecs: [CodecVariant], program: String) throws {
    let spellings = codecs.filter { $0.build != nil }.map(\.name)
    for spelling in spellings { try Self.check(spelling, among: builds) }
    let named = Set(codecs.compactMap(\.build))
    if let idle = builds.first(where: { !named.contains($0.name) }) {
      throw HeicBenchError(.usage, "no --codec uses build “\(idle.name)”; add --codec heic@\(idle.name)")
    }
    try self.init(builds, spellings: spellings, system: .standard, program: program)
  }
}
