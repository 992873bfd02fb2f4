/// A codec with settings that differ from its defaults: one column of a comparison.
///
/// Settings equal to the defaults are left out and the rest is sorted by key, so that all spellings of a variant have
/// the same key in the results.
public struct CodecVariant: Sendable, Hashable, Codable {
  /// The codec's identifier, such as `heic`.
  public let codec: String
  /// The name of the library build it runs with; nil for the system's own libraries.
  public let build: String?
  /// The settings that differ from the defaults.
  public let settings: [String: String]

  /// Creates a variant from parts in canonical form; `CodecRegistry.variant(_:)` canonicalises what users write.
  package init(codec: String, build: String? = nil, settings: [String: String] = [:]) {
    self.codec = codec
    self.build = build
    self.settings = settings
  }

  /// Parses a spelling without checking codec and settings; nil if a setting occurs twice.
  package init?(unchecked spelling: String) {
    let parts = spelling.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    var settings: [String: String] = [:]
    for item in parts.dropFirst().first?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
      let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count == 2 ? String(halves[1]) : "true"
      guard settings.updateValue(value, forKey: String(halves[0])) == nil else { return nil }
    }
    self.init(codec: String(names[0]), build: names.count == 2 ? String(names[1]) : nil, settings: settings)
  }

  /// True for files with an SDR base picture and a gain map, which only an HDR run makes.
  package var hasGainMap: Bool { settings["gainmap"] != nil }

  /// True if the variant recompresses a file so that it can be restored exactly.
  package var recompresses: Bool { settings["recompress"] == "true" }

  /// True if the samples or the file can be restored exactly, whatever the quality.
  package var losesNothing: Bool { recompresses || settings["lossless"] == "true" }

  /// True for a picture stored as a grid of tiles.
  package var isGrid: Bool { settings["grid"].map { $0 != "0" } ?? false }

  /// True if the settings ask for full chroma.
  package var isFullChroma: Bool { settings["chroma"] == "444" }

  /// True if the settings ask for more than 8 bits per coded sample.
  package var isDeep: Bool { (settings["depth"].flatMap { Int($0) } ?? 8) > 8 }

  /// The same variant in 4:4:4; nil if the settings state the chroma already, or it is always whole.
  package var withFullChroma: CodecVariant? {
    settings["chroma"] == nil && !losesNothing ? setting("chroma", "444") : nil
  }

  /// The same variant with one setting changed.
  package func setting(_ key: String, _ value: String) -> CodecVariant {
    CodecVariant(codec: codec, build: build, settings: settings.merging([key: value]) { $1 })
  }

  /// The settings as comma-separated `key=value`, sorted by key; empty for the defaults.
  package var canonicalSettings: String {
    settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  /// `heic`, or `heic@new` with a build.
  package var codecAndBuild: String { build.map { "\(codec)@\($0)" } ?? codec }

  /// The spelling that `--codec` takes: `heic`, `heic@new` or `heic:chroma=444,preset=medium`.
  public var name: String { settings.isEmpty ? codecAndBuild : "\(codecAndBuild):\(canonicalSettings)" }
}

extension CodecVariant: CustomStringConvertible {
  /// The spelling that `--codec` takes.
  public var description: String { name }
}

/// The codecs' display names, in the order of their colours and line patterns.
package enum CodecName {
  package static let all = [
    (id: "jpeg", title: "JPEG"), (id: "heic", title: "HEIC"), (id: "avif", title: "AVIF"),
    (id: "webp", title: "WebP"), (id: "jxl", title: "JPEG XL"),
  ]

  /// `JPEG XL` for `jxl`; an unknown identifier in capitals.
  package static func title(of id: String) -> String {
    all.first { $0.id == id }?.title ?? id.uppercased()
  }
}
