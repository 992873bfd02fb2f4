import Analysis
import Model
import Store

/// Cost of showing one file in a cell.
struct GalleryFile: Sendable, Hashable {
  /// Cost of one way to the cell's picture.
  struct Work: Sendable, Hashable {
    /// CPU seconds of the decode and the reduction to the cell.
    var seconds: Double
    /// Growth of memory meanwhile.
    var peakBytes: Int
  }

  var name: String
  /// Decode of the whole file, and its reduction.
  var full: Work
  /// Reduction of an already decoded picture.
  var reduction: Work
  /// The cheapest honest way, and its route.
  var cheapest: Work
  var route: ReadRoute
  /// Decoded picture in a cache, and the cell's picture: columns × rows × 4.
  var pictureBytes, cellBytes: Int

  /// Returns the costs from the reads at one size, by name; omits files that were not decoded.
  /// - Parameter score: Least SSIMULACRA 2 of an honest route.
  static func all(_ reads: [CaseRecord], side: Int, honest score: Double) -> [GalleryFile] {
    let own = reads.filter {
      $0.key.encodedAt == nil && $0.key.build == nil && $0.key.wanted == .side(side)
    }
    return Dictionary(grouping: own, by: \.key.image.name).sorted { $0.key < $1.key }.compactMap {
      name, reads in
      let ways = reads.compactMap { read in work(read).map { (read: read, work: $0) } }
      guard let full = ways.first(where: { $0.read.key.route == .full }), let figures = full.read.figures
      else { return nil }
      let honest = ways.filter {
        [.full, .scaled, .thumbnail].contains($0.read.key.route) && $0.read.isHonest(at: score)
      }
      let cheapest = honest.min { $0.work.seconds < $1.work.seconds } ?? full
      let cellBytes = figures[.deliveredWidth] * figures[.deliveredHeight] * 4
      return GalleryFile(
        name: name, full: full.work,
        reduction: Work(seconds: Double(figures[.reductionCPU]) / 1e9, peakBytes: cellBytes),
        cheapest: cheapest.work, route: cheapest.read.key.route,
        pictureBytes: figures[.width] * figures[.height] * 4, cellBytes: cellBytes)
    }
  }

  private static func work(_ read: CaseRecord) -> Work? {
    guard let figures = read.figures, let cpu = read.cpu?.median, let peak = figures.figures[.decodePeak]
    else {
      return nil
    }
    return Work(seconds: cpu / 1e3 + Double(figures[.reductionCPU]) / 1e9, peakBytes: peak)
  }
}
