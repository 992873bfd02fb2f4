import Model

/// An outcome as the columns “status” and “error” show it.
extension Outcome {
  /// `measured`, `unsupported` or `failed`.
  var word: String {
    switch self {
    case .measured: "measured"
    case .unsupported: "unsupported"
    case .failed: "failed"
    }
  }

  /// The reason why nothing was measured, or what there is to say of what was; nil where there is nothing.
  func remark(_ remarks: (Value) -> [String]) -> String? {
    switch self {
    case .measured(let value): remarks(value).isEmpty ? nil : remarks(value).joined(separator: "; ")
    case .unsupported(let reason): reason
    case .failed(let failure): "\(failure.kind.rawValue): \(failure.message)"
    }
  }
}
