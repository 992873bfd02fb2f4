package import Model

/// A read or a tiled picture as seen by the gate, from a store or from a baseline file.
package struct GatedCost: Sendable, Hashable {
  package struct Name: Sendable, Hashable {
    package var image: String
    /// Operation, over whose pictures times are summed: `jpeg q 0.8, scaled, 320`.
    package var title: String

    /// Names the file by codec or format, settings and quality; an empty quality stands for a file as found.
    package init(
      _ image: String, _ codec: String, build: String, _ settings: String, quality: String, _ rest: String...
    ) {
      self.image = image
      let at = build.isEmpty ? "" : "@\(build)"
      let file = codec + at + (settings.isEmpty ? "" : ":\(settings)")
      let kind = file + (quality.isEmpty ? " as found" : " q \(quality)")
      title = ([kind] + rest).joined(separator: ", ")
    }
  }

  /// CPU times, milliseconds.
  package struct Times: Sendable, Hashable {
    /// The deviation is the median distance from the median.
    package var median, minimum, deviation: Double
    package var repeats: Int

    package init(median: Double, minimum: Double, deviation: Double, repeats: Int) {
      (self.median, self.minimum, self.deviation, self.repeats) = (median, minimum, deviation, repeats)
    }
  }

  package var name: Name
  /// Either `measured`, `unsupported` or `failed`.
  package var status: String
  /// Digest of the picture's file; nil if unknown.
  package var hash: String?
  /// Bytes read by the route, or of all levels.
  package var bytes: Int?
  /// The deciding SSIMULACRA 2.
  package var score: Double?
  package var peakMiB: Double?
  package var times: Times?
  /// Origin of the times; nil if unknown.
  package var origin: TimesOrigin?
  package var libraries: String?
  package var reason: String?

  package init(_ name: Name, _ status: String) { (self.name, self.status) = (name, status) }

  package static func requiredColumns(_ subject: CostSubject) -> [String] {
    let both = ["image", "codec", "settings", "quality", "status"]
    return both
      + (subject == .reads ? ["source", "route", "wanted"] : ["tile_size", "overlap", "total_bytes"])
  }

  /// Columns of a baseline with memory and times.
  package static let amountColumns: Set = [
    "peak_mib", "viewport_peak_mib", "cpu_ms", "cpu_min_ms", "cpu_mad_ms",
  ]

  /// Reads a row of a baseline.
  package init(_ subject: CostSubject, _ fields: [String: String]) {
    func text(_ name: String) -> String { fields[name] ?? "" }
    func number(_ name: String) -> Double? {
      fields[name].flatMap(Double.init).flatMap { $0.isNaN ? nil : $0 }
    }
    switch subject {
    case .reads:
      name = Name(
        text("image"), text("codec"), build: text("build"), text("settings"),
        quality: text("source") == "as-found" ? "" : text("quality"), text("route"), text("wanted"))
      bytes = fields["touched_bytes"].flatMap { Int($0) }
      score = number("ssimulacra2_aligned") ?? number("ssimulacra2")
      peakMiB = number("peak_mib")
    case .tiles:
      name = Name(
        text("image"), text("codec"), build: text("build"), text("settings"), quality: text("quality"),
        Self.cut(size: text("tile_size"), overlap: text("overlap")))
      bytes = fields["total_bytes"].flatMap { Int($0) }
      score = number("level0_ssimulacra2")
      peakMiB = number("viewport_peak_mib")
    }
    status = text("status")
    hash = fields["image_sha256"]
    libraries = fields["libraries"]
    if let median = number("cpu_ms"), let minimum = number("cpu_min_ms") {
      times = Times(
        median: median, minimum: minimum, deviation: number("cpu_mad_ms") ?? 0,
        repeats: fields["repeats"].flatMap { Int($0) } ?? 1)
    }
    if let host = fields["host"], let processor = fields["processor"],
      let jobs = fields["jobs"].flatMap({ Int($0) })
    {
      origin = TimesOrigin(host: host, processor: processor, jobs: jobs)
    }
    reason = fields["error"]
  }

  package static func cut(size: String, overlap: String) -> String {
    "tiles of \(size) px" + (overlap == "0" ? "" : " with \(overlap) px shared")
  }
}

extension GatedCost {
  package init(_ row: ReadRow) {
    let record = row.record
    let encoding = record.key.encoding
    self.init(
      Name(
        record.key.image.name, row.codec, build: record.key.build ?? "",
        encoding?.variant.canonicalSettings ?? "", quality: encoding?.quality.description ?? "",
        record.key.route.rawValue, record.key.wanted.description), "measured")
    hash = record.key.image.contentHash.isEmpty ? nil : record.key.image.contentHash
    libraries = record.key.libraries.isEmpty ? nil : record.key.libraries
    origin = record.timesOrigin
    switch record.outcome {
    case .measured(let figures):
      (bytes, score) = (figures.touchedBytes, figures.judgedSSIMULACRA2)
      peakMiB = figures.peakBytes.map { Double($0) / 1_048_576 }
      times = row.cpu.map {
        Times(
          median: $0.median, minimum: $0.minimum, deviation: $0.deviation, repeats: figures.samples.count)
      }
    case .unsupported(let reason): (status, self.reason) = ("unsupported", reason)
    case .failed(let failure): (status, self.reason) = ("failed", failure.message)
    }
  }
}
