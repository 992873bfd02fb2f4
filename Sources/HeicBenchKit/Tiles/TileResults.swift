import Foundation
import Model
import Sweep

/// What tiles.json keeps.
struct TileResults: Codable {
  /// Preparation, viewport and libraries that all figures were measured with.
  var identity: String
  /// Cuts, in the order of the plan.
  var records: [TilingRecord]
  /// Further points of the curves without tiles.
  var points: [WholePoint]

  init(identity: String, records: [TilingRecord], points: [WholePoint]) {
    (self.identity, self.records, self.points) = (identity, records, points)
  }

  init(_ data: Data) throws {
    self = try ScoreJSON.decoder().decode(TileResults.self, from: data)
  }

  func json() throws -> String {
    let encoder = ScoreJSON.encoder([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}
