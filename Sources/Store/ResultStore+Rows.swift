import GRDB
package import Model

extension ResultStore {
  /// Hands out the run's rows in plan order: image by image, variant by variant, quality ascending, refined
  /// points among those of the grid.
  ///
  /// Rows are read a few images at a time, so that memory stays flat and `body` may use the store. An image
  /// that could not be read, and of which nothing was measured, has one row without a variant. A point of the
  /// run that is not finished has none.
  /// - Throws: `StoreError`, or what `body` throws.
  package func forEachRow(of run: RunID, _ body: (ResultRow) throws -> Void) throws {
    try forEachImage(of: run) { image in
      for row in RowBuilder.rows(image) { try body(row) }
    }
  }

  /// Hands out what became of the run's images, in plan order. An image that the run has not come to has none.
  /// - Throws: `StoreError`, or what `body` throws.
  package func forEachImageRecord(of run: RunID, _ body: (ImageRecord) throws -> Void) throws {
    try forEachImage(of: run, points: .none) { image in
      if let record = image.record { try body(record) }
    }
  }

  /// The run's failed points, scores that failed and unusable images, in plan order.
  package func failures(of run: RunID) throws -> [StoredFailure] {
    var failures: [StoredFailure] = []
    try forEachImage(of: run, points: .failed) { image in
      if let problem = image.problem {
        failures.append(StoredFailure(image: image.identity, key: nil, failure: problem))
        return
      }
      for file in image.imports {
        guard case .refused(let failure) = file.outcome else { continue }
        failures.append(
          StoredFailure(image: image.identity, key: nil, imported: (file.series, file.file), failure: failure)
        )
      }
      for point in image.points {
        failures += Self.failures(point.outcome).map {
          StoredFailure(image: image.identity, key: point.key, failure: $0)
        }
      }
    }
    return failures
  }

  /// A point's failure, or one for each score that its program did not give.
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

  /// Images of each query: enough to make queries cheap, few enough for memory not to matter.
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

/// Something of a run that could not be measured.
package struct StoredFailure: Sendable {
  /// The image.
  package let image: ImageIdentity
  /// The point; nil where the image as a whole or an imported file could not be used.
  package let key: PointKey?
  /// The series and name of the imported file that was refused; nil for anything else.
  package var imported: (series: String, file: String)?
  /// What happened.
  package let failure: Failure
}

/// An image of a run with its points of the run, in plan order.
struct StoredImage {
  var position: Int
  var identity: ImageIdentity
  var record: ImageRecord?
  var points: [StoredPoint] = []
  /// What other encoders made of it.
  var imports: [StoredImport] = []

  /// Why the image cannot be used. An image of which something was measured had a problem under another limit.
  var problem: Failure? {
    let isMeasured = points.contains { if case .measured = $0.outcome { true } else { false } }
    return isMeasured || imports.contains { $0.measurement != nil } ? nil : record?.problem
  }
}

/// A point with the times of the exclusive pass.
struct StoredPoint {
  var key: PointKey
  var order: Int
  var outcome: PointOutcome
  var origin: PointOrigin
  var exclusive: TimingSeries?
  /// Where the times come from; nil where that is not known.
  var timesOrigin: TimesOrigin?
  /// Whether its times are those of a machine that is none of the run's.
  var hasForeignTimes = false
}
