import Analysis
import Metrics
import Model
import Reports
import Store

/// A read for tables: one row of decodes.csv.
struct ReadRow: Sendable, Hashable {
  let record: CaseRecord
  /// CPU times of the decode, milliseconds; nil without a measurement.
  let cpu: ResultRow.Timing?
  /// Median elapsed time of the decode, milliseconds.
  let wall: Double?

  init(_ record: CaseRecord) {
    self.record = record
    let samples = record.measurement?.samples ?? []
    cpu = ResultRow.Timing(nanoseconds: samples.map(\.cpuNanoseconds))
    wall = samples.map { Double($0.wallNanoseconds) / 1e6 }.median
  }

  /// Codec, or format of a file as found.
  var codec: String {
    record.key.encodedAt == nil ? record.format : record.key.variant.codec
  }

  /// Kind of the file in words: `HEIC as found`, `heic:preset=medium at quality 0.8`.
  var kind: String {
    guard let encoding = record.key.encoding else {
      let found = record.measurement.map { "\(($0.format ?? "").uppercased()) as found" } ?? "files as found"
      return record.key.build.map { "\(found), read by \($0)" } ?? found
    }
    return "\(encoding.variant.name) at quality \(encoding.quality)"
  }

  /// `thumbnail, 320 px: 5.1 ms, SSIMULACRA 2 37, aligned 68 of at most 87`.
  var caption: String {
    let figures = record.measurement
    var text = "\(record.key.route.rawValue), \(record.key.wanted) px"
    if let cpu = cpu?.median { text += ": \(Numerals.fixed(cpu, decimals: cpu < 10 ? 1 : 0)) ms" }
    func add(_ name: String, _ score: Double?) {
      if let score { text += "\(name) \(Numerals.fixed(score, decimals: 0))" }
    }
    add(", SSIMULACRA 2", figures?.ssimulacra2)
    add(", aligned", figures?.alignedSSIMULACRA2)
    add("; another good filter", figures?.ceilingSSIMULACRA2)
    return text
  }
}

extension Figures {
  /// Bytes of the decoded pixels; for reads without a record of it, as 8-bit red, green and blue.
  var pixelBytes: Int {
    decodedBytes ?? decodedWidth.multipliedReportingOverflow(by: decodedHeight * 3).partialValue
  }
}

extension CaseRecord {
  var measurement: Figures? { outcome.value }

  /// The format of a file as found.
  var format: String { measurement?.format ?? key.variant.codec }
}
