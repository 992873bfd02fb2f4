import Metrics
package import Model

/// The columns of a baseline; all but the times are deterministic. The columns of reads, tiles and generations also
/// read rows of a `decodes.csv`, `tiles.csv` or `generations.csv`.
package enum BaselineColumns {
  private typealias Names = CSVColumnNames

  /// The name, in a row, of the headline score of the picture without tiles.
  package static let wholeScore = "whole \(MetricTraits.headline.id)"

  package static func all(_ kind: Way.Kind, scores: [MetricTraits]) -> [Column<ResultRow>] {
    let (image, scores) = (named(Names.image), scores.map(MeasurementColumns.score))
    let file = named(Names.codec, Names.settings, Names.build, Names.quality)
    let outcome = named(Names.status, Names.imageHash, Names.libraries)
    return switch kind {
    case .read: image + [source] + file + read + scores + costs + outcome + machine
    case .tiles: image + file + cut + scores + [memory("viewport_peak_mib")] + outcome
    case .generations:
      image + [codecAndBuild] + named(Names.settings, Names.quality)
        + [number("generation", \.way.generation)] + named(Names.encodedBytes) + scores + outcome
    case .point, .whole, .imported:
      named(
        Names.image, Names.width, Names.height, Names.codec, Names.settings, Names.quality, Names.status,
        Names.encodedBytes) + scores
        + named(Names.libraries, Names.imageHash, Names.origin, Names.build, Names.importedFile)
    }
  }

  /// The columns that a file of this way must have.
  package static func required(_ kind: Way.Kind) -> [String] {
    let file = [Names.image, Names.codec, Names.settings, Names.quality]
    return switch kind {
    case .read: file + [Names.status, "source", "route", "wanted"]
    case .tiles: file + [Names.status, "total_bytes", "tile_size", "overlap"]
    case .generations: file + [Names.encodedBytes, "generation"]
    case .point, .whole, .imported: [Names.image, Names.codec, Names.quality, Names.encodedBytes]
    }
  }

  /// The scores of a row by name, with columns and decimals as in the way's table.
  package static func scores(of kind: Way.Kind) -> [MetricTraits] {
    func score(_ id: String, _ column: String, _ decimals: Int) -> MetricTraits {
      MetricTraits(id: id, column: column, title: column, decimals: decimals)
    }
    return MetricTraits.standard.flatMap { metric in
      let (id, column, decimals) = (metric.id, metric.column, metric.decimals)
      let isHeadline = id == MetricTraits.headline.id
      switch kind {
      case .read:
        return [score(id, column, Figures.readMetrics.contains(id) ? 1 : decimals)]
          + (isHeadline ? [score(ReadScore.aligned.name, "\(column)_aligned", 1)] : [])
      case .tiles:
        return (isHeadline ? [score(wholeScore, "whole_\(column)", decimals)] : [])
          + [score(id, "level0_\(column)", decimals)]
      case .generations, .point, .whole, .imported: return [metric]
      }
    }
  }

  static func named(_ names: String...) -> [Column<ResultRow>] {
    let all = MeasurementColumns.leading + MeasurementColumns.trailing
    return names.compactMap { name in all.first { $0.name == name } }
  }

  private static let source = Column<ResultRow>("source", "Source") {
    Cell(code: $0.quality == nil ? "as-found" : "encoded")
  }

  private static let read: [Column<ResultRow>] = [
    .text("route", "Route", \.way.route) { $0.way.route },
    .text("wanted", "Wanted", \.way.wanted) { $0.way.wanted },
    number("file_bytes", \.encodedBytes), number("touched_bytes", \.way.touchedBytes),
  ]

  private static let cut = [
    number("tile_size", \.way.tileSize), number("overlap", \.way.overlap),
    number("whole_bytes", \.way.wholeBytes), number("level0_bytes", \.way.level0Bytes),
    number("total_bytes", \.encodedBytes),
  ]

  private static let codecAndBuild = Column<ResultRow>(
    Names.codec, "Codec",
    read: { field, row throws(CSVError) in
      guard let named = row.variant else { return }
      guard let variant = CodecVariant(unchecked: named.name) else { throw field.broken("a codec") }
      row.variant = variant
    },
    cell: { Cell(code: $0.variant?.codecAndBuild) })

  private static let costs =
    [time("cpu_ms", \.median), time("cpu_min_ms", \.minimum), time("cpu_mad_ms", \.deviation)]
    + named("repeats") + [memory("peak_mib")]

  private static let machine: [Column<ResultRow>] = [
    .init(
      "host", "Host",
      read: { $1.timesOrigin = TimesOrigin(host: $0.text ?? "", processor: "", jobs: 0) },
      cell: { Cell(code: $0.timesOrigin?.host) }),
    .init("processor", "Processor", read: { $1.timesOrigin?.processor = $0.text ?? "" }) {
      Cell(code: $0.timesOrigin?.processor)
    },
    .init(
      "jobs", "Jobs",
      read: { field, row throws(CSVError) in
        let jobs = try field.integer(in: 0...Int.max)
        row.timesOrigin?.jobs = jobs ?? 0
      }, cell: { Cell(integer: $0.timesOrigin?.jobs) }),
  ]

  private static func number(
    _ name: String, _ path: any WritableKeyPath<ResultRow, Int?> & Sendable
  ) -> Column<ResultRow> {
    .integer(name, name, in: 0...Int.max, path) { $0[keyPath: path] }
  }

  private static func time(
    _ name: String, _ path: any WritableKeyPath<ResultRow.Timing, Double> & Sendable
  ) -> Column<ResultRow> {
    .init(
      name, name,
      read: { field, row throws(CSVError) in
        let amount = try field.amount()
        // The median, which comes first, also serves as the minimum if a file has none.
        if row[.decode, .cpu] == nil, path == \.median {
          row[.decode, .cpu] = ResultRow.Timing(minimum: amount, median: amount, deviation: 0)
        }
        row[.decode, .cpu]?[keyPath: path] = amount
      }, cell: { Cell(number: $0[.decode, .cpu]?[keyPath: path], decimals: 2) })
  }

  private static func memory(_ name: String) -> Column<ResultRow> {
    .init(
      name, name, read: { field, row throws(CSVError) in row.figures[.decodePeak] = try field.amount() },
      cell: { Cell(number: $0.figures[.decodePeak], decimals: 2) })
  }
}
