import Model

/// Names for the roots of a corpus, which precede the names of the images below them.
enum RootNames {
  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// The shortest spelling of a path, without `.`, empty components and inner `..`; does not access the file system.
  static func normalised(_ path: [UInt8]) -> [UInt8] {
    let text = components(of: path).joined(separator: [slash])
    return (path.first == slash ? [slash] : []) + text
  }

  /// A name for each root: its last component, preceded by as many folders as needed to distinguish it from the others.
  /// Roots with the same spelling share a name.
  static func labels(of roots: [[UInt8]]) -> [[UInt8]] {
    let components = roots.map(namedComponents)
    var depths = [Int](repeating: 1, count: roots.count)
    func label(_ index: Int) -> [UInt8] {
      Array(components[index].suffix(depths[index]).joined(separator: [slash]))
    }
    // Each round lengthens the names that different roots share, as long as any can grow.
    while true {
      let groups = Dictionary(grouping: roots.indices, by: label).values
      let shared = groups.filter { group in Set(group.map { components[$0] }).count > 1 }.joined()
      let growing = shared.filter { depths[$0] < components[$0].count }
      if growing.isEmpty { return roots.indices.map(label) }
      for index in growing { depths[index] += 1 }
    }
  }

  /// The components available for a name; accesses the file system only for `.`, `/` and `..`.
  private static func namedComponents(of root: [UInt8]) -> [[UInt8]] {
    let own = components(of: root)
    if let last = own.last, last != [dot, dot] { return own }
    return FileSystem.canonicalPath(root).map(components) ?? own
  }

  private static func components(of path: [UInt8]) -> [[UInt8]] {
    var kept: [[UInt8]] = []
    for component in path.split(separator: slash) where component != [dot] {
      if component == [dot, dot], let last = kept.last, last != [dot, dot] {
        kept.removeLast()
      } else {
        kept.append(Array(component))
      }
    }
    return kept
  }
}
