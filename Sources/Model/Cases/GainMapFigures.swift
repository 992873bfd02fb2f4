/// The parts of a file with a gain map, and the scores of its pictures against an HDR original, on displays with
/// several headrooms.
package struct GainMapFigures: Codable, Sendable, Hashable {
  package struct Picture: Codable, Sendable, Hashable {
    /// The display's headroom, in stops.
    package var headroom: Double
    /// Scores by HDR metric identifier.
    package var scores: [String: Double]

    package init(headroom: Double, scores: [String: Double]) {
      (self.headroom, self.scores) = (headroom, scores)
    }
  }

  /// The standards of the file's metadata, the applied one first.
  package var kinds: [String]
  package var baseBytes, mapBytes, metadataBytes: Int
  package var mapWidth, mapHeight: Int
  /// 1 for gray, 3 for colour.
  package var mapChannels: Int
  /// The base's width divided by the map's.
  package var scale: Double
  /// Headroom of the brighter rendition, in stops.
  package var headroom: Double
  /// Empty without an original.
  package var pictures: [Picture] = []

  package init(
    kinds: [String], baseBytes: Int, mapBytes: Int, metadataBytes: Int, mapWidth: Int, mapHeight: Int,
    mapChannels: Int, scale: Double, headroom: Double
  ) {
    self.kinds = kinds
    (self.baseBytes, self.mapBytes, self.metadataBytes) = (baseBytes, mapBytes, metadataBytes)
    (self.mapWidth, self.mapHeight, self.mapChannels) = (mapWidth, mapHeight, mapChannels)
    (self.scale, self.headroom) = (scale, headroom)
  }

  /// Headrooms of the displays whose pictures are scored, in stops: none, one, two, and as much as the file has.
  package var shownHeadrooms: [Double] { [0, 1, 2].filter { $0 < headroom } + [headroom] }

  /// False for numbers that no file of this size can have, which a compromised worker might invent.
  func isPossible(fileBytes: Int) -> Bool {
    let bytes = [baseBytes, mapBytes, metadataBytes]
    return bytes.allSatisfy { (0...fileBytes).contains($0) }
      && [mapWidth, mapHeight].allSatisfy(Bound.side.contains) && [1, 3].contains(mapChannels)
      && (1...Double(Bound.side.upperBound)).contains(scale) && (0...64).contains(headroom)
      && kinds.count < 10 && pictures.count < 10
      && pictures.allSatisfy { picture in
        picture.headroom.isFinite && picture.scores.values.allSatisfy(\.isFinite)
      }
  }
}
