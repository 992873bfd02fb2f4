/// A codec with settings that differ from its defaults: what a column of a comparison stands for.
///
/// Settings equal to the codec's defaults are left out and the rest is sorted by key, so that two spellings
/// of one variant are one variant, with one key in the results.
public struct CodecVariant: Sendable, Hashable, Codable {
  /// The codec's identifier, such as `heic`.
  public let codec: String
  /// The settings that differ from the defaults.
  public let settings: [String: String]

  /// Names a variant. The registry canonicalises what users write; see `CodecRegistry.variant(_:)`.
  package init(codec: String, settings: [String: String] = [:]) {
    self.codec = codec
    self.settings = settings
  }

  /// The settings as `key=value` with commas between, sorted by key; empty for the defaults.
  package var canonicalSettings: String {
    settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  /// What `--codec` takes: `heic` or `heic:chroma=444,preset=medium`.
  public var name: String { settings.isEmpty ? codec : "\(codec):\(canonicalSettings)" }
}

extension CodecVariant: CustomStringConvertible {
  /// The name, as `--codec` takes it.
  public var description: String { name }
}
