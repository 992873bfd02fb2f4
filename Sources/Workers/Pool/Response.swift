package import Model

/// What came of asking a worker.
package enum Response<Value> {
  /// It gave an answer.
  case answered(Value)
  /// The codec or the file does not allow it; the text gives the reason.
  case unsupported(String)
  /// It should have worked, or the worker was lost at it.
  case failed(Failure)
  /// The image that the question is about cannot be used, or the worker was lost while it opened it. The record says why.
  case unusable(ImageRecord)
  /// The worker was told to stop.
  case cancelled

  /// The answer; nil where there is none.
  package var value: Value? {
    if case .answered(let value) = self { value } else { nil }
  }

  /// The reason why there is no answer; nil where there is one, and after a cancellation.
  package var failure: Failure? {
    switch self {
    case .answered, .cancelled: nil
    case .unsupported(let reason): Failure(kind: .codec, message: "unsupported: \(reason)")
    case .failed(let failure): failure
    case .unusable(let record): record.problem ?? Failure(kind: .source, message: "it cannot be used")
    }
  }

  /// The same with another answer.
  func map<Other>(_ transform: (Value) throws -> Response<Other>) rethrows -> Response<Other> {
    switch self {
    case .answered(let value): try transform(value)
    case .unsupported(let reason): .unsupported(reason)
    case .failed(let failure): .failed(failure)
    case .unusable(let record): .unusable(record)
    case .cancelled: .cancelled
    }
  }
}

extension Response: Sendable where Value: Sendable {}

extension Response where Value: Codable & Sendable {
  init(_ outcome: Outcome<Value>) {
    switch outcome {
    case .measured(let value): self = .answered(value)
    case .unsupported(let reason): self = .unsupported(reason)
    case .failed(let failure): self = .failed(failure)
    }
  }

  /// What is to be recorded; nil after a cancellation.
  package var outcome: Outcome<Value>? {
    switch self {
    case .answered(let value): .measured(value)
    case .unsupported(let reason): .unsupported(reason)
    case .failed, .unusable: failure.map { .failed($0) }
    case .cancelled: nil
    }
  }
}
