import CodecKit
import Codecs
import Metrics
import Model
import Workers

extension CodecVariant {
  /// Parses a `--codec` value: a codec with optional settings, such as `heic:chroma=444,preset=medium`. Settings of a
  /// codec with a build of its libraries (`heic@new:preset=medium`) are checked when the build is.
  /// - Throws: `HeicBenchError` that lists the alternatives.
  public init(_ spelling: String) throws {
    guard let build = TriedBuilds.build(of: spelling) else {
      self = try HeicBenchError.mapping { try CodecRegistry.standard.variant(spelling) }
      return
    }
    guard LibraryBuild.isName(build) else {
      throw HeicBenchError(.usage, "“\(spelling)”: after the @ comes the name of a --build")
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
