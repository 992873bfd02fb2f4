package import CodecKit
package import Model

struct InspectQuestion: Question {
  var spellings: [String]

  func reply(in session: WorkerSession, _: [UInt8]) -> LibraryInspection {
    LibraryInspection(session.registry, spellings: spellings)
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  /// A build's codecs may describe themselves as they like, so anything that becomes a key or a text is checked.
  func verify(
    _ inspection: inout LibraryInspection, by check: AnswerCheck
  ) throws(AnswerCheck.Invalid) {
    let asked = Set(spellings)
    try check.require(inspection.files.count <= 4096 && inspection.codecs.count <= 64, "its libraries")
    try check.require(
      asked.isSuperset(of: inspection.variants.keys) && asked.isSuperset(of: inspection.refusals.keys),
      "a variant that was not requested")
    inspection.files = inspection.files.map {
      MappedFile(path: check.clean($0.path), build: $0.build.map(check.clean))
    }
    inspection.refusals = inspection.refusals.mapValues(check.clean)
    inspection.codecs = inspection.codecs.map { $0.mapTexts(check.clean) }
  }
}

package struct ResolvedVariant: Codable, Sendable {
  package var variant: CodecVariant
  package var support: PixelSupport
}

package struct LibraryInspection: Codable, Sendable {
  /// The shared libraries, in the linker's order.
  package var files: [MappedFile]
  package var codecs: [CodecTraits]
  package var variants: [String: ResolvedVariant]
  package var refusals: [String: String]
}

extension LibraryInspection {
  fileprivate init(_ registry: CodecRegistry, spellings: [String]) {
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
