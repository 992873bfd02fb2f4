import Foundation
package import Model

extension ResultStore {
  private static let tileSubject = "tiles"

  /// The cuts and the points without tiles that a question covers, ordered by image name, then by arrival.
  package func tilings(_ question: TileQuestion) throws -> [CaseRecord] {
    var records: [CaseRecord] = []
    try forEachLatest(
      [.tiles, .whole],
      where: { $0.preparation == question.preparation && ($0.way == .whole || $0.cut.view == question.view) }
    ) { records.append($0) }
    return records
  }

  /// The last question on tiles; nil if there is none.
  package func tileQuestion() throws(StoreError) -> TileQuestion? {
    try question(Self.tileSubject).flatMap {
      try? JSONDecoder().decode(TileQuestion.self, from: Data($0.utf8))
    }
  }

  package func note(_ question: TileQuestion) throws(StoreError) { try note(question, Self.tileSubject) }
}
