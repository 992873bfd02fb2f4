/// Expansion of lists in braces as in a shell: `heic:preset={fast,slow}` gives `heic:preset=fast` and
/// `heic:preset=slow`. Several lists give all combinations, the last list changing fastest.
package enum BraceExpansion {
  package enum Problem: Error, Hashable, CustomStringConvertible {
    /// A brace without a partner, or braces inside braces.
    case unbalanced
    /// An empty list, or nothing between two commas.
    case empty
    case tooMany

    package var description: String {
      switch self {
      case .unbalanced: "every { needs a }, and braces cannot be nested"
      case .empty: "there is nothing between two commas or braces"
      case .tooMany: "that is more than \(BraceExpansion.most) combinations"
      }
    }
  }

  package static let most = 1000

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
