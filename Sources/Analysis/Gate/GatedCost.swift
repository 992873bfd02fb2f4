package import Model

/// A read as the gate sees it, from a store or from a baseline file.
package struct GatedRead: Sendable, Hashable {
  /// Which read.
  package struct Name: Sendable, Hashable {
    /// The picture's name.
    package var image: String
    /// Codec, build, settings and quality; what was found as it was has its format and no quality.
    package var codec, settings, build, quality: String
    /// Whether the file was found as it was.
    package var isAsFound: Bool
    /// The way in, and how much was wanted.
    package var route, wanted: String

    /// What is read how: `jpeg q 0.8, scaled, 320`.
    package var title: String {
      let at = build.isEmpty ? "" : "@\(build)"
      let file = codec + at + (settings.isEmpty ? "" : ":\(settings)")
      return "\(file)\(isAsFound ? " as found" : " q \(quality)"), \(route), \(wanted)"
    }

    /// What times are summed over: everything but the picture.
    var group: Name {
      var group = self
      group.image = ""
      return group
    }
  }

  /// CPU times, milliseconds.
  package struct Times: Sendable, Hashable {
    /// The middle, the shortest, and the median distance from the middle.
    package var median, minimum, deviation: Double
    /// How many there are.
    package var repeats: Int

    /// States times.
    package init(median: Double, minimum: Double, deviation: Double, repeats: Int) {
      (self.median, self.minimum, self.deviation, self.repeats) = (median, minimum, deviation, repeats)
    }
  }

  /// Which read.
  package var name: Name
  /// `measured`, `unsupported` or `failed`.
  package var status: String
  /// Digest of the picture's file; nil where it is not known.
  package var hash: String?
  /// Bytes that the route looks at.
  package var touchedBytes: Int?
  /// The SSIMULACRA 2 that counts.
  package var score: Double?
  /// Memory of the decode, MiB.
  package var peakMiB: Double?
  /// Times; nil where there are none.
  package var times: Times?
  /// Where they were taken; nil where that is not known.
  package var origin: TimesOrigin?
  /// The libraries; nil where they are not known.
  package var libraries: String?
  /// Why there are no figures.
  package var reason: String?

  /// What a row of a table says.
  package init(_ row: ReadRow) {
    let record = row.record
    let encoding = record.key.encoding
    name = Name(
      image: record.key.image.name, codec: encoding?.variant.codec ?? row.foundFormat,
      settings: encoding?.variant.canonicalSettings ?? "", build: record.key.build ?? "",
      quality: encoding?.quality.description ?? "", isAsFound: encoding == nil,
      route: record.key.route.rawValue, wanted: record.key.wanted.description)
    hash = record.key.image.contentHash.isEmpty ? nil : record.key.image.contentHash
    libraries = record.key.libraries.isEmpty ? nil : record.key.libraries
    origin = record.origin
    switch record.outcome {
    case .measured(let figures):
      status = "measured"
      (touchedBytes, score) = (figures.touchedBytes, figures.judgedSSIMULACRA2)
      peakMiB = figures.peakBytes.map { Double($0) / 1_048_576 }
      times = row.cpu.map {
        Times(
          median: $0.median, minimum: $0.minimum, deviation: $0.deviation, repeats: figures.samples.count)
      }
    case .unsupported(let reason): (status, self.reason) = ("unsupported", reason)
    case .failed(let failure): (status, self.reason) = ("failed", failure.message)
    }
  }

  /// The columns that a baseline needs to have.
  package static let requiredColumns = [
    "image", "source", "codec", "settings", "quality", "route", "wanted", "status",
  ]

  /// What a row of a baseline says.
  package init(_ fields: [String: String]) {
    func number(_ name: String) -> Double? {
      fields[name].flatMap(Double.init).flatMap { $0.isNaN ? nil : $0 }
    }
    name = Name(
      image: fields["image"] ?? "", codec: fields["codec"] ?? "", settings: fields["settings"] ?? "",
      build: fields["build"] ?? "", quality: fields["quality"] ?? "",
      isAsFound: fields["source"] == "as-found",
      route: fields["route"] ?? "", wanted: fields["wanted"] ?? "")
    status = fields["status"] ?? ""
    hash = fields["image_sha256"]
    libraries = fields["libraries"]
    touchedBytes = fields["touched_bytes"].flatMap { Int($0) }
    score = number("ssimulacra2_aligned") ?? number("ssimulacra2")
    peakMiB = number("peak_mib")
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
}

extension ReadRow {
  /// The format of a file as it was found.
  fileprivate var foundFormat: String { record.measurement?.format ?? record.sourceFormat ?? "" }
}
