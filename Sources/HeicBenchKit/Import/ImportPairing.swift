import Foundation
import Model
import Store

/// Pairs imported files with their originals, by name or by a list.
struct ImportPairing {
  struct Pair {
    var reference: CorpusEntry
    var series: ImportRequest.Series
    var file: CorpusEntry
    /// The bytes that the list gives for the file, which is then a picture decoded from another file.
    var bytes: Int?
  }

  /// A line of a list of pairs.
  struct Line: Equatable {
    var reference: String
    var file: String
    var bytes: Int?
  }

  private(set) var pairs: [Pair] = []
  private(set) var strays: [ImportOutcome.Refusal] = []
  private(set) var originals = 0

  /// Characters that may follow the original's name in a file's name: `kodim01-q50.heic`, `IMG_1 (2).heic`.
  private static let separators: Set<Character> = ["-", "_", ".", "@", " ", "+", "~", "=", "(", ","]

  private let references: [CorpusEntry]
  private let listed: [String: Line]?
  /// Originals by the last component of their names, without its extension and in lower case.
  private let byStem: [String: [Int]]

  /// - Parameter list: The pairs; nil to pair by name.
  init(_ references: [CorpusEntry], list: [Line]?) throws {
    self.references = references
    byStem = Dictionary(
      grouping: references.indices, by: { Self.stem(of: references[$0].identity.name).lowercased() })
    guard let list else {
      listed = nil
      return
    }
    listed = try Dictionary(list.map { ($0.file, $0) }) { first, second in
      guard first == second else {
        let difference =
          first.reference == second.reference
          ? "sizes" : "originals: “\(first.reference)” and “\(second.reference)”"
        throw HeicBenchError(.usage, "--pairs gives the file “\(first.file)” two \(difference)")
      }
      return first
    }
  }

  mutating func add(_ files: [CorpusEntry], of series: ImportRequest.Series) {
    let contents = Set(references.map(\.identity.contentHash))
    for file in files {
      guard !contents.contains(file.identity.contentHash) else {
        originals += 1
        continue
      }
      do throws(ImportOutcome.Refusal) {
        guard let (reference, bytes) = try reference(of: file, series) else { continue }
        pairs.append(Pair(reference: reference, series: series, file: file, bytes: bytes))
      } catch {
        strays.append(error)
      }
    }
  }

  /// The original of a file and the bytes given for it; nil for a file that the list leaves out.
  private func reference(
    of file: CorpusEntry, _ series: ImportRequest.Series
  ) throws(ImportOutcome.Refusal) -> (CorpusEntry, bytes: Int?)? {
    let name = file.identity.name
    func stray(_ reason: String) -> ImportOutcome.Refusal {
      .init(series: series.name, file: name, reason: reason)
    }
    guard let listed else {
      guard let candidates = candidates(forPath: name) else {
        throw stray("no original has its name; name its original with --pairs FILE")
      }
      guard candidates.count == 1, let only = candidates.first else {
        let names = candidates.prefix(3).map { "“\(references[$0].identity.name)”" }.joined(separator: ", ")
        throw stray("its name matches several originals (\(names)); name its original with --pairs FILE")
      }
      return (references[only], nil)
    }
    let path = ImageName.printable(file.path)
    // A name alone may be in several series.
    guard let wanted = listed[path] ?? listed["\(series.name)/\(name)"] ?? listed[name] else { return nil }
    let found = references.filter {
      $0.identity.name == wanted.reference || ImageName.printable($0.path) == wanted.reference
    }
    guard let reference = found.first else {
      throw stray("--pairs names the original “\(wanted.reference)”, which does not exist")
    }
    return (reference, wanted.bytes)
  }

  /// Originals that match a file's own name, or otherwise the name of a folder above it: `kodim01.png/q50.heic`. If
  /// there are several, those whose path is closest to the file's.
  private func candidates(forPath path: String) -> [Int]? {
    let components = path.split(separator: "/").map(String.init)
    for (place, name) in components.enumerated().reversed() {
      let name = name.lowercased()
      let isOwn = place == components.count - 1
      let found = isOwn ? candidates(Self.stem(of: name)) : byStem[name] ?? byStem[Self.stem(of: name)]
      if let found { return nearest(found, to: Array(components[...place])) }
    }
    return nil
  }

  /// Of originals whose names match, those in the file's own folder or in the folders with the most matching names;
  /// then those spelled like the file.
  private func nearest(_ found: [Int], to path: [String]) -> [Int] {
    guard found.count > 1 else { return found }
    let folders = path.dropLast().map { $0.lowercased() }
    let ranks = found.map { index -> [Int] in
      let name = references[index].identity.name
      let own = name.split(separator: "/").dropLast().map { $0.lowercased() }
      let shared = zip(own.reversed(), folders.reversed()).prefix { $0 == $1 }.count
      let isSpelledAlike = Self.stem(of: name) == Self.stem(of: path.last ?? "")
      return [
        own == folders ? 1 : 0, shared, isSpelledAlike ? 1 : 0, name == path.joined(separator: "/") ? 1 : 0,
      ]
    }
    let best = ranks.max { $0.lexicographicallyPrecedes($1) }
    return zip(found, ranks).filter { $1 == best }.map(\.0)
  }

  /// Originals whose name is the stem or its longest matching prefix.
  private func candidates(_ stem: String) -> [Int]? {
    if let exact = byStem[stem] { return exact }
    for end in stem.indices.reversed() where Self.separators.contains(stem[end]) {
      if let found = byStem[String(stem[..<end])] { return found }
    }
    return nil
  }

  private static func stem(of name: String) -> String {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
    return String(file[..<dot])
  }
}

extension ImportPairing {
  /// Reads CSV with the columns `reference` and `file`, and optionally `bytes`, in any order and among others.
  static func list(at path: String) throws -> [Line] {
    try TableCSV.rows(ofFile: path, required: ["reference", "file"]) { line, row in
      func problem(_ reason: String) -> CSVError { CSVError(path: path, line: line, reason: reason) }
      guard let reference = row["reference"], let file = row["file"] else {
        throw problem("reference or file is empty")
      }
      let bytes = row["bytes"].flatMap { Int($0) }
      guard row["bytes"] == nil || bytes.map(Bound.bytes.contains) == true else {
        throw problem("bytes is “\(row["bytes"] ?? "")”, not a whole number of at least 1")
      }
      return Line(reference: reference, file: file, bytes: bytes)
    }
  }
}

extension ImportPairing.Pair {
  /// The figures of the file with the bytes that the list gives, all of which count as the picture's.
  func weighed(_ judged: Figures) -> Figures {
    guard let bytes else { return judged }
    var figures = judged
    (figures.encodedBytes, figures.figures[.metadata]) = (bytes, 0)
    figures.making = ["bytes as given", judged.making].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: ", ")
    return figures
  }
}
