package import Model

/// A row of the results, whether it comes from the store or from a measurements.csv: what tables, curves and
/// the gate work on. Empty fields are nil.
package struct ResultRow: Sendable, Hashable {
  /// What became of the point, or of an image that could not be read at all.
  package enum Status: String, Sendable, Hashable, Codable {
    /// The point was measured.
    case measured
    /// The codec cannot do this image.
    case unsupported
    /// It should have worked.
    case failed
  }

  /// Statistics over the repeats of one timed call, in milliseconds.
  package struct Timing: Sendable, Hashable, Codable {
    /// The fastest repeat.
    package var minimum: Double
    /// The median repeat, which tables show.
    package var median: Double
    /// The median absolute deviation from the median.
    package var deviation: Double

    /// States statistics.
    package init(minimum: Double, median: Double, deviation: Double) {
      self.minimum = minimum
      self.median = median
      self.deviation = deviation
    }
  }

  /// The image's printable name.
  package var image: String
  /// SHA-256 of the source file.
  package var imageHash: String?
  /// Columns of the prepared raster.
  package var width: Int?
  /// Rows of the prepared raster.
  package var height: Int?
  /// Bits per sample of the prepared raster.
  package var bitDepth: Int?
  /// Whether the prepared raster has alpha.
  package var alpha: Bool?
  /// The source's format by content.
  package var sourceFormat: String?
  /// Bytes of the source file.
  package var sourceBytes: Int?
  /// Whether the source's format had lost something already.
  package var sourceIsLossy: Bool?
  /// Codec and settings; nil in the one row of an image that could not be read.
  package var variant: CodecVariant?
  /// The library versions behind the point.
  package var libraries: String?
  /// Position on the quality axis.
  package var quality: Quality?
  /// The quality on the codec's own scale.
  package var nativeQuality: Int?
  /// What became of it.
  package var status: Status
  /// Bytes of the encoded file.
  package var encodedBytes: Int?
  /// Raw bytes of the prepared raster.
  package var rawBytes: Int?
  /// What else the machine was doing while the times were taken. All four are of the exclusive pass where there
  /// was one.
  package var conditions: TimingSeries.Conditions?
  /// The machine that the times were taken on, with how many jobs; nil where that is not known, as in a file.
  package var timesOrigin: TimesOrigin?
  /// The host whose times of the point were left out, since it is none of the run's; nil where none were.
  package var foreignHost: String?
  /// The times of each operation by each clock, CPU times of all threads of the child.
  package var times = OrdinalTable<TimedCall, Timing>()
  /// How many repeats the times stand on.
  package var repeats: Int?
  /// Whether the repeats gave the same bytes; nil where that is not known.
  package var repeatsAgree: Bool?
  /// What else was measured, each in the unit of its column.
  package var figures = OrdinalTable<MeasuredFigure, Double>()
  /// Scores by metric identifier; undefined ones are absent.
  package var scores: [String: Double]
  /// The path of a file that another encoder made, below the folder of its series; nil for a point of a codec. Such a
  /// row has no quality.
  package var importedFile: String?
  /// The format of an imported file, by content.
  package var importedFormat: String?
  /// What an imported file tells of how it was made, in a line.
  package var importedMaking: String?
  /// Why it was measured; nil where that is not known, as in older files.
  package var origin: PointOrigin?
  /// Why the point failed or is unsupported, or what is odd about a measured one.
  package var error: String?

  /// Starts a row with nothing measured.
  package init(image: String, status: Status) {
    self.image = image
    self.status = status
    self.scores = [:]
  }

  /// The times of an operation by a clock; nil where they are not known.
  package subscript(operation: TimedOperation, clock: TimingClock) -> Timing? {
    get { times[TimedCall(operation, clock)] }
    set { times[TimedCall(operation, clock)] = newValue }
  }

  /// Width times height of the prepared raster; nil also where they are too large to be an image's.
  package var pixels: Int? {
    guard let width, let height else { return nil }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : pixels
  }

  /// Encoded bits per pixel of the prepared raster.
  package var bitsPerPixel: Double? {
    guard let encodedBytes, let pixels, pixels > 0 else { return nil }
    return Double(encodedBytes) * 8 / Double(pixels)
  }

  /// Raw bytes over encoded bytes.
  package var compressionRatio: Double? {
    guard let encodedBytes, let rawBytes, encodedBytes > 0 else { return nil }
    return Double(rawBytes) / Double(encodedBytes)
  }
}
