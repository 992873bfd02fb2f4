package import Model

/// An outcome as the columns “status” and “error” show it.
extension Outcome {
  /// `measured`, `unsupported` or `failed`.
  package var word: String {
    switch self {
    case .measured: "measured"
    case .unsupported: "unsupported"
    case .failed: "failed"
    }
  }

  /// The reason that nothing was measured, or the remarks on a measurement; nil if there are none.
  package func remark(_ remarks: (Value) -> [String]) -> String? {
    switch self {
    case .measured(let value): remarks(value).isEmpty ? nil : remarks(value).joined(separator: "; ")
    case .unsupported(let reason): reason
    case .failed(let failure): "\(failure.kind.rawValue): \(failure.message)"
    }
  }
}
