package import Model

/// A read for tables: one row of decodes.csv.
package struct ReadRow: Sendable, Hashable {
  package let record: CaseRecord
  /// CPU times of the decode, milliseconds; nil without a measurement.
  package let cpu: TimeSpread?
  /// Median elapsed time of the decode, milliseconds.
  package let wall: Double?

  /// Middle and spread of repeated times.
  package struct TimeSpread: Sendable, Hashable {
    package var median: Double
    package var minimum: Double
    /// Median distance from the median.
    package var deviation: Double
  }

  package init(_ record: CaseRecord) {
    self.record = record
    let samples = record.measurement?.samples ?? []
    cpu = Self.spread(samples.map { Double($0.cpuNanoseconds) / 1e6 })
    wall = Self.spread(samples.map { Double($0.wallNanoseconds) / 1e6 })?.median
  }

  /// Codec, or format of a file as found.
  package var codec: String {
    record.key.encodedAt == nil ? record.format : record.key.variant.codec
  }

  /// Kind of the file in words: `HEIC as found`, `heic:preset=medium at quality 0.8`.
  package var kind: String {
    guard let encoding = record.key.encoding else {
      let found = record.measurement.map { "\(($0.format ?? "").uppercased()) as found" } ?? "files as found"
      return record.key.build.map { "\(found), read by \($0)" } ?? found
    }
    return "\(encoding.variant.name) at quality \(encoding.quality)"
  }

  private static func spread(_ values: [Double]) -> TimeSpread? {
    guard let least = values.min() else { return nil }
    let median = middle(values)
    return TimeSpread(median: median, minimum: least, deviation: middle(values.map { abs($0 - median) }))
  }

  /// Returns the median, for an even number the mean of the middle two; 0 without values.
  package static func middle<Value: BinaryFloatingPoint>(_ values: some Sequence<Value>) -> Double {
    let sorted = values.sorted()
    let half = sorted.count / 2
    guard !sorted.isEmpty else { return 0 }
    let middle = Double(sorted[half])
    return sorted.count.isMultiple(of: 2) ? (Double(sorted[half - 1]) + middle) / 2 : middle
  }
}

extension Figures {
  /// Bytes of the decoded pixels; for reads without a record of it, as 8-bit red, green and blue.
  package var pixelBytes: Int {
    decodedBytes ?? decodedWidth.multipliedReportingOverflow(by: decodedHeight * 3).partialValue
  }
}

extension CaseRecord {
  package var measurement: Figures? { outcome.value }

  /// The format of a file as found.
  var format: String { measurement?.format ?? key.variant.codec }
}
