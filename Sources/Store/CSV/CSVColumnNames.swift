package import Model

/// Columns of `measurements.csv` that code other than `MeasurementField` refers to.
package enum CSVColumnNames {
  package static let image = "image"
  package static let width = "width"
  package static let height = "height"
  /// The codec's identifier; empty in the one row of an image that could not be read.
  package static let codec = "codec"
  package static let settings = "settings"
  package static let quality = "quality"
  package static let nativeQuality = "native_quality"
  package static let status = "status"
  package static let encodedBytes = "encoded_bytes"
  static let compressionRatio = "compression_ratio"
  /// The library versions behind the point, as in its key.
  package static let libraries = "libraries"
  package static let imageHash = "image_sha256"
  /// The reason the point was measured: `grid`, `refined` or `searched`.
  package static let origin = "origin"
  /// The library build that encoded and decoded; empty for the system's own.
  package static let build = "build"
  /// The path of an imported file below its import folder; empty for points of codecs.
  package static let importedFile = "imported_file"
  /// The reason a point failed or is unsupported, or a remark on a measured one. Always the last column.
  package static let error = "error"

  package static func header(metrics: [MetricTraits]) -> [String] {
    MeasurementField.leading.map(\.name) + metrics.map(\.column) + MeasurementField.trailing.map(\.name)
  }
}
