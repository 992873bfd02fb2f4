/// A whole number that is measured at a point besides size, scores and times. Messages of workers, the store, merging,
/// checks and the columns of `measurements.csv` are made from these: a new one is a case here with its traits, and
/// whatever measures it. The column of a new one comes after all that earlier versions had.
package enum MeasuredFigure: String, Sendable, Hashable, CaseIterable, Codable, CodingKeyRepresentable,
  Ordinal
{
  /// The larger of encode's and decode's memory, bytes. In points of 0.1.0 the highest resident memory of the process.
  case peakMemory = "peak_memory"
  /// What the encode needed at most beyond what was resident before it, bytes.
  case encodePeak = "encode_peak"
  /// What the decode needed at most beyond what was resident before it, bytes.
  case decodePeak = "decode_peak"
  /// What is in the file beside the picture and its transparency, bytes: an embedded profile.
  case metadata = "metadata"

  package static let count = allCases.count
  package var ordinal: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// How people see a figure.
  package struct Traits: Sendable {
    /// The column in files, unit included.
    package var column: String
    /// Its name for people, without the unit.
    package var title: String
    /// The unit for people.
    package var unit: String
    /// How many of what is counted make one of the unit.
    package var scale: Double
    /// The decimals that people need.
    package var decimals: Int
  }

  /// How people see it.
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

extension MeasuredFigure.Traits {
  /// Bytes that are shown in MiB.
  fileprivate static func memory(_ column: String, _ title: String) -> Self {
    Self(column: column, title: title, unit: "MiB", scale: 1_048_576, decimals: 1)
  }
}
