/// The way in which an image was measured. Points, which number in the millions, take no memory beyond a pointer.
package indirect enum Way: Sendable, Hashable {
  /// An encode and a decode of the whole image, by a sweep.
  case point
  case read(ReadRoute, WantedPixels)
  case tiles(TileCut)
  /// A picture without tiles, measured in addition to its cuts.
  case whole
  /// A file that another encoder made, identified by its path below the folder of its series.
  case imported(file: String)
  /// A chain of encodes, at a quality that just reaches a score, or at a given quality.
  case generations(Int, reaching: Double?)

  /// A family of ways, by the first word of its spelling.
  package enum Kind: String, Sendable, CaseIterable {
    case point = ""
    case read, tiles, whole
    case imported = "import"
    case generations
  }

  package var kind: Kind {
    switch self {
    case .point: .point
    case .read: .read
    case .tiles: .tiles
    case .whole: .whole
    case .imported: .imported
    case .generations: .generations
    }
  }
}

extension Way: CustomStringConvertible {
  /// The spelling in the store: empty for a point, `read scaled 320`, `tiles 256+0 files 1920x1080`.
  package var description: String {
    let words =
      switch self {
      case .point, .whole: ""
      case .read(let route, let wanted): "\(route.rawValue) \(wanted)"
      case .tiles(let cut): cut.description
      case .imported(let file): file
      case .generations(let count, let score): "\(count)" + (score.map { " reaching \($0)" } ?? "")
      }
    return words.isEmpty ? kind.rawValue : "\(kind.rawValue) \(words)"
  }

  package init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let word = parts.first, let kind = Kind(rawValue: String(word)) else { return nil }
    let rest = parts.count > 1 ? String(parts[1]) : ""
    let words = rest.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch kind {
    case .point: self = .point
    case .whole: self = .whole
    case .read:
      guard words.count == 2, let route = ReadRoute(rawValue: words[0]), let wanted = WantedPixels(words[1])
      else { return nil }
      self = .read(route, wanted)
    case .tiles:
      guard let cut = TileCut(rest) else { return nil }
      self = .tiles(cut)
    case .imported: self = .imported(file: rest)
    case .generations:
      let score = words.count == 3 && words[1] == "reaching" ? Double(words[2]) : nil
      guard let count = words.first.flatMap({ Int($0) }), count > 0, words.count == 1 || score != nil else {
        return nil
      }
      self = .generations(count, reaching: score)
    }
    guard description == text else { return nil }
  }
}

extension Way: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let way = Way(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no way to measure: \(text)")
    }
    self = way
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
