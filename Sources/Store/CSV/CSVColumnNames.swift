package import Model

/// The columns of `measurements.csv`, which its writer, its reader and the gate agree on.
///
/// A name never changes its meaning. Metric columns stand between `leading` and `trailing`; a new column goes
/// into `trailing` before `error`, so that older readers still find what they know by name.
package enum CSVColumnNames {
  /// Decimals that a number in files for programs has beyond those that tables for people show.
  package static let exactDecimals = 3

  /// The image's printable name.
  package static let image = "image"
  /// Columns of the prepared raster.
  package static let width = "width"
  /// Rows of the prepared raster.
  package static let height = "height"
  /// Bits per sample of the prepared raster.
  package static let bitDepth = "bit_depth"
  /// `true` or `false`: whether the prepared raster has alpha.
  package static let alpha = "alpha"
  /// The source's format by content.
  package static let sourceFormat = "source_format"
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
  /// Encoded bits per pixel of the prepared raster.
  package static let bitsPerPixel = "bits_per_pixel"
  /// Raw bytes of the prepared raster over encoded bytes.
  package static let compressionRatio = "compression_ratio"
  /// Median wall time of the encode, milliseconds.
  package static let encodeWall = "encode_wall_ms"
  /// Median CPU time of the encode, milliseconds.
  package static let encodeCPU = "encode_cpu_ms"
  /// Median wall time of the decode, milliseconds.
  package static let decodeWall = "decode_wall_ms"
  /// Median CPU time of the decode, milliseconds.
  package static let decodeCPU = "decode_cpu_ms"
  /// How many repeats the times stand on.
  package static let repeats = "repeats"
  /// The larger of `encode_peak_mib` and `decode_peak_mib`; up to 0.1.0 the resident memory of the process.
  package static let peakMemory = "peak_memory_mib"

  /// Fastest wall time of the encode, milliseconds.
  package static let encodeWallMinimum = "encode_wall_min_ms"
  /// Median absolute deviation of the encode's wall time, milliseconds.
  package static let encodeWallDeviation = "encode_wall_mad_ms"
  /// Fastest CPU time of the encode, milliseconds.
  package static let encodeCPUMinimum = "encode_cpu_min_ms"
  /// Median absolute deviation of the encode's CPU time, milliseconds.
  package static let encodeCPUDeviation = "encode_cpu_mad_ms"
  /// Fastest wall time of the decode, milliseconds.
  package static let decodeWallMinimum = "decode_wall_min_ms"
  /// Median absolute deviation of the decode's wall time, milliseconds.
  package static let decodeWallDeviation = "decode_wall_mad_ms"
  /// Fastest CPU time of the decode, milliseconds.
  package static let decodeCPUMinimum = "decode_cpu_min_ms"
  /// Median absolute deviation of the decode's CPU time, milliseconds.
  package static let decodeCPUDeviation = "decode_cpu_mad_ms"
  /// `contended`, `single` or `exclusive`: what else the machine did while the wall times were taken.
  package static let timing = "timing"
  /// `true` or `false`: whether all repeats gave the same bytes.
  package static let repeatsAgree = "repeats_agree"
  /// Raw bytes of the prepared raster.
  package static let rawBytes = "raw_bytes"
  /// `true` or `false`: whether the source's format had lost something already.
  package static let sourceLossy = "source_lossy"
  /// The library versions behind the point, as they are part of its key.
  package static let libraries = "libraries"
  /// SHA-256 of the source file, 64 hexadecimal digits.
  package static let imageHash = "image_sha256"
  /// `grid`, `refined` or `searched`: why the point was measured.
  package static let origin = "origin"
  /// Bytes of the source file.
  package static let sourceBytes = "source_bytes"
  /// Memory that the encode needed beyond what was resident before it, MiB.
  package static let encodePeak = "encode_peak_mib"
  /// Memory that the decode needed beyond what was resident before it, MiB.
  package static let decodePeak = "decode_peak_mib"
  /// The name of the build of the libraries that encoded and decoded; empty for the system's own.
  package static let build = "build"
  /// The codec with its settings, as tables and `--codec` name it: `heic:chroma=444`.
  package static let variant = "variant"
  /// The path of a file that another encoder made, below the folder it was imported from; empty for points of codecs.
  package static let importedFile = "imported_file"
  /// The format of an imported file, by content.
  package static let importedFormat = "imported_format"
  /// What an imported file tells of how it was made.
  package static let importedMaking = "imported_making"
  /// Why the point failed or is unsupported, or what is odd about a measured one. Always the last column.
  package static let error = "error"

  /// The columns before the metrics.
  package static let leading = [
    image, width, height, bitDepth, alpha, sourceFormat, codec, settings, quality, nativeQuality, status,
    encodedBytes, bitsPerPixel, compressionRatio, encodeWall, encodeCPU, decodeWall, decodeCPU, repeats,
    peakMemory,
  ]

  /// The columns after the metrics.
  package static let trailing = [
    encodeWallMinimum, encodeWallDeviation, encodeCPUMinimum, encodeCPUDeviation, decodeWallMinimum,
    decodeWallDeviation, decodeCPUMinimum, decodeCPUDeviation, timing, repeatsAgree, rawBytes, sourceLossy,
    libraries, imageHash, origin, sourceBytes, encodePeak, decodePeak, build, variant, importedFile,
    importedFormat, importedMaking, error,
  ]

  /// The whole header for a run with these metrics.
  package static func header(metrics: [MetricTraits]) -> [String] {
    leading + metrics.map(\.column) + trailing
  }
}
