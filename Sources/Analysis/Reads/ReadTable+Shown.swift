package import Model

/// Files of one kind shown at one size.
package struct ShownFiles: Sendable {
  /// Kind of the files, as in answers.
  package var kind: String
  /// Numbers of their names, those with the most routes first.
  package var files: [Int32]
  private var side: Int
  private var routes: Set<ReadRoute>
  private var builds: Set<String>

  fileprivate init(kind: String, files: [Int32], side: Int, routes: Set<ReadRoute>, builds: Set<String>) {
    (self.kind, self.files, self.side) = (kind, files, side)
    (self.routes, self.builds) = (routes, builds)
  }

  /// Returns true if a read of one of the files is shown.
  package func shows(_ row: ReadRow) -> Bool {
    let key = row.record.key
    return key.wanted == .side(side) && routes.contains(key.route) && row.kind == kind
      && key.build.map(builds.contains) ?? true
  }
}

extension ReadTable {
  /// Selects some files of each kind at one size.
  /// - Parameters:
  ///   - builds: Builds that can show their reads.
  ///   - near: Size to show; else the nearest one.
  ///   - largest: Largest size to show.
  ///   - count: Number of files of each kind; nil for all.
  package func filesToShow(
    builds: Set<String>, near wanted: Int, largest: Int, routes: Set<ReadRoute>, count: Int?
  ) -> [ShownFiles] {
    var names: [String] = []
    for kind in kinds where kind.build.map(builds.contains) ?? true && !names.contains(kind.name) {
      names.append(kind.name)
    }
    return names.compactMap { name in
      let isShown = kinds.map { $0.name == name && $0.build.map(builds.contains) ?? true }
      let own = samples.lazy.filter { isShown[Int($0.kind)] }
      let sides = Set(
        Set(own.map(\.size)).compactMap { size -> Int? in
          guard case .side(let side) = sizes[Int(size)], side <= largest else { return nil }
          return side
        })
      guard let side = sides.min(by: { (abs($0 - wanted), $0) < (abs($1 - wanted), $1) }) else { return nil }
      var counts: [Int32: Int] = [:]
      for sample in own where sizes[Int(sample.size)] == .side(side) && routes.contains(sample.route) {
        counts[sample.file, default: 0] += 1
      }
      let files = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
      return ShownFiles(
        kind: name, files: Array(files.prefix(count ?? files.count)), side: side, routes: routes,
        builds: builds)
    }
  }
}
