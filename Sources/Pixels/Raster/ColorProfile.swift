/// The colour meaning of sample values.
///
/// Readers turn every other description (gAMA and cHRM chunks, CICP code points) into an ICC profile, which encoders
/// can embed and metrics can pass to a colour management system.
package enum ColorProfile: Sendable, Hashable {
  /// IEC 61966-2-1 sRGB, also assumed of images without a description.
  case sRGB
  /// An ICC profile (ICC.1) for gray or RGB data, matching the image's layout.
  case icc([UInt8])

  /// True if an encoder must embed the profile to preserve the colours.
  package var needsEmbedding: Bool { self != .sRGB }

  /// The ICC bytes, or nil for plain sRGB.
  package var iccBytes: [UInt8]? {
    if case .icc(let bytes) = self { bytes } else { nil }
  }
}
