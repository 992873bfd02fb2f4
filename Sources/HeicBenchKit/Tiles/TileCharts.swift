import Analysis
import Model
import Reports

/// The cost of tiles as drawings: overhead against the tile size, and a viewport against the level.
struct TileCharts {
  /// A point in the charts of viewports.
  struct Level: Sendable {
    var kind: String
    var tileSize: Int
    var level: Int
    var cost: ViewportCost
  }

  let figures: [TileFigures]
  let levels: [Level]

  static let names = ["tiles-overhead", "tiles-viewport", "tiles-viewport-cpu"]

  /// The drawings; a chart without data is absent.
  var all: [ReportChart] {
    [
      overhead("Bytes of tiles at equal SSIMULACRA 2, by tile size"),
      viewport(Self.names[1], "Bytes that a viewport takes, by level", "Bytes of the viewport (kB)") {
        $0.bytes / 1000
      },
      viewport(
        Self.names[2], "CPU time that a viewport takes, by level", "CPU time of decoding the viewport (ms)"
      ) { $0.cpu },
    ].compactMap { $0 }
  }

  private struct Point {
    var line: String
    var x, y: Double
    var interval: ConfidenceInterval?
    var tip: String
  }

  /// Overhead at equal score with its interval; nil if fewer than two sizes have one.
  private func overhead(_ title: String) -> ReportChart? {
    let points = figures.compactMap { figure in
      figure.matched.map { change in
        let percent = "\(Numerals.signed(change.mean, decimals: 1)) %"
        return (
          point: Point(
            line: figure.kind, x: Double(figure.tileSize), y: change.mean, interval: change.interval,
            tip: "\(figure.kind), \(figure.tileSize) px: \(percent)"),
          words: "\(figure.kind) at \(figure.tileSize): \(percent)"
        )
      }
    }
    return chart(
      Self.names[0], title, (.logarithmic, 0.1, "Pixels of a tile's side (logarithmic)"),
      ("Level 0 in tiles against no tiles (%)", 0.08, true), points.map(\.point)
    ) { _ in points.map(\.words).joined(separator: "; ") + "." }
  }

  private func viewport(
    _ name: String, _ title: String, _ axis: String, value: (ViewportCost) -> Double
  ) -> ReportChart? {
    let points = levels.map { level in
      let (line, y) = ("\(level.kind), \(level.tileSize)", value(level.cost))
      return Point(
        line: line, x: Double(level.level), y: y,
        tip: "\(line) px, level \(level.level): \(Numerals.fixed(y, decimals: 1))")
    }
    let highest = points.map(\.y).max() ?? 0
    return chart(
      name, title, (.linear, 0.04, "Level: 0 is the picture itself, each further one has half its sides"),
      (axis, 0.06, false), points
    ) { "\($0) lines; at most \(Numerals.short(highest.rounded()))." }
  }

  /// A chart of lines in order of first appearance; nil without two places on the horizontal axis.
  private func chart(
    _ name: String, _ title: String, _ across: (kind: ChartScale.Spacing, margin: Double, title: String),
    _ up: (title: String, margin: Double, isSigned: Bool), _ points: [Point],
    description: (_ lines: Int) -> String
  ) -> ReportChart? {
    var lines: [String] = []
    for point in points where !lines.contains(point.line) { lines.append(point.line) }
    let ends = points.flatMap { [$0.y] + ($0.interval.map { [$0.lower, $0.upper] } ?? []) }
    guard Set(points.map(\.x)).count > 1,
      let x = ChartScale(across.kind, points.map(\.x), margin: across.margin),
      let y = ChartScale(.linear, ends + [0], margin: up.margin)
    else { return nil }
    let frame = ChartFrame(
      name: name, title: title, x: .init(scale: x, title: across.title),
      y: .init(scale: y, title: up.title, isSigned: up.isSigned),
      series: lines.enumerated().map { .init(index: $0.offset, name: $0.element) })
    let svg = frame.drawing(description: description(lines.count)) { canvas in
      for (index, line) in lines.enumerated() {
        let own = points.filter { $0.line == line }.sorted { $0.x < $1.x }
        canvas.polyline(own.map { frame.position($0.x, $0.y) }, class: ChartStyle.lineClass(index))
        for point in own {
          if let interval = point.interval {
            canvas.line(
              frame.position(point.x, interval.lower), frame.position(point.x, interval.upper),
              class: "hb-bar \(ChartStyle.colourClass(index))")
          }
          canvas.marker(index, at: frame.position(point.x, point.y), tip: point.tip)
        }
      }
    }
    return ReportChart(name, title: title, svg: svg)
  }
}
