/// A codec with settings that differ from its defaults: what a column of a comparison stands for.
///
/// Settings equal to the codec's defaults are left out and the rest is sorted by key, so that two spellings
/// of one variant are one variant, with one key in the results.
public struct CodecVariant: Sendable, Hashable, Codable {
  /// The codec's identifier, such as `heic`.
  public let codec: String
  /// The name of the build of the libraries that it runs with; nil for the system's own.
  public let build: String?
  /// The settings that differ from the defaults.
  public let settings: [String: String]

  /// Names a variant. The registry canonicalises what users write; see `CodecRegistry.variant(_:)`.
  package init(codec: String, build: String? = nil, settings: [String: String] = [:]) {
    self.codec = codec
    self.build = build
    self.settings = settings
  }

  /// Reads a spelling as it stands, for whoever knows the build's codecs to check; nil where a setting is there twice.
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

  /// The settings as `key=value` with commas between, sorted by key; empty for the defaults.
  package var canonicalSettings: String {
    settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  /// The codec with its build: `heic`, or `heic@new`.
  package var codecAndBuild: String { build.map { "\(codec)@\($0)" } ?? codec }

  /// What `--codec` takes: `heic`, `heic@new` or `heic:chroma=444,preset=medium`.
  public var name: String { settings.isEmpty ? codecAndBuild : "\(codecAndBuild):\(canonicalSettings)" }
}

extension CodecVariant: CustomStringConvertible {
  /// The name, as `--codec` takes it.
  public var description: String { name }
}
