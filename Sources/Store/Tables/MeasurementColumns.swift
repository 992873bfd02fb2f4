import Metrics
package import Model

/// The columns of measurements.csv, JSON, HTML and the terminal, present whether or not the run measured them.
///
/// A name never changes its meaning. Metric columns come between `leading` and `trailing`; new columns go into
/// `trailing` before `error`, so that older readers still find the columns they know by name.
package enum MeasurementColumns {
  package static func all(metrics: [MetricTraits], isHDR: Bool = false) -> [Column<ResultRow>] {
    let isHDR = isHDR || metrics.contains(where: \.isHDR)
    let ofHDR = Set(isHDR ? [] : Quantity.ofGainMaps.map(\.traits.column))
    return leading + scores(metrics: metrics, isHDR: isHDR) + trailing.filter { !ofHDR.contains($0.name) }
  }

  package static func scores(metrics: [MetricTraits], isHDR: Bool = false) -> [Column<ResultRow>] {
    scoreTraits(metrics: metrics, isHDR: isHDR).map(score)
  }

  static func score(_ metric: MetricTraits) -> Column<ResultRow> {
    Column(
      metric.column, title: metric.title, unit: metric.unit,
      read: { field, row throws(CSVError) in row.scores[metric.id] = try field.score() },
      cell: { Cell(number: $0.scores[metric.id], decimals: metric.decimals) })
  }

  /// The metrics of the score columns in order. Every HDR run has the HDR metrics, which distinguish its file from an
  /// SDR one. A run's own traits override the usual ones.
  package static func scoreTraits(metrics: [MetricTraits], isHDR: Bool = false) -> [MetricTraits] {
    let measured = Dictionary(metrics.map { ($0.id, $0) }) { first, _ in first }
    let always = MetricTraits.usual + (isHDR ? MetricTraits.hdr : [])
    let ids = Set(always.map(\.id))
    return always.map { measured[$0.id] ?? $0 } + metrics.filter { !ids.contains($0.id) }
  }
}

// MARK: - The columns

extension MeasurementColumns {
  /// Larger sides are impossible, and their product could overflow.
  private static let side = 1...Int(Int32.max)
  private static let natural = 0...Int.max

  package static let leading: [Column<ResultRow>] =
    [
      // The single row of an unreadable image has no codec.
      .init(CSVColumnNames.image, "Image") { Cell(code: $0.image) },
      .integer(CSVColumnNames.width, "Width", unit: "px", in: side, \.width) { $0.width },
      .integer(CSVColumnNames.height, "Height", unit: "px", in: side, \.height) { $0.height },
      .integer("bit_depth", "Bit depth", in: 1...32, \.bitDepth) { $0.bitDepth },
      .flag("alpha", "Alpha", \.alpha) { $0.alpha },
      .text("source_format", "Source", \.sourceFormat) { $0.sourceFormat },
      .init(CSVColumnNames.codec, "Codec") { Cell(code: $0.variant?.codec) },
      .init(CSVColumnNames.settings, "Settings") { row in
        Cell(code: row.variant.flatMap { $0.settings.isEmpty ? nil : $0.canonicalSettings })
      },
      .init(
        CSVColumnNames.quality, "Quality", .trailing,
        read: { field, row throws(CSVError) in row.quality = try field.quality() },
        cell: { row in row.quality.map { .numeral($0.description) } ?? .empty }),
      .integer(
        CSVColumnNames.nativeQuality, "Native quality", in: Int(Int32.min)...Int(Int32.max), \.nativeQuality
      ) { $0.nativeQuality },
      .init(CSVColumnNames.status, "Status") { Cell(code: $0.status.rawValue) },
      .integer(CSVColumnNames.encodedBytes, "Size", unit: "bytes", in: natural, \.encodedBytes) {
        $0.encodedBytes
      },
      .init("bits_per_pixel", "Bits per pixel", .trailing) { Cell(number: $0.bitsPerPixel, decimals: 3) },
      .init(CSVColumnNames.compressionRatio, "Compression ratio", .trailing) {
        Cell(number: $0.compressionRatio, decimals: 2)
      },
    ] + TimedCall.of(TimedOperation.allCases).map(Column.median) + [
      .integer("repeats", "Repeats", in: 0...Int(Int32.max), \.repeats) { $0.repeats },
      .figure(.peakMemory),
    ]

  package static let trailing: [Column<ResultRow>] =
    TimedCall.of(TimedOperation.allCases).flatMap { [.minimum($0), .deviation($0)] } + [
      .word("timing", "Timing mode", \.conditions) { $0.conditions },
      .flag("repeats_agree", "Repeats agree", \.repeatsAgree) { $0.repeatsAgree },
      .integer("raw_bytes", "Raw size", unit: "bytes", in: natural, \.rawBytes) { $0.rawBytes },
      .flag("source_lossy", "Lossy source", \.sourceIsLossy) { $0.sourceIsLossy },
      // The same spelling as in the point's key.
      .text(CSVColumnNames.libraries, "Libraries", \.libraries) { $0.libraries },
      .text(CSVColumnNames.imageHash, "Source SHA-256", \.imageHash) { $0.imageHash },
      // The gate distinguishes points by origin, so an unknown value of a later version is an error.
      .init(
        CSVColumnNames.origin, "Origin",
        read: { field, row throws(CSVError) in row.origin = try field.word() as PointOrigin },
        cell: { Cell(code: $0.origin?.rawValue) }),
      .integer("source_bytes", "Source file", unit: "bytes", in: natural, \.sourceBytes) { $0.sourceBytes },
      .figure(.encodePeak), .figure(.decodePeak),
      .init(CSVColumnNames.build, "Build") { row in
        Cell(code: row.importedFile == nil ? row.variant.map { $0.build ?? LibraryBuild.system } : nil)
      },
      .init("variant", "Variant") { Cell(code: $0.variant?.name) },
      .text(CSVColumnNames.importedFile, "Imported file", \.importedFile) { $0.importedFile },
      .text("imported_format", "Its format", \.importedFormat) { $0.importedFormat },
      .text("imported_making", "How it was made", isProse: true, \.importedMaking) { $0.importedMaking },
    ] + Quantity.ofPoints.filter { ![.peakMemory, .encodePeak, .decodePeak].contains($0) }.map(Column.figure)
    + [
      // Only written: times from a file are never compared with those of this machine.
      .init("processor", "Processor") { Cell(code: $0.times.isEmpty ? nil : $0.timesOrigin?.processor) },
      .init(
        "remarks", "Remarks",
        read: { field, row in row.remarks = field.text?.split(separator: "; ").map(String.init) ?? [] },
        cell: { Cell(text: $0.remarks.isEmpty ? nil : $0.remarks.joined(separator: "; ")) }),
      .text(CSVColumnNames.error, "Error", isProse: true, \.error) { $0.error },
    ]
}

