import CodecKit
import Codecs
import Model
import Workers

struct ReadBuilds {
  let tried: TriedBuilds
  private let scoresThroughBuilds: Bool

  /// Tries the builds of a request; throws `CodecError` or `BuildError` for those that cannot be used.
  init(_ request: DecodeCostRequest, program: String) throws {
    let spellings = request.codecs.filter { $0.build != nil }.map(\.name)
    for spelling in spellings { try TriedBuilds.check(spelling, among: request.builds) }
    tried = try TriedBuilds(request.builds, spellings: spellings, system: .standard, program: program)
    scoresThroughBuilds = request.scoresThroughBuilds
  }

  /// The libraries that take part in reading: for files as found, the system's and those of builds that differ from
  /// them; for files of codecs, those of the variants.
  func libraries(of formats: Set<String>, _ variants: [VariantDescription]) -> [ReadPlan.Decoder: String] {
    var libraries: [ReadPlan.Decoder: String] = [:]
    for format in formats {
      let system = CodecRegistry.standard.libraries(of: format)
      libraries[ReadPlan.Decoder(format)] = system.canonicalSpelling
      for build in tried.builds {
        let variant = CodecVariant(codec: format, build: build.name)
        guard let traits = tried.traits(of: variant), traits.absence == nil, traits.libraries != system
        else { continue }
        let description = VariantDescription(
          variant: variant, libraries: traits.libraries, threads: 1,
          decoder: scoresThroughBuilds ? nil : system)
        libraries[ReadPlan.Decoder(format, build: build.name)] = description.librariesInKey
      }
    }
    for description in variants {
      let variant = description.variant
      libraries[ReadPlan.Decoder(variant.codec, build: variant.build)] = description.librariesInKey
    }
    return libraries
  }

  /// Throws for a build that would read nothing and be ignored in silence.
  func refuseIdle(_ plan: ReadPlan) throws {
    let named = Set(plan.encodings.compactMap(\.variant.build))
    for build in plan.builds where !named.contains(build) {
      guard !plan.entries.contains(where: { plan.reads(build, $0) }) else { continue }
      throw HeicBenchError(
        .usage,
        "build “\(build)” has no library of its own that reads these files; name a codec with it, such as "
          + "--codec heic@\(build)")
    }
  }
}
