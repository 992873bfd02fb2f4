package import Model

/// A read as tables show it: one row of decodes.csv.
package struct ReadRow: Sendable, Hashable {
  /// What was read, and what became of it.
  package let record: ReadRecord
  /// CPU times of the decode, milliseconds; nil where nothing was measured.
  package let cpu: TimeSpread?
  /// Elapsed time of the decode, median, milliseconds.
  package let wall: Double?

  /// The middle and the spread of repeated times.
  package struct TimeSpread: Sendable, Hashable {
    /// The middle one, of an even number the mean of the two in the middle.
    package var median: Double
    /// The shortest.
    package var minimum: Double
    /// The median distance from the median.
    package var deviation: Double
  }

  /// Puts a record's figures together.
  package init(_ record: ReadRecord) {
    self.record = record
    let samples = record.measurement?.samples ?? []
    cpu = Self.spread(samples.map { Double($0.cpuNanoseconds) / 1e6 })
    wall = Self.spread(samples.map { Double($0.wallNanoseconds) / 1e6 })?.median
  }

  /// The codec, or the format of a file that was found.
  package var codec: String {
    record.key.encoding?.variant.codec ?? record.measurement?.format ?? record.sourceFormat ?? ""
  }

  /// What the file is, for sentences: `HEIC as found`, `heic:preset=medium at quality 0.8`.
  package var kind: String {
    guard let encoding = record.key.encoding else {
      let found = record.measurement.map { "\($0.format.uppercased()) as found" } ?? "files as found"
      return record.key.build.map { "\(found), read by \($0)" } ?? found
    }
    return "\(encoding.variant.name) at quality \(encoding.quality)"
  }

  private static func spread(_ values: [Double]) -> TimeSpread? {
    guard let least = values.min() else { return nil }
    let median = middle(values)
    return TimeSpread(median: median, minimum: least, deviation: middle(values.map { abs($0 - median) }))
  }

  /// The middle one, of an even number the mean of the two in the middle; 0 of none.
  package static func middle<Value: BinaryFloatingPoint>(_ values: some Sequence<Value>) -> Double {
    let sorted = values.sorted()
    let half = sorted.count / 2
    guard !sorted.isEmpty else { return 0 }
    let middle = Double(sorted[half])
    return sorted.count.isMultiple(of: 2) ? (Double(sorted[half - 1]) + middle) / 2 : middle
  }
}

extension ReadMeasurement {
  /// Bytes of what the decoder gave; of reads that did not keep them, as 8 bits of red, green and blue.
  package var pixelBytes: Int {
    decodedBytes ?? decodedWidth.multipliedReportingOverflow(by: decodedHeight * 3).partialValue
  }
}

extension ReadRecord {
  /// The figures; nil where there are none.
  package var measurement: ReadMeasurement? { outcome.value }
}
