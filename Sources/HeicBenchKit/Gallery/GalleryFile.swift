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
  /// Decoded picture in a cache: columns × rows × 4.
  var pictureBytes: Int
  /// The cell's picture: columns × rows × 4.
  var cellBytes: Int
}

extension GalleryFile {
  /// Returns the costs from the reads at one size, by name; omits files that were not decoded.
  /// - Parameter score: Least SSIMULACRA 2 of an honest route.
  static func all(_ rows: [ReadRow], side: Int, honest score: Double) -> [GalleryFile] {
    let own = rows.filter { row in
      let key = row.record.key
      return key.encoding == nil && key.build == nil && key.wanted == .side(side)
    }
    return Dictionary(grouping: own, by: \.record.key.image.name).sorted { $0.key < $1.key }
      .compactMap { GalleryFile($0, $1, honest: score) }
  }

  private static func work(_ row: ReadRow) -> Work? {
    guard let figures = row.record.measurement, let cpu = row.cpu?.median, let peak = figures.peakBytes else {
      return nil
    }
    return Work(seconds: cpu / 1e3 + Double(figures.reductionCPUNanoseconds) / 1e9, peakBytes: peak)
  }

  private init?(_ name: String, _ rows: [ReadRow], honest score: Double) {
    let ways = rows.compactMap { row in
      Self.work(row).map { (row: row, route: row.record.key.route, work: $0) }
    }
    guard let full = ways.first(where: { $0.route == .full }), let figures = full.row.record.measurement
    else { return nil }
    let honest = ways.filter {
      [.full, .scaled, .thumbnail].contains($0.route) && RouteAnswer.isHonest($0.row, at: score)
    }
    let cheapest = honest.min { $0.work.seconds < $1.work.seconds } ?? full
    let cellBytes = figures.deliveredWidth * figures.deliveredHeight * 4
    self.init(
      name: name, full: full.work,
      reduction: Work(seconds: Double(figures.reductionCPUNanoseconds) / 1e9, peakBytes: cellBytes),
      cheapest: cheapest.work, route: cheapest.route, pictureBytes: figures.width * figures.height * 4,
      cellBytes: cellBytes)
  }
}
