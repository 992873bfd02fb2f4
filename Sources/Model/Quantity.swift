/// An integer measured at a point besides size, scores and times. Worker messages, the store, merging, checks and the
/// columns of `measurements.csv` are derived from these: a new figure needs a case with traits here and code that
/// measures it. Its column comes after those of earlier versions.
package enum Quantity: String, Sendable, Hashable, CaseIterable, Codable, CodingKeyRepresentable,
  Ordinal
{
  /// The larger of encode and decode memory, bytes. In points of 0.1.0 the peak resident memory of the process.
  case peakMemory = "peak_memory"
  /// Peak memory of the encode above what was resident before it, bytes.
  case encodePeak = "encode_peak"
  /// Peak memory of the decode above what was resident before it, bytes.
  case decodePeak = "decode_peak"
  /// Bytes in the file besides the picture and its transparency, such as an embedded profile.
  case metadata = "metadata"

  package static let count = allCases.count
  package var ordinal: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Names, unit and scale for presentation.
  package struct Traits: Sendable {
    /// The column name in files, unit included.
    package var column: String
    /// The display name without the unit.
    package var title: String
    package var unit: String
    /// Stored units per display unit.
    package var scale: Double
    /// Decimals shown.
    package var decimals: Int
  }

  package var traits: Traits {
    switch self {
    case .peakMemory: .memory("peak_memory_mib", "Peak memory")
    case .encodePeak: .memory("encode_peak_mib", "Encode memory")
    case .decodePeak: .memory("decode_peak_mib", "Decode memory")
    case .metadata:
      Traits(column: "metadata_bytes", title: "Profile and metadata", unit: "bytes", scale: 1, decimals: 0)
    }
  }
}

extension Quantity.Traits {
  /// Traits for a byte count shown in MiB.
  fileprivate static func memory(_ column: String, _ title: String) -> Self {
    Self(column: column, title: title, unit: "MiB", scale: 1_048_576, decimals: 1)
  }
}
