import Model

/// Has the metric programs score two identical pictures before they score unknown ones.
struct TryProgramsQuestion: Question {
  /// The time limit of each program, seconds.
  var commandSeconds: Double

  func reply(in session: WorkerSession, _: [UInt8]) throws -> TriedPrograms {
    guard let tried = try session.external?.scoresOfIdentical(within: commandSeconds) else {
      throw Refusal("no metric is a program")
    }
    return TriedPrograms(identical: tried.scores, failed: tried.failed)
  }

  func verify(_ answer: inout TriedPrograms, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(answer.identical, asked: check.setup.externalMetrics.map(\.id))
    answer.failed = try check.checked(failedScores: answer.failed)
  }

  func remarks(in _: TriedPrograms) -> [String: [String]] { [:] }
}

/// The metric programs' answers for two identical pictures, by identifier.
package struct TriedPrograms: Codable, Sendable {
  package var identical: [String: Double] = [:]
  /// The reasons for missing scores.
  package var failed: [String: String] = [:]
}
