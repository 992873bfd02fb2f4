import Model

/// The settings with which a variant's encoder ran in a worker that has measured a point of it.
struct SettingsAsRunQuestion: Question {
  var variant: CodecVariant

  struct Answer: Codable, Sendable {
    /// In the encoder's words; nil if it does not tell.
    var settings: String?
  }

  func reply(in session: WorkerSession, _: [UInt8]) -> Answer {
    Answer(settings: session.settingsAsRun[variant])
  }

  func verify(_ answer: inout Answer, by check: AnswerCheck) {
    answer.settings = answer.settings.map(check.clean)
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }
}
