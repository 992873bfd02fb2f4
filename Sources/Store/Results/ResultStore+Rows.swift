import GRDB
package import Model
import Pixels

extension ResultStore {
  /// Passes on the run's rows in plan order: by image, variant and ascending quality.
  ///
  /// Rows are read a few images at a time, so memory use stays constant and `body` may use the store. An unreadable
  /// image without measurements has one row without a variant; unfinished points have no row.
  package func forEachRow(of run: RunID, _ body: (ResultRow) throws -> Void) throws {
    try forEachImage(of: run, .rows) { image in
      for row in image.allRows { try body(row) }
    }
  }

  /// The rows of some images from a position in the run's list on, as `forEachRow` passes them, and the position after
  /// them; nil at the end.
  package func rows(of run: RunID, from position: Int) throws -> (rows: [ResultRow], next: Int?) {
    let images = try read { db in
      try RunView(run, db)?.images(from: position, count: Self.batch, .rows, db) ?? []
    }
    let last = images.last?.position ?? .max
    return (images.flatMap(\.allRows), last < .max ? last + 1 : nil)
  }

  /// The run's failed points, failed scores and unusable images, in plan order.
  package func failures(of run: RunID) throws -> [StoredFailure] {
    var failures: [StoredFailure] = []
    try forEachImage(of: run, .failures) { image in
      if let problem = image.problem {
        failures.append(StoredFailure(image: image.identity, key: nil, failure: problem))
        return
      }
      for file in image.sortedImports {
        guard let failure = file.outcome.failure else { continue }
        failures.append(
          StoredFailure(
            image: image.identity, key: nil, imported: (file.key.series, file.key.file), failure: failure))
      }
      failures += image.failures.sorted {
        ($0.order, $0.failure.key?.quality ?? 0.0) < ($1.order, $1.failure.key?.quality ?? 0.0)
      }.map(\.failure)
    }
    return failures
  }

  /// The number of images per query: enough to make queries cheap, few enough to need little memory.
  private static let batch = 64

  private func forEachImage(
    of run: RunID, _ selection: RunView.Selection, _ body: (StoredImage) throws -> Void
  ) throws {
    guard let view = try read({ db in try RunView(run, db) }) else { return }
    var position = 0
    while true {
      let images = try read { db in
        try view.images(from: position, count: Self.batch, selection, db)
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

struct StoredImage {
  let position: Int
  let identity: ImageIdentity
  /// The row that the rows of the image's points start from.
  let start: ResultRow
  let recordedProblem: Failure?
  var isMeasured = false
  var rows: [(order: Int, row: ResultRow)] = []
  var failures: [(order: Int, failure: StoredFailure)] = []
  var imports: [(order: Int, record: CaseRecord)] = []

  init(position: Int, _ identity: ImageIdentity, _ record: ImageRecord?) {
    (self.position, self.identity, recordedProblem) = (position, identity, record?.problem)
    var row = ResultRow(image: identity.name, status: .failed)
    row.imageHash = identity.contentHash.isEmpty ? nil : identity.contentHash
    if let record { row.take(record) }
    row.remarks = record?.steps ?? []
    row.error = ResultRow.remark(of: row.remarks)
    start = row
  }

  /// The reason the image is unusable; nil if anything was measured, because then the problem came from another limit.
  var problem: Failure? {
    isMeasured || imports.contains { $0.record.figures != nil } ? nil : recordedProblem
  }

  var allRows: [ResultRow] {
    if let problem {
      var row = start
      row.error = problem.message
      return [row]
    }
    let points = rows.sorted { a, b in (a.order, a.row.quality ?? 0.0) < (b.order, b.row.quality ?? 0.0) }
    return points.map(\.row) + sortedImports.map { ResultRow(ofFile: $0, from: start) }
  }

  /// Ordered by series, then by size, so that files from a sweep made elsewhere are ascending.
  var sortedImports: [CaseRecord] {
    imports.sorted { a, b in
      (a.order, a.record.figures?.encodedBytes ?? .max, a.record.key.file)
        < (b.order, b.record.figures?.encodedBytes ?? .max, b.record.key.file)
    }.map(\.record)
  }
}

extension ResultRow {
  fileprivate init(ofFile file: CaseRecord, from start: ResultRow) {
    self = start
    variant = file.key.variant
    importedFile = file.key.file
    error = file.outcome.failure?.message ?? error
    guard let measured = file.figures else { return }
    status = .measured
    encodedBytes = measured.encodedBytes
    figures[.metadata] = measured.figures[.metadata].map(Double.init)
    (importedFormat, importedMaking) = (measured.format, measured.making)
    error = error ?? Self.remark(of: measured.remarks)
    remarks += measured.remarks.filter { !remarks.contains($0) }
    scores = measured.scores
    libraries = measured.decoder.flatMap { $0.isEmpty ? nil : $0 }
    take(measured.timing)
    repeats = measured.timing.decode.count
  }

  fileprivate static func remark(of steps: [String]) -> String? {
    steps.first { $0 == ImageRecord.gainMapStep }
  }

  fileprivate mutating func take(_ record: ImageRecord) {
    sourceBytes = record.fileBytes
    sourceFormat = record.header?.format
    sourceIsLossy = record.header?.isLossy
    guard let preparedWidth = record.preparedWidth, let preparedHeight = record.preparedHeight else { return }
    (width, height) = (preparedWidth, preparedHeight)
    guard let format = record.preparedFormat else { return }
    bitDepth = format.bitDepth
    alpha = format.layout.hasAlpha
    rawBytes = record.rawBytes
  }

  mutating func take(_ timing: TimingSeries) {
    (conditions, repeats) = (timing.conditions, timing.encode.count)
    for call in TimedCall.of(TimedOperation.allCases) {
      times[call] = Timing(nanoseconds: timing[call.operation].map { $0[call.clock] })
    }
  }
}

extension ResultRow.Timing {
  package init?(nanoseconds: [Int64]) {
    if nanoseconds.count == 1 {
      // Handles the usual case without allocating four arrays.
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
