/// An integer measured in addition to size, scores and times. For points, worker messages, the store, merging, checks
/// and the columns of `measurements.csv` are derived from these cases: a new figure needs a case with traits here, an
/// entry in `ofPoints`, and code that measures it. Its column comes after those of earlier versions.
package enum Quantity: String, Sendable, Hashable, CaseIterable, Codable, CodingKeyRepresentable,
  Ordinal
{
  /// The larger of encode and decode memory, bytes. In points of 0.1.0, the peak resident memory of the process.
  case peakMemory = "peak_memory"
  /// Peak memory of the encode beyond what was resident before it, in bytes.
  case encodePeak = "encode_peak"
  /// Peak memory of the decode beyond what was resident before it, in bytes.
  case decodePeak = "decode_peak"
  /// Bytes in the file other than the picture and its transparency, such as an embedded profile.
  case metadata = "metadata"
  // Figures of files with a gain map.
  /// SSIMULACRA2 of the base, an SDR picture, against the same base uncoded, in ten-thousandths.
  case baseScore = "base_score"
  case baseBytes = "base_bytes"
  case mapBytes = "map_bytes"
  /// SSIMULACRA2 of the picture with halved chroma but not coded, in ten-thousandths; for points that halve chroma.
  case chromaBound = "chroma_bound"
  /// The highest resident memory of the worker, in bytes; for the run's own use, not stored.
  case residentPeak = "resident_peak"
  // Figures of reads.
  /// Columns and rows of the upright picture.
  case width, height
  case decodedWidth = "decoded_width"
  case decodedHeight = "decoded_height"
  case deliveredWidth = "delivered_width"
  case deliveredHeight = "delivered_height"
  case decodedBytes = "decoded_bytes"
  /// CPU time of a reduction in linear light, in nanoseconds.
  case reductionCPU = "reduction_cpu"
  /// The memory that a formula predicts, in bytes.
  case predictedPeak = "predicted_peak"
  /// The number of bytes of the file that the read needs.
  case touchedBytes = "touched_bytes"
  // Figures of tiles.
  /// Bytes around the coded pictures: for level 0's tiles, and for the picture without tiles.
  case container
  case wholeContainer = "whole_container"

  /// The quantities of points, each with a column in the store and in `measurements.csv`.
  package static let ofPoints: [Quantity] =
    [.peakMemory, .encodePeak, .decodePeak, .metadata, .chromaBound] + ofGainMaps

  /// The quantities of a gain map file's base, which are separate from the scores of the HDR picture.
  package static let ofGainMaps: [Quantity] = [.baseScore, .baseBytes, .mapBytes]

  package static let count = allCases.count
  /// Stored in a table, because searching all cases would take longer than the tables of a point.
  package var ordinal: Int {
    switch self {
    case .peakMemory: 0
    case .encodePeak: 1
    case .decodePeak: 2
    case .metadata: 3
    case .baseScore: 4
    case .baseBytes: 5
    case .mapBytes: 6
    case .chromaBound: 7
    case .residentPeak: 8
    case .width: 9
    case .height: 10
    case .decodedWidth: 11
    case .decodedHeight: 12
    case .deliveredWidth: 13
    case .deliveredHeight: 14
    case .decodedBytes: 15
    case .reductionCPU: 16
    case .predictedPeak: 17
    case .touchedBytes: 18
    case .container: 19
    case .wholeContainer: 20
    }
  }

  package struct Traits: Sendable {
    /// The column name in files, unit included.
    package var column: String
    package var title: String
    package var unit: String
    /// Stored units per display unit.
    package var scale: Double
    package var decimals: Int
  }

  package var traits: Traits {
    switch self {
    case .peakMemory: .memory("peak_memory_mib", "Peak memory")
    case .encodePeak: .memory("encode_peak_mib", "Encode memory")
    case .decodePeak: .memory("decode_peak_mib", "Decode memory")
    case .metadata:
      Traits(column: "metadata_bytes", title: "Profile and metadata", unit: "bytes", scale: 1, decimals: 0)
    case .chromaBound:
      Traits(
        column: "chroma_bound_ssimulacra2", title: "SSIMULACRA2 of halved chroma", unit: "", scale: 1e4,
        decimals: 2)
    case .baseScore:
      Traits(column: "base_ssimulacra2", title: "SSIMULACRA2 of the base", unit: "", scale: 1e4, decimals: 2)
    case .baseBytes: .count("base_bytes", "Base", "bytes")
    case .mapBytes: .count("map_bytes", "Map", "bytes")
    case .residentPeak: .memory("resident_peak_mib", "Resident memory")
    case .width: .count("width", "Width", "px")
    case .height: .count("height", "Height", "px")
    case .decodedWidth: .count("decoded_width", "Decoded width", "px")
    case .decodedHeight: .count("decoded_height", "Decoded height", "px")
    case .deliveredWidth: .count("delivered_width", "Delivered width", "px")
    case .deliveredHeight: .count("delivered_height", "Delivered height", "px")
    case .decodedBytes: .memory("decoded_mib", "Decoded pixels")
    case .reductionCPU:
      Traits(column: "reduction_cpu_ms", title: "Reduction time", unit: "ms", scale: 1e6, decimals: 3)
    case .predictedPeak: .memory("predicted_mib", "Predicted memory")
    case .touchedBytes: .count("touched_bytes", "Bytes read", "bytes")
    case .container: .count("container_bytes", "Container", "bytes")
    case .wholeContainer: .count("whole_container_bytes", "Whole, container", "bytes")
    }
  }

  /// The bounds of a plausible value, in stored units.
  package var bounds: ClosedRange<Int> {
    switch self {
    case .width, .height, .decodedWidth, .decodedHeight, .deliveredWidth, .deliveredHeight: Bound.side
    case .baseScore, .chromaBound: -1_000_000_000...1_000_000
    case .reductionCPU: 0...Int(Bound.time.upperBound)
    default: 0...Bound.bytes.upperBound
    }
  }
}

extension Quantity.Traits {
  fileprivate static func memory(_ column: String, _ title: String) -> Self {
    Self(column: column, title: title, unit: "MiB", scale: 1_048_576, decimals: 1)
  }
  fileprivate static func count(_ column: String, _ title: String, _ unit: String) -> Self {
    Self(column: column, title: title, unit: unit, scale: 1, decimals: 0)
  }
}
