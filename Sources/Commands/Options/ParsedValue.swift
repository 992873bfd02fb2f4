import ArgumentParser
import HeicBenchKit
import Reports

/// An option's value that parses its own text and says why it refuses one.
protocol ParsedValue: SendableMetatype {
  init(parsing text: String) throws
}

extension QualityList: ParsedValue {}

extension CodecVariant: ParsedValue {
  init(parsing text: String) throws { try self.init(text) }
}

extension PixelSize: ParsedValue {
  init(parsing text: String) throws {
    guard let size = PixelSize(text) else {
      throw ValidationError("write a size as columns and rows, such as 3x4")
    }
    self = size
  }
}

/// The value of a `--codec` with braces: `heic:preset={fast,slow}`.
struct CodecList: ParsedValue {
  let variants: [CodecVariant]

  init(parsing text: String) throws { variants = try CodecVariant.all(in: text) }
}

extension ParsableArguments {
  /// Refuses options that conflict, or too few arguments.
  func refuse(_ isWrong: Bool, _ message: String) throws {
    if isWrong { throw ValidationError(message) }
  }
}

// Options with a help text and a name for their value.
extension Option {
  init(
    wrappedValue: Value, _ help: String, value: String, name: NameSpecification = .long,
    completion: CompletionKind? = nil
  ) where Value: ExpressibleByArgument {
    let help = ArgumentHelp(help, valueName: value)
    self.init(wrappedValue: wrappedValue, name: name, help: help, completion: completion)
  }

  init<T: ExpressibleByArgument>(
    _ help: String, value: String, name: NameSpecification = .long, completion: CompletionKind? = nil
  ) where Value == T? {
    self.init(name: name, help: ArgumentHelp(help, valueName: value), completion: completion)
  }

  init(
    wrappedValue: Value, _ help: String, value: String, name: NameSpecification = .long,
    completion: CompletionKind? = nil, transform: @Sendable @escaping (String) throws -> Value
  ) {
    // The parser shows defaults only of types that it can parse.
    let shown =
      (wrappedValue as? Double).map(Numerals.short)
      ?? (wrappedValue as? any CustomStringConvertible)?.description
    let ending = shown.map { help.contains("(default") || $0.isEmpty ? "" : " (default: \($0))" } ?? ""
    let help = ArgumentHelp("\(help)\(ending)", valueName: value)
    self.init(
      wrappedValue: wrappedValue, name: name, help: help, completion: completion, transform: transform)
  }

  init<T>(
    _ help: String, value: String, name: NameSpecification = .long, completion: CompletionKind? = nil,
    transform: @Sendable @escaping (String) throws -> T
  ) where Value == T? {
    let help = ArgumentHelp(help, valueName: value)
    self.init(name: name, help: help, completion: completion, transform: transform)
  }

  init(
    wrappedValue: Value, _ help: String, value: String, name: NameSpecification = .long,
    completion: CompletionKind? = nil
  ) where Value: ParsedValue {
    self.init(wrappedValue: wrappedValue, help, value: value, name: name, completion: completion) {
      try Value(parsing: $0)
    }
  }

  init<T: ParsedValue>(
    _ help: String, value: String, name: NameSpecification = .long, completion: CompletionKind? = nil
  ) where Value == T? {
    self.init(help, value: value, name: name, completion: completion) { try T(parsing: $0) }
  }

  init<T: ParsedValue>(
    wrappedValue: [T], _ help: String, value: String, name: NameSpecification = .long,
    completion: CompletionKind? = nil
  ) where Value == [T] {
    let help = ArgumentHelp(help, valueName: value)
    self.init(wrappedValue: wrappedValue, name: name, help: help, completion: completion) {
      try T(parsing: $0)
    }
  }
}
