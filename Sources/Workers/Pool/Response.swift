package import Model

/// The result of asking a worker.
package enum Response<Value> {
  case answered(Value)
  /// The codec or the file does not allow it; the text gives the reason.
  case unsupported(String)
  /// It should have worked, or the worker was lost at it.
  case failed(Failure)
  /// The image is unusable, or the worker was lost while opening it. The record gives the reason.
  case unusable(ImageRecord)
  case cancelled

  package var value: Value? {
    if case .answered(let value) = self { value } else { nil }
  }

  /// The reason why there is no answer; nil if there is one, and after a cancellation.
  package var failure: Failure? {
    switch self {
    case .answered, .cancelled: nil
    case .unsupported(let reason): Failure(kind: .codec, message: "unsupported: \(reason)")
    case .failed(let failure): failure
    case .unusable(let record): record.problem ?? Failure(kind: .source, message: "it cannot be used")
    }
  }

  package func map<Other>(_ transform: (Value) throws -> Response<Other>) rethrows -> Response<Other> {
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

  /// The outcome to record; nil after a cancellation.
  package var outcome: Outcome<Value>? {
    switch self {
    case .answered(let value): .measured(value)
    case .unsupported(let reason): .unsupported(reason)
    case .failed, .unusable: failure.map { .failed($0) }
    case .cancelled: nil
    }
  }
}

extension Response {
  /// The answer alone, without the bytes behind it.
  package func answer<Answer>() -> Response<Answer> where Value == Reply<Answer> {
    map { .answered($0.answer) }
  }
}
