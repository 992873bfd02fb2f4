import Model

extension CodecRegistry {
  /// The libraries that decode a format, canonically spelled: those of its codec but the encoders. Empty for a format
  /// without a codec, such as PNG.
  package func decoder(of format: String) -> String {
    (codec(format)?.traits.libraries ?? []).filter { !Self.encoders.contains($0.name) }.canonicalSpelling
  }

  /// Libraries that have no part in a decode.
  private static let encoders: Set = ["x265", "kvazaar", "rav1e", "SVT-AV1"]
}
