import Model

struct PointReader {
  private let metrics: [StoredMetric]

  init(_ metrics: [StoredMetric]) { self.metrics = metrics }

  var columns: String {
    (["image", "setup", "quality", "origin", "run"] + PointFields.columns + metrics.map(\.column))
      .map { "p.\($0)" }.joined(separator: ", ")
  }
  private static let first = 5
  private static func column(_ outcome: PointFields.Outcome) -> Int { first + outcome.rawValue }

  var count: Int { Self.first + PointFields.columns.count + metrics.count }
  static let (image, setup, run) = (0, 1, 4)

  static func quality(_ current: CurrentRow) throws -> Quality {
    guard let quality = Quality(thousandths: try current.count(2)) else { throw StoredValueError(column: 2) }
    return quality
  }

  static func origins(_ current: CurrentRow) throws -> PointOrigins {
    PointOrigins(rawValue: try current.count(3))
  }

  static func status(_ current: CurrentRow) throws -> ResultRow.Status {
    guard let status = ResultRow.Status(number: try current.count(column(.status))) else {
      throw StoredValueError(column: column(.status))
    }
    return status
  }

  func read(_ current: CurrentRow, into row: inout ResultRow) throws {
    row.status = try Self.status(current)
    let message = try current.text(Self.column(.message))
    guard row.status == .measured else {
      row.error = message ?? ""
      return
    }
    var column = Self.first
    for field in PointFields.all {
      try field.read?(current, column, &row)
      column += field.declarations.count
    }
    row.scores.reserveCapacity(metrics.count)
    for (index, metric) in metrics.enumerated() {
      row.scores[metric.name] = try current.number(column + index)
    }
    let ofPoint = try message.map { try StoredJSON.value([String].self, $0) } ?? []
    row.remarks += ofPoint
    let remarks = try failedScores(current) + ofPoint
    if !remarks.isEmpty { row.error = (remarks + [row.error].compactMap(\.self)).joined(separator: "; ") }
  }

  /// The failure of a point, or one failure for each score that a program failed to give.
  func failures(_ current: CurrentRow) throws -> [Failure] {
    switch try Self.status(current) {
    case .unsupported: []
    case .failed:
      [
        Failure(
          storedKind: try current.text(Self.column(.kind)), message: try current.text(Self.column(.message)))
      ]
    case .measured: try failedScores(current).map { Failure(kind: .metric, message: $0) }
    }
  }

  /// The reasons for missing scores, each preceded by its metric's identifier.
  private func failedScores(_ current: CurrentRow) throws -> [String] {
    guard let text = try current.text(Self.column(.failedScores)) else { return [] }
    let scores = Self.first + PointFields.columns.count
    let missing = try metrics.enumerated().filter { try current.number(scores + $0.offset) == nil }
    return try StoredMetric.failed(text, missing.map(\.element)).sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value)" }
  }
}

extension Failure {
  /// A failure from two columns. An unknown kind from a later version counts as broken.
  init(storedKind kind: String?, message: String?) {
    self.init(kind: kind.flatMap(Kind.init) ?? .broken, message: message ?? "")
  }
}
