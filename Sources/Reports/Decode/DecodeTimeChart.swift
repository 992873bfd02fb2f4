import Analysis
import Foundation
import Model

/// CPU time of the decode against the wanted size, one line for each kind of file and route. Large markers mean that
/// the picture is good enough, small ones that it is not.
struct DecodeTimeChart {
  let table: ReadTable
  let answers: [RouteAnswer]

  private struct Point {
    var side: Double
    var cpu: Double
    var isHonest: Bool
    var tip: String
  }

  private struct Line {
    var name: String
    var points: [Point]
  }

  /// More lines than this cannot be told apart.
  private static let mostLines = 24

  /// The drawing; nil unless two sizes were timed.
  var svg: String? {
    let lines = Array(lines.prefix(Self.mostLines))
    let points = lines.flatMap(\.points)
    guard Set(points.map(\.side)).count > 1,
      let x = ChartScale(.logarithmic, points.map(\.side), margin: 0.08),
      let y = ChartScale(.logarithmic, points.map(\.cpu), margin: 0.1)
    else { return nil }
    let frame = ChartFrame(
      kind: .decodeTime, title: ChartKind.decodeTime.title,
      x: .init(scale: x, title: "Longest side that is wanted (pixels, logarithmic); all pixels rightmost"),
      y: .init(scale: y, title: "CPU time of the decode (ms, logarithmic)"),
      series: lines.enumerated().map { .init(index: $0.offset, name: $0.element.name) })
    return frame.drawing(description: description(lines)) { canvas in
      for (index, line) in lines.enumerated() {
        let places = line.points.map { frame.position($0.side, $0.cpu) }
        canvas.polyline(places, class: ChartStyle.lineClass(index))
        for (place, point) in zip(places, line.points) {
          canvas.marker(index, at: place, radius: point.isHonest ? 5 : 2, tip: point.tip)
        }
      }
    }
  }

  private var lines: [Line] {
    var kinds: [String] = []
    for answer in answers where !kinds.contains(answer.kind) { kinds.append(answer.kind) }
    return kinds.flatMap { kind in
      [ReadRoute.full, .scaled, .thumbnail].compactMap { route in
        let points = answers.filter { $0.kind == kind }.compactMap { point(route, $0) }
          .sorted { $0.side < $1.side }
        return points.isEmpty ? nil : Line(name: "\(kind), \(route.rawValue)", points: points)
      }
    }
  }

  private func point(_ route: ReadRoute, _ answer: RouteAnswer) -> Point? {
    guard let figures = answer.routes.first(where: { $0.route == route }), let cpu = figures.cpu, cpu > 0
    else {
      return nil
    }
    let side: Double
    switch answer.wanted {
    case .side(let wanted): side = Double(wanted)
    case .all: side = longestSide(answer.kind)
    case .part: return nil
    }
    let name = "\(answer.kind), \(answer.wanted), \(route.rawValue)"
    let score = figures.score.map { ", SSIMULACRA 2 \(Numerals.fixed($0, decimals: 0))" } ?? ""
    return Point(
      side: side, cpu: cpu, isHonest: figures.honestFiles > 0,
      tip:
        "\(name): \(Numerals.grouped(cpu, decimals: 1)) ms\(score), \(Numerals.counted(figures.files, "file"))"
    )
  }

  /// The position of “all pixels” for a kind of file: the middle of the files' longest sides.
  private func longestSide(_ kind: String) -> Double {
    table.longestSides(ofKind: kind).map(Double.init).median ?? 0
  }

  private func description(_ lines: [Line]) -> String {
    lines.compactMap { line in
      guard let first = line.points.first, let last = line.points.last else { return nil }
      let ends = [first, last].map {
        "\(Numerals.grouped($0.cpu, decimals: 1)) ms at \(Numerals.short($0.side)) px"
      }
      return "\(line.name): \(line.points.count > 1 ? ends.joined(separator: ", ") : ends[0])"
    }.joined(separator: "; ") + "."
  }
}
