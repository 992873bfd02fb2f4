import Model

/// What came of a case, as column `status` has it.
enum StoredStatus: Int {
  case measured, unsupported, failed

  init<Value>(_ outcome: Outcome<Value>) {
    switch outcome {
    case .measured: self = .measured
    case .unsupported: self = .unsupported
    case .failed: self = .failed
    }
  }

  var word: ResultRow.Status {
    switch self {
    case .measured: .measured
    case .unsupported: .unsupported
    case .failed: .failed
    }
  }
}
