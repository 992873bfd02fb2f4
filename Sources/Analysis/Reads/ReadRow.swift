package import Model
package import Store

/// A read for tables: one row of decodes.csv.
package struct ReadRow: Sendable, Hashable {
  package let record: CaseRecord
  /// CPU times of the decode, milliseconds; nil without a measurement.
  package let cpu: ResultRow.Timing?
  /// Median elapsed time of the decode, milliseconds.
  package let wall: Double?

  package init(_ record: CaseRecord) {
    self.record = record
    let samples = record.measurement?.samples ?? []
    cpu = ResultRow.Timing(nanoseconds: samples.map(\.cpuNanoseconds))
    wall = samples.map { Double($0.wallNanoseconds) / 1e6 }.median
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
