import CodecKit
import Codecs
import Model
import Workers

extension TriedBuilds {
  /// Tries every build that codecs name. Throws for a build that none names, which would be ignored in silence.
  /// - Throws: `HeicBenchError`, `CodecError` or `BuildError`.
  init(_ builds: [LibraryBuild], namedBy codecs: [CodecVariant], program: String) throws {
    let spellings = codecs.filter { $0.build != nil }.map(\.name)
    for spelling in spellings { try Self.check(spelling, among: builds) }
    let named = Set(codecs.compactMap(\.build))
    if let idle = builds.first(where: { !named.contains($0.name) }) {
      throw HeicBenchError(.usage, "no --codec names build “\(idle.name)”; say --codec heic@\(idle.name)")
    }
    try self.init(builds, spellings: spellings, system: .standard, program: program)
  }
}
