import GRDB
package import Model
import Pixels

extension ResultStore {
  /// Passes on the run's rows in plan order: by image, variant and ascending quality.
  ///
  /// Rows are read a few images at a time, so that memory stays flat and `body` may use the store. An image that
  /// could not be read, and of which nothing was measured, has one row without a variant, unfinished points none.
  /// - Throws: `StoreError`, or errors of `body`.
  package func forEachRow(of run: RunID, _ body: (ResultRow) throws -> Void) throws {
    try forEachImage(of: run) { image in
      for row in RowBuilder.rows(image) { try body(row) }
    }
  }

  /// The rows of some images from a position of the run's list on, as `forEachRow` passes them, and the position after
  /// them; nil at the end.
  package func rows(of run: RunID, from position: Int) throws -> (rows: [ResultRow], next: Int?) {
    let images = try read { db in
      try RunView(run, db)?.images(from: position, count: Self.batch, points: .all, db) ?? []
    }
    let last = images.last?.position ?? .max
    return (images.flatMap(RowBuilder.rows), last < .max ? last + 1 : nil)
  }

  /// The run's failed points, failed scores and unusable images, in plan order.
  package func failures(of run: RunID) throws -> [StoredFailure] {
    var failures: [StoredFailure] = []
    try forEachImage(of: run, points: .failed) { image in
      if let problem = image.problem {
        failures.append(StoredFailure(image: image.identity, key: nil, failure: problem))
        return
      }
      for file in image.imports {
        guard let failure = file.record.outcome.failure else { continue }
        let name = (file.record.key.series, file.record.key.file)
        failures.append(StoredFailure(image: image.identity, key: nil, imported: name, failure: failure))
      }
      for point in image.points {
        failures += Self.failures(point.outcome).map {
          StoredFailure(image: image.identity, key: point.key, failure: $0)
        }
      }
    }
    return failures
  }

  /// A point's failure, or one for each score that its program failed to give.
  private static func failures(_ outcome: PointOutcome) -> [Failure] {
    switch outcome {
    case .failed(let failure): [failure]
    case .unsupported: []
    case .measured(let measurement):
      measurement.failedScores.sorted { $0.key < $1.key }.map {
        Failure(kind: .metric, message: "\($0.key) \($0.value)")
      }
    }
  }

  /// Images per query: enough to make queries cheap, few enough to need little memory.
  private static let batch = 64

  private func forEachImage(
    of run: RunID, points: RunView.Selection = .all, _ body: (StoredImage) throws -> Void
  ) throws {
    guard let view = try read({ db in try RunView(run, db) }) else { return }
    var position = 0
    while true {
      let images = try read { db in
        try view.images(from: position, count: Self.batch, points: points, db)
      }
      for image in images { try body(image) }
      guard let last = images.last, last.position < .max else { return }
      position = last.position + 1
    }
  }
}

package struct StoredFailure: Sendable {
  package let image: ImageIdentity
  /// Nil if the image as a whole or an imported file was unusable.
  package let key: Case?
  /// Series and name of a refused imported file; nil otherwise.
  package var imported: (series: String, file: String)?
  package let failure: Failure
}

/// An image of a run with its points, in plan order.
struct StoredImage {
  var position: Int
  var identity: ImageIdentity
  var record: ImageRecord?
  var points: [StoredPoint] = []
  var imports: [StoredImport] = []

  /// The reason the image is unusable; nil if anything was measured, as the problem then arose under another limit.
  var problem: Failure? {
    let isMeasured = points.contains { if case .measured = $0.outcome { true } else { false } }
    return isMeasured || imports.contains { $0.record.figures != nil } ? nil : record?.problem
  }
}

/// A point with the times of the exclusive pass.
struct StoredPoint {
  var key: Case
  var order: Int
  var outcome: PointOutcome
  var origin: PointOrigin
  var exclusive: TimingSeries?
  var timesOrigin: TimesOrigin?
  /// True if its times come from a machine outside the run.
  var hasForeignTimes = false
}

