package import Model

/// Columns of `measurements.csv` that code other than `MeasurementColumns` refers to.
package enum CSVColumnNames {
  package static let image = "image"
  package static let width = "width"
  package static let height = "height"
  package static let codec = "codec"
  package static let settings = "settings"
  package static let quality = "quality"
  package static let nativeQuality = "native_quality"
  package static let status = "status"
  package static let encodedBytes = "encoded_bytes"
  static let compressionRatio = "compression_ratio"
  package static let libraries = "libraries"
  package static let imageHash = "image_sha256"
  package static let origin = "origin"
  package static let build = "build"
  package static let importedFile = "imported_file"
  /// The reason a point failed or is unsupported, or a remark on a measured one. Always the last column.
  package static let error = "error"

  package static func header(metrics: [MetricTraits]) -> [String] {
    MeasurementColumns.leading.map(\.name) + metrics.map(\.column) + MeasurementColumns.trailing.map(\.name)
  }
}
