package import Analysis
import Model

/// The pictures that routes make of one file at one size, to be shown side by side.
package struct ReadPictures: Sendable {
  package struct Picture: Sendable {
    package var row: ReadRow
    /// The address of a PNG file relative to the page, or a data URL.
    package var address: String

    package init(row: ReadRow, address: String) { (self.row, self.address) = (row, address) }
  }

  /// The kind of file, as answers name it.
  package var kind: String
  package var pictures: [Picture]

  package init(kind: String, pictures: [Picture]) { (self.kind, self.pictures) = (kind, pictures) }
}

/// A file whose pictures a page of reads shows, at one size by each route that gives pixels.
package struct ReadChoice: Sendable {
  package var kind: String
  package var rows: [ReadRow]

  /// The preferred size in pixels; if it was not asked for, the nearest one is shown.
  private static let side = 320
  /// Larger pictures do not fit a list.
  private static let largestSide = 1024

  /// Chooses pictures.
  /// - Parameters:
  ///   - count: the number of files of each kind, those with the most routes first; nil for all.
  ///   - builds: the builds that can show their reads; reads of others are measured only and have no pictures.
  ///   - forEachRow: hands out the rows from which the table was made.
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
