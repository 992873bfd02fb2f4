/// Texts with lists in braces, spelled out as a shell does: `heic:preset={fast,slow}` is `heic:preset=fast` and
/// `heic:preset=slow`; several lists are all combinations, the last list changing fastest.
package enum BraceExpansion {
  /// What is wrong with a text.
  package enum Problem: Error, Hashable, CustomStringConvertible {
    /// A brace without its partner, or one inside of another.
    case unbalanced
    /// A list with nothing in it, or with nothing between two commas.
    case empty
    /// More combinations than anybody measures.
    case tooMany

    /// The problem as the end of a sentence.
    package var description: String {
      switch self {
      case .unbalanced: "every { needs its }, and none stands inside of another"
      case .empty: "there is nothing between two commas or braces"
      case .tooMany: "that is more than \(BraceExpansion.most) combinations"
      }
    }
  }

  /// The most texts that one may stand for.
  package static let most = 1000

  /// All texts that a text stands for, in order; itself where it has no braces.
  package static func expand(_ text: String) throws(Problem) -> [String] {
    var texts = [""]
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      let inner = rest[rest.index(after: brace)...]
      guard rest[brace] == "{", let end = inner.firstIndex(where: { $0 == "{" || $0 == "}" }),
        inner[end] == "}"
      else { throw .unbalanced }
      let choices = inner[..<end].split(separator: ",", omittingEmptySubsequences: false)
      guard choices.allSatisfy({ !$0.isEmpty }) else { throw .empty }
      guard texts.count * choices.count <= most else { throw .tooMany }
      let before = rest[..<brace]
      texts = texts.flatMap { start in choices.map { start + before + $0 } }
      rest = inner[inner.index(after: end)...]
    }
    return texts.map { $0 + rest }
  }
}
