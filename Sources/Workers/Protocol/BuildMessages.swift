package import CodecKit
package import Model

/// Spellings of variants to resolve with the libraries that a worker has loaded.
struct InspectRequest: Codable, Sendable {
  /// As `--codec` takes them.
  var spellings: [String]
}

/// A variant with what its codec says of it, as a worker's libraries have it.
package struct ResolvedVariant: Codable, Sendable {
  /// The variant in its canonical spelling.
  package var variant: CodecVariant
  /// The rasters that it takes.
  package var support: PixelSupport
}

/// What a process has loaded, and what it makes of spellings of variants.
package struct LibraryInspection: Codable, Sendable {
  /// The shared libraries, in the linker's order.
  package var files: [MappedFile]
  /// The codecs as these libraries offer them.
  package var codecs: [CodecTraits]
  /// By spelling.
  package var variants: [String: ResolvedVariant]
  /// Why a spelling is refused, by spelling.
  package var refusals: [String: String]
}

extension LibraryInspection {
  /// Looks at this process.
  init(_ registry: CodecRegistry, spellings: [String]) {
    files = registry.mappedFiles()
    codecs = registry.codecs.map(\.traits).filter { !$0.isHidden }
    (variants, refusals) = ([:], [:])
    for spelling in spellings {
      do {
        let variant = try registry.variant(spelling, allowingAbsent: true)
        guard let codec = registry.codec(variant.codec) else { continue }
        variants[spelling] = ResolvedVariant(variant: variant, support: codec.support(for: variant))
      } catch {
        refusals[spelling] = error.description
      }
    }
  }
}

/// Pixels that another worker has handed over.
struct TakeRequest: Codable, Sendable {
  /// The image that they are of.
  var identity: ImageIdentity
}

/// An encoded file to score against the open image.
struct EncodedScoreRequest: Codable, Sendable {
  /// What it was encoded with.
  var variant: CodecVariant
  /// Position on the quality axis.
  var quality: Quality
  /// The libraries that it is to be decoded with; nil leaves them unchecked.
  var libraries: String?
  /// Seconds that each external metric may take.
  var commandSeconds: Double
}

/// What the scores of a file are.
struct ScoredFile: Codable, Sendable {
  /// SHA-256 of the file that was scored.
  var hash: String
  /// As in `Measurement`.
  var scores: [String: Double]
  /// As in `Measurement`.
  var failedScores: [String: String]
  /// As in `Measurement`.
  var scoringCPUNanoseconds: Int64
  /// As in `Measurement`.
  var remarks: [String]
}
