package import Model

/// A row of the store, a measurements.csv or a baseline; the input of tables, curves and the gate. Empty fields are
/// nil.
package struct ResultRow: Sendable, Hashable {
  /// The outcome of a point, or of an image that could not be read at all.
  package enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    case measured
    case unsupported
    /// An encode or decode that should have worked.
    case failed

    package init<Value>(_ outcome: Outcome<Value>) {
      switch outcome {
      case .measured: self = .measured
      case .unsupported: self = .unsupported
      case .failed: self = .failed
      }
    }

    /// Its number in column `status`.
    var number: Int {
      switch self {
      case .measured: 0
      case .unsupported: 1
      case .failed: 2
      }
    }

    init?(number: Int) {
      guard let status = Self.allCases.first(where: { $0.number == number }) else { return nil }
      self = status
    }
  }

  /// Statistics over the repeats of one timed call, in milliseconds.
  package struct Timing: Sendable, Hashable, Codable {
    package var minimum: Double
    package var median: Double
    /// The median absolute deviation from the median.
    package var deviation: Double

    package init(minimum: Double, median: Double, deviation: Double) {
      self.minimum = minimum
      self.median = median
      self.deviation = deviation
    }
  }

  /// The fields of a read, a cut or a file of a chain that points lack, spelled as in its table.
  package struct WayFields: Sendable, Hashable {
    package var route, wanted: String?
    package var touchedBytes, tileSize, overlap, wholeBytes, level0Bytes, generation: Int?
  }

  package var image: String
  package var imageHash: String?
  package var width: Int?
  package var height: Int?
  /// Bits per sample of the prepared raster.
  package var bitDepth: Int?
  package var alpha: Bool?
  package var sourceFormat: String?
  package var sourceBytes: Int?
  package var sourceIsLossy: Bool?
  /// Nil in the single row of an image that could not be read.
  package var variant: CodecVariant?
  package var libraries: String?
  package var quality: Quality?
  package var nativeQuality: Int?
  package var status: Status
  package var encodedBytes: Int?
  package var rawBytes: Int?
  /// The load during timing. Conditions, origin, times and repeats come from an exclusive pass if there was one.
  package var conditions: TimingSeries.Conditions?
  /// The machine of the times and its number of jobs; nil if unknown, as for rows of a file.
  package var timesOrigin: TimesOrigin?
  /// The host whose times of the point were left out because it is not one of the run's; nil if none were left out.
  package var foreignHost: String?
  /// Times of each operation by each clock; CPU times cover all threads of the child.
  package var times = OrdinalTable<TimedCall, Timing>()
  package var repeats: Int?
  package var repeatsAgree: Bool?
  /// Further figures in the units of their columns.
  package var figures = OrdinalTable<Quantity, Double>()
  package var scores: [String: Double]
  /// The path of an imported file below the folder of its series, without a quality; nil for a point of a codec.
  package var importedFile: String?
  package var importedFormat: String?
  /// The making of an imported file, on one line (`FileMaking.summary`).
  package var importedMaking: String?
  package var way = WayFields()
  /// The reason that the point was measured; nil if unknown, as in older files.
  package var origin: PointOrigin?
  /// Remarks on the image, the file and the point, each a short phrase.
  package var remarks: [String] = []
  /// The reason the point failed or is unsupported, or a remark on a measured one.
  package var error: String?

  package init(image: String, status: Status) {
    self.image = image
    self.status = status
    self.scores = [:]
  }

  package subscript(operation: TimedOperation, clock: TimingClock) -> Timing? {
    get { times[TimedCall(operation, clock)] }
    set { times[TimedCall(operation, clock)] = newValue }
  }

  /// The row for places where times of different processors would be mixed.
  package var withoutTimes: ResultRow {
    var row = self
    row.times = OrdinalTable()
    return row
  }

  /// Pixels of the prepared raster; nil if unknown or too many for an image.
  package var pixels: Int? {
    guard let width, let height else { return nil }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : pixels
  }

  package var bitsPerPixel: Double? {
    guard let encodedBytes, let pixels, pixels > 0 else { return nil }
    return Double(encodedBytes) * 8 / Double(pixels)
  }

  package var compressionRatio: Double? {
    guard let encodedBytes, let rawBytes, encodedBytes > 0 else { return nil }
    return Double(rawBytes) / Double(encodedBytes)
  }
}