enum RowBuilder {
  static func rows(_ image: StoredImage) -> [ResultRow] {
    var start = ResultRow(image: image.identity.name, status: .failed)
    start.imageHash = image.identity.contentHash.isEmpty ? nil : image.identity.contentHash
    if let record = image.record { describe(record, in: &start) }
    if let problem = image.problem {
      start.error = problem.message
      return [start]
    }
    start.error = image.record.flatMap { remark(of: $0.steps) }
    return image.points.map { row($0, from: start) }
      + image.imports.map { row(ofFile: $0.record, from: start) }
  }

  private static func remark(of steps: [String]) -> String? { steps.first { $0 == ImageRecord.gainMapStep } }

  private static func row(ofFile file: CaseRecord, from start: ResultRow) -> ResultRow {
    var row = start
    row.variant = file.key.variant
    row.importedFile = file.key.file
    row.error = file.outcome.failure?.message ?? row.error
    if let figures = file.figures {
      row.status = .measured
      row.encodedBytes = figures.encodedBytes
      row.figures[.metadata] = figures.figures[.metadata].map(Double.init)
      (row.importedFormat, row.importedMaking) = (figures.format, figures.making)
      row.error = row.error ?? remark(of: figures.remarks)
      row.scores = figures.scores
      row.libraries = figures.decoder.flatMap { $0.isEmpty ? nil : $0 }
      row.conditions = figures.timing.conditions
      row.repeats = figures.timing.decode.count
      for call in TimedCall.of([.decode]) {
        row.times[call] = ResultRow.Timing(nanoseconds: figures.timing.decode.map { $0[call.clock] })
      }
    }
    return row
  }

  private static func describe(_ record: ImageRecord, in row: inout ResultRow) {
    row.sourceBytes = record.fileBytes
    row.sourceFormat = record.header?.format
    row.sourceIsLossy = record.header?.isLossy
    guard let width = record.preparedWidth, let height = record.preparedHeight else { return }
    row.width = width
    row.height = height
    guard let format = record.preparedFormat else { return }
    row.bitDepth = format.bitDepth
    row.alpha = format.layout.hasAlpha
    row.rawBytes = record.rawBytes
  }

  private static func row(_ point: StoredPoint, from start: ResultRow) -> ResultRow {
    var row = start
    row.variant = point.key.variant
    row.libraries = point.key.libraries
    row.quality = point.key.quality
    row.origin = point.origin
    switch point.outcome {
    case .measured(let measurement):
      row.status = .measured
      describe(measurement, point, in: &row)
    case .unsupported(let reason):
      row.status = .unsupported
      row.error = reason
    case .failed(let failure):
      row.status = .failed
      row.error = failure.message
    }
    return row
  }

  private static func describe(
    _ measurement: Figures, _ point: StoredPoint, in row: inout ResultRow
  ) {
    row.nativeQuality = measurement.nativeQuality
    row.encodedBytes = measurement.encodedBytes
    row.repeatsAgree = measurement.repeatsAgree
    for (figure, count) in measurement.figures {
      row.figures[figure] = Double(count) / figure.traits.scale
    }
    row.scores = measurement.scores
    let failed = measurement.failedScores.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let remarks = failed + measurement.remarks + (row.error.map { [$0] } ?? [])
    row.error = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    if point.hasForeignTimes {
      row.foreignHost = point.timesOrigin?.host
      return
    }
    let timing = point.exclusive ?? measurement.timing
    row.timesOrigin = point.timesOrigin
    row.conditions = timing.conditions
    row.repeats = timing.encode.count
    for call in TimedCall.of(TimedOperation.allCases) {
      row.times[call] = ResultRow.Timing(nanoseconds: timing[call.operation].map { $0[call.clock] })
    }
  }
}

extension ResultRow.Timing {
  /// Statistics over repeats; nil without any.
  package init?(nanoseconds: [Int64]) {
    if nanoseconds.count == 1 {
      // The usual case, without allocating four arrays.
      let only = Double(nanoseconds[0]) / 1e6
      self.init(minimum: only, median: only, deviation: 0)
      return
    }
    let milliseconds = nanoseconds.map { Double($0) / 1e6 }
    guard let minimum = milliseconds.min(), let median = milliseconds.median else { return nil }
    self.init(
      minimum: minimum, median: median, deviation: milliseconds.map { abs($0 - median) }.median ?? 0)
  }
}
