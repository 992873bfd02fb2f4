package import Model

extension CodecVariant {
  /// The variant in a sentence: `HEIC`, or `HEIC (chroma=444)`.
  package var title: String {
    settings.isEmpty ? shownCodec : "\(shownCodec) (\(canonicalSettings))"
  }

  /// `HEIC`, or `HEIC@new`.
  private var shownCodec: String { build.map { "\(codec.uppercased())@\($0)" } ?? codec.uppercased() }

  /// The title with what the codec's defaults come to: `HEIC (defaults: preset slow, 4:2:0)`.
  func title(defaults: [String: String]) -> String {
    guard settings.isEmpty, let text = defaults[codec] else { return title }
    return "\(shownCodec) (defaults: \(text))"
  }

  /// The title beside another variant, which may be of the same codec: `HEIC (defaults)`.
  func title(beside other: CodecVariant) -> String {
    settings.isEmpty && codecAndBuild == other.codecAndBuild ? "\(shownCodec) (defaults)" : title
  }
}

/// A number with so many digits after the point, rounded half away from zero, with a true minus sign and
/// without a negative zero.
func fixed(_ value: Double, _ decimals: Int) -> String {
  // A metric's decimals come from a manifest, which anybody can write.
  let decimals = min(max(decimals, 0), 12)
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = (value * scale).rounded()
  guard let digits = Int(exactly: scaled) else { return "\(value)" }
  let sign = digits < 0 ? "−" : ""
  guard decimals > 0 else { return sign + "\(digits.magnitude)" }
  let text = String(digits.magnitude)
  let padded = String(repeating: "0", count: max(0, decimals + 1 - text.count)) + text
  return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}

/// A score that somebody asked for, with all its digits and no more: `70`, `72.5`, `0.995`.
func brief(_ value: Double) -> String {
  if value == value.rounded() { return fixed(value, 0) }
  var scale = 1.0
  for decimals in 1...6 {
    scale *= 10
    if abs((value * scale).rounded() / scale - value) < 1e-9 { return fixed(value, decimals) }
  }
  return fixed(value, 6)
}

/// A ratio with two digits that count: `0.15`, `2.4`, `150`.
package func ratio(_ value: Double) -> String {
  switch abs(value) {
  case ..<0.0995: fixed(value, 3)
  case ..<0.995: fixed(value, 2)
  case ..<9.95: fixed(value, 1)
  default: fixed(value, 0)
  }
}

/// A percentage for a sentence: whole from 10 up, one decimal below. `like` decides in place of the value.
func percent(_ value: Double, like reference: Double? = nil) -> String {
  fixed(abs(value), abs(reference ?? value) >= 9.95 ? 0 : 1)
}

extension MetricTraits {
  /// A score of this metric in a sentence: `SSIMULACRA2 70`, `PSNR-Y 40 dB`.
  func phrase(_ score: Double) -> String { "\(title) \(brief(score))\(unit.isEmpty ? "" : " \(unit)")" }
}
