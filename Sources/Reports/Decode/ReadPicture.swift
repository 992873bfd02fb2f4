package import Analysis
import Model

/// What routes make of one file at one size, to be looked at side by side.
package struct ReadPictures: Sendable {
  /// A route's picture.
  package struct Picture: Sendable {
    /// What was read.
    package var row: ReadRow
    /// The address of a PNG file relative to the page, or a data URL.
    package var address: String

    /// Shows what a route made.
    package init(row: ReadRow, address: String) { (self.row, self.address) = (row, address) }
  }

  /// What the files are, as answers name them.
  package var kind: String
  /// The pictures by route.
  package var pictures: [Picture]

  /// Puts pictures of one file side by side.
  package init(kind: String, pictures: [Picture]) { (self.kind, self.pictures) = (kind, pictures) }
}

/// Which pictures a page of reads shows: for each kind of file some of the files at one size by each route.
package struct ReadChoice: Sendable {
  /// What the files are, as answers name them.
  package var kind: String
  /// One file at one size by each route that gives pixels.
  package var rows: [ReadRow]

  /// The size that is shown, where it was asked for, else the one next to it.
  private static let side = 320
  /// Larger ones are no pictures for a list.
  private static let largestSide = 1024

  /// Chooses pictures.
  /// - Parameters:
  ///   - count: how many files of each kind, those first that most routes work on; nil for all.
  ///   - builds: the builds that can show what they read; reads of others, which are measured only, have no pictures.
  package static func all(_ rows: [ReadRow], count: Int?, builds: Set<String> = []) -> [ReadChoice] {
    var kinds: [String] = []
    var byKind: [String: [ReadRow]] = [:]
    for row in rows where row.record.measurement != nil && row.record.key.build.map(builds.contains) ?? true {
      if byKind[row.kind] == nil { kinds.append(row.kind) }
      byKind[row.kind, default: []].append(row)
    }
    return kinds.flatMap { kind -> [ReadChoice] in
      let rows = byKind[kind] ?? []
      guard let side = side(of: rows) else { return [] }
      let shown = rows.filter {
        $0.record.key.wanted == .side(side) && [.full, .scaled, .thumbnail].contains($0.record.key.route)
      }
      let order = shown.map(\.record.key.image.name)
      let files = Dictionary(grouping: shown, by: \.record.key.image.name).sorted { a, b in
        a.value.count == b.value.count
          ? order.firstIndex(of: a.key) ?? 0 < order.firstIndex(of: b.key) ?? 0
          : a.value.count > b.value.count
      }
      return files.prefix(count ?? files.count).map { ReadChoice(kind: kind, rows: $0.value) }
    }
  }

  private static func side(of rows: [ReadRow]) -> Int? {
    let sides = Set(
      rows.compactMap { row -> Int? in
        guard case .side(let side) = row.record.key.wanted, side <= largestSide else { return nil }
        return side
      })
    return sides.min { (abs($0 - side), $0) < (abs($1 - side), $1) }
  }
}