// MARK: - Kinds of columns

extension Column<ResultRow> {
  init(
    _ name: String, _ title: String, unit: String = "", _ alignment: Alignment = .leading,
    type: ColumnType? = nil, read: Read? = nil, cell: @escaping @Sendable (ResultRow) -> Cell
  ) {
    self.init(name, title: title, unit: unit, alignment: alignment, type: type, read: read, cell: cell)
  }

  /// The destination of a parsed value. Cells use a getter instead, because a key path would copy the row for each
  /// cell.
  typealias Path<Value> = WritableKeyPath<ResultRow, Value?> & Sendable
  typealias Getter<Value> = @Sendable (ResultRow) -> Value?

  /// A name, or, with `isProse`, a text such as a message.
  static func text(
    _ name: String, _ title: String, isProse: Bool = false, _ path: any Path<String>,
    _ value: @escaping Getter<String>
  ) -> Self {
    Self(name, title, read: { field, row in row[keyPath: path] = field.text }) {
      isProse ? Cell(text: value($0)) : Cell(code: value($0))
    }
  }

  /// One of several words; unknown words of later versions are ignored.
  fileprivate static func word<Word: RawRepresentable<String> & SendableMetatype>(
    _ name: String, _ title: String, _ path: any Path<Word>, _ value: @escaping Getter<Word>
  ) -> Self {
    Self(name, title, read: { field, row in row[keyPath: path] = field.text.flatMap(Word.init) }) {
      Cell(code: value($0)?.rawValue)
    }
  }

  fileprivate static func flag(
    _ name: String, _ title: String, _ path: any Path<Bool>, _ value: @escaping Getter<Bool>
  ) -> Self {
    let read: Read = { field, row throws(CSVError) in row[keyPath: path] = try field.boolean() }
    return Self(name, title, type: .flag, read: read) { Cell(flag: value($0)) }
  }

  static func integer(
    _ name: String, _ title: String, unit: String = "", in range: ClosedRange<Int>, _ path: any Path<Int>,
    _ value: @escaping Getter<Int>
  ) -> Self {
    let read: Read = { field, row throws(CSVError) in row[keyPath: path] = try field.integer(in: range) }
    return Self(name, title, unit: unit, .trailing, type: .integer, read: read) { Cell(integer: value($0)) }
  }

  fileprivate static func figure(_ figure: Quantity) -> Self {
    let traits = figure.traits
    let read: Read = { field, row throws(CSVError) in row.figures[figure] = try field.number() }
    let type = traits.decimals == 0 ? ColumnType.integer : .number
    return Self(traits.column, traits.title, unit: traits.unit, .trailing, type: type, read: read) {
      let value = $0.figures[figure]
      guard traits.decimals == 0 else { return Cell(number: value, decimals: traits.decimals) }
      return Cell(integer: value.flatMap { Int(exactly: $0) })
    }
  }
}

// MARK: - Times

extension Column<ResultRow> {
  /// The median, the only statistic in older files; later columns overwrite the others derived here.
  fileprivate static func median(_ call: TimedCall) -> Self {
    time(call, "", "\(call.operation.title) \(call.clock.title)", \.median) { value in
      ResultRow.Timing(minimum: value, median: value, deviation: 0)
    }
  }

  fileprivate static func minimum(_ call: TimedCall) -> Self {
    time(call, "_min", "Fastest \(call.operation.rawValue), \(call.clock.title)", \.minimum)
  }

  fileprivate static func deviation(_ call: TimedCall) -> Self {
    time(call, "_mad", "\(call.operation.title) \(call.clock.title), MAD", \.deviation)
  }

  fileprivate static func time(
    _ call: TimedCall, _ statistic: String, _ title: String,
    _ path: any WritableKeyPath<ResultRow.Timing, Double> & Sendable,
    begin: (@Sendable (Double) -> ResultRow.Timing)? = nil
  ) -> Self {
    let read: Read = { field, row throws(CSVError) in
      guard let value = try field.number() else { return }
      if let begin {
        row.times[call] = begin(value)
      } else {
        row.times[call]?[keyPath: path] = value
      }
    }
    return Self("\(call)\(statistic)_ms", title, unit: "ms", .trailing, read: read) {
      Cell(number: $0.times[call]?[keyPath: path], decimals: 2)
    }
  }
}

extension TimingClock {
  fileprivate var title: String {
    switch self {
    case .wall: "wall time"
    case .cpu: "CPU time"
    }
  }
}
