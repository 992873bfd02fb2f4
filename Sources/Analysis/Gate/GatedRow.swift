import Metrics
package import Model
package import Store

/// A measured case as the gate compares it: a point's row, or the same fields of a read or a tiling with its way.
package struct GatedRow: Sendable, Hashable {
  package var row: ResultRow
  /// The file read and the route, or the cut: `q 0.8, scaled, 320`. Nil for a point.
  package var way: String?

  /// Places a point.
  package init(_ row: ResultRow) { self.row = row }

  /// Places a read or a tiling by its file, settings spelled as in files, and quality; an empty quality stands for a
  /// file as found.
  package init(
    _ image: String, codec: String, build: String?, settings: String, quality: String, way: String,
    status: ResultRow.Status
  ) {
    row = ResultRow(image: image, status: status)
    let plain = CodecVariant(codec: codec, build: build)
    row.variant = settings.isEmpty ? plain : CodecVariant(unchecked: "\(plain.name):\(settings)") ?? plain
    self.way = (quality.isEmpty ? "as found" : "q \(quality)") + ", \(way)"
  }

  /// Name of the case within its image, by which baselines are sorted: `jpeg q 0.8, scaled, 320`.
  package var title: String { "\(row.variant?.name ?? "") \(way ?? "")" }

  package static func cut(size: String, overlap: String) -> String {
    "tiles of \(size) px" + (overlap == "0" ? "" : " with \(overlap) px shared")
  }
}

/// Reads and tilings of a baseline file.
extension GatedRow {
  package static func requiredColumns(_ subject: GateSubject) -> [String] {
    let all = ["image", "codec", "settings", "quality", "status"]
    return switch subject {
    case .points: all
    case .reads: all + ["source", "route", "wanted"]
    case .tiles: all + ["tile_size", "overlap", "total_bytes"]
    }
  }

  /// Columns of a baseline with memory and times.
  package static let amountColumns: Set = [
    "peak_mib", "viewport_peak_mib", "cpu_ms", "cpu_min_ms", "cpu_mad_ms",
  ]

  /// Reads a row of a baseline of reads or tiles.
  package init(_ subject: GateSubject, _ fields: [String: String]) {
    func text(_ name: String) -> String { fields[name] ?? "" }
    func number(_ names: String...) -> Double? {
      names.lazy.compactMap { fields[$0].flatMap(Double.init) }.first { !$0.isNaN }
    }
    let isRead = subject == .reads
    self.init(
      text("image"), codec: text("codec"), build: fields["build"].flatMap { $0.isEmpty ? nil : $0 },
      settings: text("settings"), quality: isRead && text("source") == "as-found" ? "" : text("quality"),
      way: isRead
        ? "\(text("route")), \(text("wanted"))"
        : Self.cut(size: text("tile_size"), overlap: text("overlap")),
      status: ResultRow.Status(rawValue: text("status")) ?? .failed)
    row.encodedBytes = fields[isRead ? "touched_bytes" : "total_bytes"].flatMap { Int($0) }
    let score =
      isRead ? number("ssimulacra2_aligned", "ssimulacra2") : number("level0_ssimulacra2")
    row.scores = score.map { [MetricTraits.headline.id: $0] } ?? [:]
    row.figures[.decodePeak] = number(isRead ? "peak_mib" : "viewport_peak_mib")
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

  /// Takes a measured case over: the image, its libraries and the outcome.
  package mutating func take<Value>(
    _ image: ImageIdentity, _ libraries: String, _ outcome: Outcome<Value>,
    _ measured: (inout ResultRow, Value) -> Void
  ) {
    row.imageHash = image.contentHash.isEmpty ? nil : image.contentHash
    row.libraries = libraries.isEmpty ? nil : libraries
    switch outcome {
    case .measured(let figures): measured(&row, figures)
    case .unsupported(let reason): (row.status, row.error) = (.unsupported, reason)
    case .failed(let failure): (row.status, row.error) = (.failed, failure.message)
    }
  }
}
