import CodecKit
import Model
import Synchronization
import Workers

/// The codecs and settings that a side can show: those of the system's libraries, and those of builds, whose spellings
/// a worker with the build's libraries reads.
final class VariantBook: Sendable {
  /// How many spellings of builds are kept; a page spells few.
  private static let mostSpellings = 500

  private let registry: CodecRegistry
  private let builds: TriedBuilds
  private let program: String
  private let resolved = Mutex<[String: ResolvedVariant]>([:])

  /// Tries the builds.
  /// - Throws: `BuildError` for a folder that is no build of the libraries.
  init(registry: CodecRegistry, builds: [LibraryBuild], program: String) throws {
    (self.registry, self.program) = (registry, program)
    self.builds = try TriedBuilds(builds, spellings: [], system: registry, program: program)
  }

  /// The builds, in the order given.
  var libraryBuilds: [LibraryBuild] { builds.builds }

  /// The codecs that can be chosen, the system's first; those of a build are called `heic@NAME`.
  var choices: [PageEvent.Codec] {
    func offered(_ codecs: [CodecTraits], _ build: LibraryBuild?) -> [PageEvent.Codec] {
      codecs.filter { !$0.isHidden && $0.absence == nil }.map { PageEvent.Codec($0, build: build?.name) }
    }
    return offered(registry.codecs.map(\.traits), nil)
      + builds.builds.flatMap { offered(builds.inspection(of: $0.name)?.codecs ?? [], $0) }
  }

  /// Reads what `--codec` takes. One of a build that was not met before waits for a worker to start, some ten
  /// milliseconds.
  /// - Throws: an error for the page, of a codec, setting or build that is not there.
  func variant(_ spelling: String) throws -> CodecVariant {
    guard let name = TriedBuilds.build(of: spelling) else { return try registry.variant(spelling) }
    if let known = resolved.withLock({ $0[spelling] }) { return known.variant }
    try TriedBuilds.check(spelling, among: builds.builds)
    let mine = builds.builds.filter { $0.name == name }
    let found = try TriedBuilds(mine, spellings: [spelling], system: registry, program: program).variant(
      spelling)
    resolved.withLock { book in
      if book.count >= Self.mostSpellings { book = [:] }
      book[spelling] = found
      book[found.variant.name] = found
    }
    return found.variant
  }

  /// What is fixed about a variant's codec; nil where there is no such codec.
  func traits(of variant: CodecVariant) -> CodecTraits? {
    builds.traits(of: variant) ?? registry.codec(variant.codec)?.traits
  }

  /// How pictures are prepared for these variants, as a sweep of them would.
  func preparation(for variants: [CodecVariant]) -> Preparation {
    Preparation(
      for: variants.compactMap { variant in
        resolved.withLock { $0[variant.name]?.support }
          ?? registry.codec(variant.codec)?.support(for: variant)
      })
  }
}
