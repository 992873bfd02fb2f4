package import Model

extension CodecRegistry {
  /// The libraries behind a format: those of its codec, else of its reader.
  package func libraries(of format: String) -> [LibraryVersion] {
    codec(format)?.traits.libraries ?? readers.lazy.compactMap { $0.libraries[format] }.first ?? []
  }

  /// Canonical spelling of the libraries that decode a format: `libraries` without the encoders.
  package func decoder(of format: String) -> String {
    libraries(of: format).filter { !Self.encoders.contains($0.name) }.canonicalSpelling
  }

  /// Libraries that take no part in decoding.
  private static let encoders: Set = ["x265", "kvazaar", "rav1e", "SVT-AV1"]
}
