/// Why a point or an image could not be measured.
package struct Failure: Sendable, Hashable, Codable, Error {
  /// What kind of thing went wrong, which decides whether trying again can help.
  package enum Kind: String, Sendable, Hashable, Codable {
    /// The file cannot be read or is broken.
    case source
    /// The codec or its library reported an error, or its output does not decode to what went in.
    case codec
    /// A metric reported an error.
    case metric
    /// The child was killed by a signal that it raised itself.
    case crash
    /// The child did not answer in time.
    case timeout
    /// The child reached its memory limit.
    case memory
    /// The child ended without an answer, or answered something else than a reply.
    case broken
    /// A limit of heicbench's own, such as the number of pixels, was exceeded.
    case limit
  }

  /// What kind of thing went wrong.
  package var kind: Kind
  /// What happened, as a sentence without the point's name: `killed by SIGSEGV`, `no answer in 60 s`.
  package var message: String

  /// Describes a failure.
  package init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// Whether another child might succeed where this one did not.
  package var isWorthRetrying: Bool { [.crash, .timeout, .memory, .broken].contains(kind) }
}

/// What became of something that was to be measured: of a point, a read, a cut. There is no “cancelled”: what has no
/// outcome is measured by the next run.
package enum Outcome<Value: Sendable & Codable>: Sendable, Codable {
  /// It was done, and gave this.
  case measured(Value)
  /// The codec or the file does not allow it; the text gives the reason.
  case unsupported(String)
  /// It should have worked.
  case failed(Failure)

  /// What was measured; nil where nothing was.
  package var value: Value? {
    if case .measured(let value) = self { value } else { nil }
  }

  /// Why it failed; nil where it did not.
  package var failure: Failure? {
    if case .failed(let failure) = self { failure } else { nil }
  }
}

extension Outcome: Equatable where Value: Equatable {}
extension Outcome: Hashable where Value: Hashable {}

/// What became of a point: it was encoded, decoded and scored, or was not.
package typealias PointOutcome = Outcome<Measurement>
