package import Model

/// Names of columns of `measurements.csv` that code besides `MeasurementField` asks for.
package enum CSVColumnNames {
  /// Decimals that a number in files for programs has beyond those that tables for people show.
  package static let exactDecimals = 3

  /// The image's printable name.
  package static let image = "image"
  /// Columns of the prepared raster.
  package static let width = "width"
  /// Rows of the prepared raster.
  package static let height = "height"
  /// The codec's identifier; empty in the one row of an image that could not be read.
  package static let codec = "codec"
  /// `CodecVariant.canonicalSettings`.
  package static let settings = "settings"
  /// Quality from 0.0 to 1.0.
  package static let quality = "quality"
  /// Quality on the codec's own scale.
  package static let nativeQuality = "native_quality"
  /// `measured`, `unsupported` or `failed`.
  package static let status = "status"
  /// Bytes of the encoded file.
  package static let encodedBytes = "encoded_bytes"
  /// Raw bytes of the prepared raster over encoded bytes.
  static let compressionRatio = "compression_ratio"
  /// The library versions behind the point, as they are part of its key.
  package static let libraries = "libraries"
  /// SHA-256 of the source file, 64 hexadecimal digits.
  package static let imageHash = "image_sha256"
  /// `grid`, `refined` or `searched`: why the point was measured.
  package static let origin = "origin"
  /// The name of the build of the libraries that encoded and decoded; empty for the system's own.
  package static let build = "build"
  /// The path of a file that another encoder made, below the folder it was imported from; empty for points of codecs.
  package static let importedFile = "imported_file"
  /// Why the point failed or is unsupported, or what is odd about a measured one. Always the last column.
  package static let error = "error"

  /// The whole header for a run with these metrics.
  package static func header(metrics: [MetricTraits]) -> [String] {
    MeasurementField.leading.map(\.name) + metrics.map(\.column) + MeasurementField.trailing.map(\.name)
  }
}
