/// What sample values mean as colours.
///
/// Readers turn every other description (gAMA and cHRM chunks, CICP code points) into an ICC profile, so
/// that encoders can embed it and metrics can hand it to a colour management system.
package enum ColorProfile: Sendable, Hashable {
  /// IEC 61966-2-1 sRGB, also assumed of images that say nothing.
  case sRGB
  /// The bytes of an ICC profile (ICC.1), for gray or RGB data as the image's layout has it.
  case icc([UInt8])

  /// Whether an encoder has to embed the profile for the colours to survive.
  package var needsEmbedding: Bool { self != .sRGB }

  /// The ICC bytes, or nil for plain sRGB.
  package var iccBytes: [UInt8]? {
    if case .icc(let bytes) = self { bytes } else { nil }
  }
}
