import CodecKit
import Model
import Synchronization
import Workers

/// The codecs and settings that a side can show. A worker with a build's libraries reads the build's spellings.
final class VariantResolver: Sendable {
  /// The most spellings of builds to keep; a page uses few.
  private static let mostSpellings = 500

  private let registry: CodecRegistry
  private let builds: TriedBuilds
  private let program: String
  private let resolved = Mutex<[String: ResolvedVariant]>([:])

  init(registry: CodecRegistry, builds: [LibraryBuild], program: String) throws {
    (self.registry, self.program) = (registry, program)
    self.builds = try TriedBuilds(builds, spellings: [], system: registry, program: program)
  }

  var libraryBuilds: [LibraryBuild] { builds.builds }

  var choices: [PageEvent.Codec] {
    func offered(_ codecs: [CodecTraits], _ build: LibraryBuild?) -> [PageEvent.Codec] {
      codecs.filter { !$0.isHidden && $0.absence == nil }.map { PageEvent.Codec($0, build: build?.name) }
    }
    return offered(registry.codecs.map(\.traits), nil)
      + builds.builds.flatMap { offered(builds.inspection(of: $0.name)?.codecs ?? [], $0) }
  }

  /// Parses a `--codec` value. A new value for a build waits about ten milliseconds for a worker to start.
  func variant(_ spelling: String) throws -> CodecVariant {
    guard let name = TriedBuilds.build(of: spelling) else { return try registry.variant(spelling) }
    if let known = resolved.withLock({ $0[spelling] }) { return known.variant }
    try TriedBuilds.check(spelling, among: builds.builds)
    let mine = builds.builds.filter { $0.name == name }
    let found = try TriedBuilds(mine, spellings: [spelling], system: registry, program: program).variant(
      spelling)
    resolved.withLock { variants in
      if variants.count >= Self.mostSpellings { variants = [:] }
      variants[spelling] = found
      variants[found.variant.name] = found
    }
    return found.variant
  }

  func traits(of variant: CodecVariant) -> CodecTraits? {
    builds.traits(of: variant) ?? registry.codec(variant.codec)?.traits
  }

  func preparation(for variants: [CodecVariant]) -> Preparation {
    Preparation(
      for: variants.compactMap { variant in
        resolved.withLock { $0[variant.name]?.support }
          ?? registry.codec(variant.codec)?.support(for: variant)
      })
  }
}
