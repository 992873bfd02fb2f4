import Metrics
import Model
package import Store

/// A measured case as the gate compares it: a point's row, or the same fields of another way of measuring.
package struct GatedRow: Sendable, Hashable {
  package var row: ResultRow
  /// The file and the way: `q 0.8, scaled, 320`. Nil for a point.
  package var way: String?

  package init(_ row: ResultRow) { self.row = row }

  /// Reads the fields of a file's line by the names of their columns.
  package init(_ subject: GateSubject, _ fields: [String: String]) {
    func text(_ name: String) -> String { fields[name] ?? "" }
    func number(_ names: String...) -> Double? { Self.number(fields, names) }
    row = ResultRow(image: text("image"), status: Self.status(subject, fields))
    let plain = CodecVariant(codec: text("codec"), build: fields["build"].flatMap { $0.isEmpty ? nil : $0 })
    let settings = text("settings")
    row.variant = settings.isEmpty ? plain : CodecVariant(unchecked: "\(plain.name):\(settings)") ?? plain
    way = subject.way(text)
    row.encodedBytes = fields[subject.bytesColumn].flatMap { Int($0) }
    for metric in subject.metrics {
      row.scores[metric.id] = Self.number(fields, subject.scoreColumns(metric))
    }
    row.figures[.decodePeak] = number("peak_mib", "viewport_peak_mib")
    row.imageHash = fields["image_sha256"]
    row.libraries = fields["libraries"]
    if let median = number("cpu_ms"), let minimum = number("cpu_min_ms") {
      row[.decode, .cpu] = ResultRow.Timing(
        minimum: minimum, median: median, deviation: number("cpu_mad_ms") ?? 0)
      row.repeats = fields["repeats"].flatMap { Int($0) } ?? 1
    }
    if let host = fields["host"], let processor = fields["processor"],
      let jobs = fields["jobs"].flatMap({ Int($0) })
    {
      row.timesOrigin = TimesOrigin(host: host, processor: processor, jobs: jobs)
    }
    row.error = fields["error"]
  }

  /// Name of the case within its image, by which baselines are sorted: `jpeg q 0.8, scaled, 320`.
  package var title: String { "\(row.variant?.name ?? "") \(way ?? "")" }

  /// Columns of a file with memory and times.
  package static let amountColumns: Set = [
    "peak_mib", "viewport_peak_mib", "cpu_ms", "cpu_min_ms", "cpu_mad_ms",
  ]

  private static func number(_ fields: [String: String], _ names: [String]) -> Double? {
    names.lazy.compactMap { fields[$0].flatMap(Double.init) }.first { !$0.isNaN }
  }

  /// The status; a generations.csv has none, but rows without a generation, which say why.
  private static func status(_ subject: GateSubject, _ fields: [String: String]) -> ResultRow.Status {
    if let status = fields["status"] { return ResultRow.Status(rawValue: status) ?? .failed }
    guard subject == .generations, fields["generation"] == nil else {
      return subject == .generations ? .measured : .failed
    }
    return fields["error"]?.hasPrefix("unsupported: ") == true ? .unsupported : .failed
  }
}
