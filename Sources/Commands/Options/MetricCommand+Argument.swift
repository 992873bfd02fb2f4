import ArgumentParser
import HeicBenchKit

extension MetricCommand: ParsedValue {
  /// Parses `NAME=program arguments`, or `NAME:lower=program arguments` if smaller scores are better.
  init(parsing text: String) throws {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw ValidationError("Write NAME='program {reference} {distorted}'.")
    }
    let name = text[..<equals].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let id = String(name[0])
    let higherIsBetter: Bool?
    switch name.dropFirst().first {
    case nil: higherIsBetter = nil
    case "higher": higherIsBetter = true
    case "lower": higherIsBetter = false
    case let other?:
      throw ValidationError(
        "A metric’s name may be followed by :lower or :higher, which says which scores are better, not by “:\(other)”."
      )
    }
    guard id.utf8.allSatisfy({ Self.allowed.contains($0) }), id.first?.isLetter == true else {
      throw ValidationError(
        "A metric’s name consists of lower-case letters, digits, - and _, and begins with a letter.")
    }
    let words = try Self.words(text[text.index(after: equals)...])
    guard words.count > 1, words.contains(where: { $0.contains("{reference}") }),
      words.contains(where: { $0.contains("{distorted}") })
    else {
      throw ValidationError("The command needs {reference} and {distorted} in place of the files.")
    }
    self.init(name: id, words: words, higherIsBetter: higherIsBetter)
  }

  private static let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Splits at spaces outside quotes, as a shell would; no shell is run.
  private static func words(_ text: Substring) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw ValidationError("A quote is not closed.") }
    return words + (word.map { [$0] } ?? [])
  }
}
