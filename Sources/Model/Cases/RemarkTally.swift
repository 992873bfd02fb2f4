/// Remarks of readers about what was left out of a file or changed, counted by kind.
///
/// Remarks that differ only in their numbers are of the same kind, so a folder gets a line per kind, not per file.
package struct RemarkTally: Sendable, Hashable {
  package struct Kind: Sendable, Hashable {
    /// The remark on the first file by name.
    package fileprivate(set) var text: String
    package fileprivate(set) var files = 0
    /// The first files by name, at most `examplesKept`.
    package fileprivate(set) var examples: [String] = []
    fileprivate var differs = false
  }

  private static let examplesKept = 3
  /// The maximum number of kinds, since texts come from strangers' files.
  private static let mostKinds = 100
  private static let otherRemarks = "other remarks"

  private var byKind: [String: Kind] = [:]

  package init() {}

  package var isEmpty: Bool { byKind.isEmpty }

  /// The kinds, those with the most files first.
  package var kinds: [Kind] { byKind.values.sorted { ($1.files, $0.text) < ($0.files, $1.text) } }

  /// Counts the remarks on one file, each once. Steps that lose nothing do not count.
  package mutating func add(_ remarks: some Sequence<String>, on file: String) {
    for remark in Set(remarks) where !ImageRecord.losesNothing(remark) {
      var key = Self.kind(of: remark)
      if byKind[key] == nil, byKind.count >= Self.mostKinds { key = Self.otherRemarks }
      let text = key == Self.otherRemarks ? key : remark
      var kind = byKind[key] ?? Kind(text: text)
      if kind.text != text { kind.differs = true }
      if file < kind.examples.first ?? file { kind.text = text }
      kind.files += 1
      kind.examples = Array((kind.examples + [file]).sorted().prefix(Self.examplesKept))
      byKind[key] = kind
    }
  }

  /// A line for each kind: `3 images: alpha flattened on #ffffff (a.png, b.png, c.png)`.
  package var lines: [String] { kinds.map(\.line) }

  /// The remark with every number as `0`.
  private static func kind(of remark: String) -> String {
    remark.reduce(into: "") { kind, letter in
      guard letter.isASCII, letter.isNumber else { return kind.append(letter) }
      if kind.last != "0" { kind.append("0") }
    }
  }
}

extension RemarkTally.Kind {
  package var line: String {
    let text = differs ? "\(text), or similar" : text
    guard files > 1 else { return "1 image: \(text) (\(examples.joined()))" }
    return
      "\(files) images: \(text) (\(examples.joined(separator: ", "))\(files > examples.count ? ", …" : ""))"
  }
}
