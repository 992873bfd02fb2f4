/// Patterns of files and folders to leave out, for `--exclude`.
///
/// A pattern without a slash matches the name of a file or folder at any depth; a pattern with a slash matches the path
/// below the root. `*` and `?` match characters other than a slash, `**` any characters, `[a-z]` one of several.
/// Letters compare as in image names: “ü” matches however it is encoded.
package struct PathPatterns: Sendable, Hashable {
  private enum Token: Sendable, Hashable {
    case one(Character)
    case any
    case anyOf([ClosedRange<Character>], isNegated: Bool)
    case many(crossesFolders: Bool)
    /// `**/`: any folders, or none.
    case folders
  }

  private struct Pattern: Sendable, Hashable {
    var tokens: [Token]
    var isPath: Bool
    var isFolder: Bool
  }

  private let patterns: [Pattern]

  package init(_ patterns: [String] = []) {
    self.patterns = patterns.flatMap { text -> [Pattern] in
      let isFolder = text.hasSuffix("/")
      let trimmed = isFolder ? String(text.dropLast()) : text
      let path = trimmed.hasPrefix("./") ? String(trimmed.dropFirst(2)) : trimmed
      let anchored = path.hasPrefix("/") ? String(path.dropFirst()) : path
      return anchored.isEmpty
        ? [] : [Pattern(tokens: Self.tokens(anchored), isPath: path.contains("/"), isFolder: isFolder)]
    }
  }

  package var isEmpty: Bool { patterns.isEmpty }

  /// True if a pattern matches a file or folder.
  /// - Parameter path: The path below the root, or as listed.
  func match(_ path: String, isFolder: Bool) -> Bool {
    guard !patterns.isEmpty else { return false }
    // As in a pattern, a slash at the beginning is not part of the path.
    let whole = Array(path.drop { $0 == "/" })
    let name = Array(whole[(whole.lastIndex(of: "/").map { $0 + 1 } ?? 0)...])
    return patterns.contains { pattern in
      (isFolder || !pattern.isFolder) && Self.match(pattern.tokens, pattern.isPath ? whole : name)
    }
  }

  /// Follows all paths through a pattern at once, so that no pattern takes long.
  private static func match(_ tokens: [Token], _ text: [Character]) -> Bool {
    /// Positions in the pattern, including those after stars that match nothing.
    func closed(_ places: Set<Int>) -> Set<Int> {
      var places = places
      for place in tokens.indices where places.contains(place) {
        switch tokens[place] {
        case .many, .folders: places.insert(place + 1)
        default: break
        }
      }
      return places
    }
    var places = closed([0])
    for letter in text {
      var next: Set<Int> = []
      for place in places where place < tokens.count {
        switch tokens[place] {
        case .one(let wanted): if letter == wanted { next.insert(place + 1) }
        case .any: if letter != "/" { next.insert(place + 1) }
        case .anyOf(let ranges, let isNegated):
          if letter != "/", ranges.contains(where: { $0.contains(letter) }) != isNegated {
            next.insert(place + 1)
          }
        case .many(let crossesFolders): if crossesFolders || letter != "/" { next.insert(place) }
        case .folders: next.formUnion(letter == "/" ? [place, place + 1] : [place])
        }
      }
      places = closed(next)
    }
    return places.contains(tokens.count)
  }

  private static func tokens(_ pattern: String) -> [Token] {
    var (tokens, rest) = ([Token](), Substring(pattern))
    while let letter = rest.popFirst() {
      switch letter {
      case "?": tokens.append(.any)
      case "*":
        let crosses = rest.first == "*"
        while rest.first == "*" { rest.removeFirst() }
        let isFolders = crosses && rest.first == "/"
        if isFolders { rest.removeFirst() }
        tokens.append(isFolders ? .folders : .many(crossesFolders: crosses))
      case "[":
        guard let set = characters(&rest) else {
          tokens.append(.one(letter))
          continue
        }
        tokens.append(set)
      case "\\": tokens.append(.one(rest.popFirst() ?? letter))
      default: tokens.append(.one(letter))
      }
    }
    return tokens
  }

  /// Removes and returns the rest of `[a-z]`; nil if there is no closing bracket.
  private static func characters(_ rest: inout Substring) -> Token? {
    var inner = rest
    let isNegated = inner.first == "!" || inner.first == "^"
    if isNegated { inner.removeFirst() }
    var ranges: [ClosedRange<Character>] = []
    while let first = inner.popFirst() {
      if first == "]", !ranges.isEmpty {
        rest = inner
        return .anyOf(ranges, isNegated: isNegated)
      }
      if inner.first == "-", let last = inner.dropFirst().first, last != "]", first <= last {
        inner.removeFirst(2)
        ranges.append(first...last)
      } else {
        ranges.append(first...first)
      }
    }
    return nil
  }
}
