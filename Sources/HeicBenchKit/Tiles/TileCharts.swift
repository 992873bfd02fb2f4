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

  /// Overhead at equal score with its interval; nil if fewer than two sizes have one.
  private func overhead(_ title: String) -> ReportChart? {
    var kinds: [String] = []
    for figure in figures where figure.matched != nil && !kinds.contains(figure.kind) {
      kinds.append(figure.kind)
    }
    let shown = figures.filter { $0.matched != nil }
    let ends = shown.compactMap(\.matched).flatMap { [$0.mean, $0.interval?.lower, $0.interval?.upper] }
    guard Set(shown.map(\.tileSize)).count > 1,
      let x = ChartScale(.logarithmic, shown.map { Double($0.tileSize) }, margin: 0.1),
      let y = ChartScale(.linear, ends.compactMap(\.self) + [0], margin: 0.08)
    else { return nil }
    let frame = ChartFrame(
      name: Self.names[0], title: title,
      x: .init(scale: x, title: "Pixels of a tile's side (logarithmic)"),
      y: .init(scale: y, title: "Level 0 in tiles against no tiles (%)", isSigned: true),
      series: kinds.enumerated().map { .init(index: $0.offset, name: $0.element) })
    let description = shown.compactMap { figure in
      figure.matched.map {
        "\(figure.kind) at \(figure.tileSize): \(Numerals.signed($0.mean, decimals: 1)) %"
      }
    }
    let svg = frame.drawing(description: description.joined(separator: "; ") + ".") { canvas in
      for (index, kind) in kinds.enumerated() {
        let own = shown.filter { $0.kind == kind }.sorted { $0.tileSize < $1.tileSize }
        let means = own.compactMap { figure in
          figure.matched.map { (place: frame.position(Double(figure.tileSize), $0.mean), figure: figure) }
        }
        canvas.polyline(means.map(\.place), class: ChartStyle.lineClass(index))
        for (place, figure) in means {
          if let interval = figure.matched?.interval {
            canvas.line(
              frame.position(Double(figure.tileSize), interval.lower),
              frame.position(Double(figure.tileSize), interval.upper),
              class: "hb-bar \(ChartStyle.colourClass(index))")
          }
          canvas.marker(
            index, at: place,
            tip:
              "\(kind), \(figure.tileSize) px: \(Numerals.signed(figure.matched?.mean ?? 0, decimals: 1)) %")
        }
      }
    }
    return ReportChart(Self.names[0], title: title, svg: svg)
  }

  private func viewport(
    _ name: String, _ title: String, _ axis: String, value: (ViewportCost) -> Double
  ) -> ReportChart? {
    struct Line: Hashable {
      var kind: String
      var tileSize: Int
    }
    var lines: [Line] = []
    for level in levels {
      let line = Line(kind: level.kind, tileSize: level.tileSize)
      if !lines.contains(line) { lines.append(line) }
    }
    guard Set(levels.map(\.level)).count > 1, let x = ChartScale(.linear, levels.map { Double($0.level) }),
      let y = ChartScale(.linear, levels.map { value($0.cost) } + [0], margin: 0.06)
    else { return nil }
    let frame = ChartFrame(
      name: name, title: title,
      x: .init(scale: x, title: "Level: 0 is the picture itself, each further one has half its sides"),
      y: .init(scale: y, title: axis),
      series: lines.enumerated().map {
        .init(index: $0.offset, name: "\($0.element.kind), \($0.element.tileSize)")
      })
    let highest = levels.map { value($0.cost) }.max() ?? 0
    let svg = frame.drawing(
      description: "\(lines.count) lines; at most \(Numerals.short(highest.rounded()))."
    ) {
      canvas in
      for (index, line) in lines.enumerated() {
        let own = levels.filter { $0.kind == line.kind && $0.tileSize == line.tileSize }.sorted {
          $0.level < $1.level
        }
        canvas.polyline(
          own.map { frame.position(Double($0.level), value($0.cost)) }, class: ChartStyle.lineClass(index))
        for level in own {
          canvas.marker(
            index, at: frame.position(Double(level.level), value(level.cost)),
            tip:
              "\(line.kind), \(line.tileSize) px, level \(level.level): \(Numerals.fixed(value(level.cost), decimals: 1))"
          )
        }
      }
    }
    return ReportChart(name, title: title, svg: svg)
  }
}
