import Metrics
import Model
package import Store

/// A part of results that a gate compares, and that a baseline covers.
package enum GateSubject: String, Sendable, Hashable, CaseIterable {
  /// A sweep: sizes, scores, times and library versions.
  case points
  /// Reading files: memory and scores, and times with the machine they were taken on.
  case reads
  /// Tiles: bytes, scores and memory.
  case tiles
  /// Chains of generations: bytes and scores of each file.
  case generations

  private struct Traits {
    var noun: String
    var bytes = "encoded_bytes"
    var slack = 1e-9
    /// Quantities besides bytes and scores that are compared with thresholds.
    var costs: [GateQuantity] = []
    /// Columns that distinguish a case from others of its image, variant and quality.
    var names: [String] = []
    /// More columns that identify a file of this way.
    var marks: [String] = []
    /// Columns of a baseline before and after those of the scores.
    var sizes: [String] = []
    var amounts: [String] = []
  }

  private var traits: Traits {
    switch self {
    case .points: Traits(noun: "encode")
    case .reads:
      Traits(
        noun: "read", bytes: "touched_bytes", slack: 1e-3, costs: [.memory, .time(.decode)],
        names: ["route", "wanted"], marks: ["status", "source"], sizes: ["file_bytes", "touched_bytes"],
        amounts: ["cpu_ms", "cpu_min_ms", "cpu_mad_ms", "repeats", "peak_mib"])
    case .tiles:
      Traits(
        noun: "cut", bytes: "total_bytes", slack: 1e-3, costs: [.memory], names: ["tile_size", "overlap"],
        marks: ["status", "total_bytes"], sizes: ["whole_bytes", "level0_bytes", "total_bytes"],
        amounts: ["viewport_peak_mib"])
    case .generations:
      Traits(noun: "generation", names: ["generation"], marks: ["encoded_bytes"], sizes: ["encoded_bytes"])
    }
  }

  package var noun: String { traits.noun }

  /// Allowance for rounding in a baseline file. Other scores are rounded alike before they are compared.
  var slack: Double { traits.slack }

  /// Quantities compared with thresholds in ways other than points.
  package var quantities: [GateQuantity] {
    let scores = MetricTraits.standard.map { GateQuantity.score($0.id) }.filter { $0.traits.tolerance != nil }
    return [.pointBytes] + scores + traits.costs
  }

  package var requiredColumns: [String] {
    ["image", "codec", "settings", "quality"] + traits.marks + traits.names
  }

  /// Columns of a baseline of another way than points, as far as its table has them; all but times deterministic.
  package var baselineColumns: [String] {
    let scores = MetricTraits.standard.flatMap { metric in
      switch self {
      case .reads where metric == .headline: [metric.column, "\(metric.column)_aligned"]
      case .tiles where metric == .headline: ["whole_\(metric.column)", "level0_\(metric.column)"]
      default: scoreColumns(metric)
      }
    }
    let file = (self == .reads ? ["source"] : []) + ["codec", "settings", "build", "quality"]
    let origin =
      ["status", "image_sha256", "libraries"] + (self == .reads ? ["host", "processor", "jobs"] : [])
    return ["image"] + file + traits.names + traits.sizes + scores + traits.amounts + origin
  }

  private func scoreColumns(_ metric: MetricTraits) -> [String] {
    switch self {
    case .reads where metric == .headline: ["\(metric.column)_aligned", metric.column]
    case .tiles: ["level0_\(metric.column)"]
    default: [metric.column]
    }
  }

  package static let amountColumns: Set = [
    "peak_mib", "viewport_peak_mib", "cpu_ms", "cpu_min_ms", "cpu_mad_ms",
  ]
}

extension GateSubject {
  package func row(_ fields: [String: String]) -> ResultRow {
    func text(_ name: String) -> String { fields[name] ?? "" }
    func number(_ names: String...) -> Double? { self.number(fields, names) }
    var row = ResultRow(image: text("image"), status: status(fields))
    let plain = CodecVariant(codec: text("codec"), build: LibraryBuild.name(inCell: fields["build"]))
    let settings = text("settings")
    row.variant = settings.isEmpty ? plain : CodecVariant(unchecked: "\(plain.name):\(settings)") ?? plain
    row.importedFile = way(text)
    row.encodedBytes = fields[traits.bytes].flatMap { Int($0) }
    for metric in MetricTraits.standard { row.scores[metric.id] = self.number(fields, scoreColumns(metric)) }
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
    return row
  }

  private func number(_ fields: [String: String], _ names: [String]) -> Double? {
    names.lazy.compactMap { fields[$0].flatMap(Double.init) }.first { !$0.isNaN }
  }

  /// The status; a generations.csv has none, but rows without a generation, which say why.
  private func status(_ fields: [String: String]) -> ResultRow.Status {
    if let status = fields["status"] { return ResultRow.Status(rawValue: status) ?? .failed }
    if self == .generations, fields["generation"] != nil { return .measured }
    return fields["error"]?.hasPrefix("unsupported: ") == true && self == .generations
      ? .unsupported : .failed
  }

  /// Names a case within its image and variant: `q 0.8, scaled, 320`.
  private func way(_ field: (String) -> String) -> String {
    let quality = field("quality").isEmpty || field("source") == "as-found" ? nil : "q \(field("quality"))"
    switch self {
    case .points: return quality ?? ""
    case .reads: return "\(quality ?? "as found"), \(field("route")), \(field("wanted"))"
    case .tiles:
      let overlap = field("overlap")
      return "\(quality ?? "as found"), tiles of \(field("tile_size")) px"
        + (overlap == "0" ? "" : " with \(overlap) px shared")
    case .generations:
      let number = field("generation")
      return (quality ?? "no quality") + (number.isEmpty ? "" : ", generation \(number)")
    }
  }
}
