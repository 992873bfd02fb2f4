import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Workers

/// Lists the codecs with their settings and library versions.
public struct CodecListing {
  private let codecs: [CodecTraits]
  private let build: LibraryBuild?

  /// Lists all codecs or one, with the system's libraries or with another build of them.
  /// - Throws: `HeicBenchError` that lists the alternatives, or says why the build cannot be used.
  public init(_ codec: String? = nil, build: LibraryBuild? = nil) throws {
    let id = try codec.map { try CodecVariant($0).codec }
    let tried = try HeicBenchError.mapping {
      try TriedBuilds(build.map { [$0] } ?? [], spellings: [], system: .standard)
    }
    self.build = tried.builds.first
    let traits =
      build.flatMap { tried.inspection(of: $0.name)?.codecs } ?? CodecRegistry.standard.codecs.map(\.traits)
    codecs = traits.filter { traits in id.map { $0 == traits.id } ?? !traits.isHidden }
  }

  /// The identifiers of the codecs, as requests name them.
  public var names: [String] { codecs.map(\.id) }

  private struct Setting: Encodable {
    let key, allowed, `default`, summary: String
  }

  private struct Codec: Encodable {
    let id, title, fileExtension: String
    let libraries: [LibraryVersion]
    let nativeQuality: [Int]
    let settings: [Setting]
    let absence: String?
    /// The build of the libraries; nil for the system's.
    let build: LibraryBuild?

    init(_ traits: CodecTraits, of build: LibraryBuild?) {
      (id, title, fileExtension) = (traits.id, traits.title, traits.fileExtension)
      (libraries, absence, self.build) = (traits.libraries, traits.absence, build)
      nativeQuality = [traits.nativeQuality.lowerBound, traits.nativeQuality.upperBound]
      settings = traits.settings.map {
        Setting(key: $0.key, allowed: $0.allowedValues, default: $0.defaultValue, summary: $0.summary)
      }
    }
  }

  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return String(decoding: try encoder.encode(codecs.map { Codec($0, of: build) }), as: UTF8.self) + "\n"
  }

  /// One paragraph per codec, after one about the build of the libraries.
  package func text() -> String {
    let head = build.map { build in
      "build \(build.name): \(build.folder)\n" + build.files.map { "  \($0)\n" }.joined() + "\n"
    }
    return (head ?? "") + codecs.map(Self.text).joined(separator: "\n") + absentReaders
  }

  /// A line for each format that cannot be read because its library is missing, shown after a list of all the system's
  /// codecs.
  private var absentReaders: String {
    guard build == nil, codecs.count > 1 else { return "" }
    return CodecRegistry.standard.readers.compactMap { reader in
      reader.absence.map { "\n\(reader.formats.joined(separator: ", ")) cannot be read: \($0)\n" }
    }.joined()
  }

  private static func text(_ codec: CodecTraits) -> String {
    if let absence = codec.absence { return "\(codec.id): \(codec.title)\n  cannot be used: \(absence)\n" }
    let columns: [Column<SettingSpecification>] = [
      .text("setting", "setting") { $0.key },
      .text("default", "default") { $0.defaultValue },
      .text("summary", "what it does") { $0.summary },
      .text("allowed", "allowed") { $0.allowedValues },
    ]
    let table = TextTableWriter(columns).table(codec.settings)
      .split(separator: "\n").map { "  \($0)\n" }.joined()
    return """
      \(codec.id): \(codec.title)
        libraries: \(codec.libraries.map(\.fullDescription).joined(separator: ", "))
        native quality: \(codec.nativeQuality.lowerBound) to \(codec.nativeQuality.upperBound)

      \(codec.settings.isEmpty ? "  no settings\n" : table)
      """
  }
}
