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
  ///   - forEachRow: hands out the rows that the table was made of.
  static func all(
    _ table: ReadTable, count: Int?, builds: Set<String>,
    forEachRow: (_ body: (ReadRow) throws -> Void) throws -> Void
  ) throws -> [ReadChoice] {
    let chosen = table.filesToShow(
      builds: builds, near: side, largest: largestSide, routes: [.full, .scaled, .thumbnail], count: count)
    guard !chosen.isEmpty else { return [] }
    var numbers = ReadFileNumbers()
    var rows = chosen.map { $0.files.map { _ in [ReadRow]() } }
    try forEachRow { row in
      let file = numbers.number(of: row.record.key.image).name
      guard row.record.measurement != nil else { return }
      for (group, choice) in chosen.enumerated() where choice.shows(row) {
        if let place = choice.files.firstIndex(of: file) { rows[group][place].append(row) }
      }
    }
    return zip(chosen, rows).flatMap { choice, rows in
      rows.map { ReadChoice(kind: choice.kind, rows: $0) }
    }
  }
}
