import Analysis
import Model
import Reports

/// The cost of tiles as drawings: overhead against the tile size, and a viewport against the level.
struct TileCharts {
  /// A point in the charts of viewports.
  struct Level {
    var kind: String
    var tileSize: Int
    var level: Int
    var cost: ViewportCost
  }

  let figures: [TileFigures]
  let levels: [Level]

  /// The drawings by kind; a chart without data is absent.
  var drawings: [ChartKind: String] {
    var drawings: [ChartKind: String] = [:]
    drawings[.tileOverhead] = overhead
    drawings[.tileBytes] = viewport(.tileBytes, "Bytes of the viewport (kB)") { $0.bytes / 1000 }
    drawings[.tileCPU] = viewport(.tileCPU, "CPU time of decoding the viewport (ms)") { $0.cpu }
    return drawings
  }

  /// Overhead at equal score with its interval; nil if fewer than two sizes have one.
  private var overhead: String? {
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
      kind: .tileOverhead, title: ChartKind.tileOverhead.title,
      x: .init(scale: x, title: "Pixels of a tile's side (logarithmic)"),
      y: .init(scale: y, title: "Level 0 in tiles against no tiles (%)", isSigned: true),
      series: kinds.enumerated().map { .init(index: $0.offset, name: $0.element) })
    let description = shown.compactMap { figure in
      figure.matched.map {
        "\(figure.kind) at \(figure.tileSize): \(Numerals.signed($0.mean, decimals: 1)) %"
      }
    }
    return frame.drawing(description: description.joined(separator: "; ") + ".") { canvas in
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
  }

  private func viewport(_ kind: ChartKind, _ title: String, value: (ViewportCost) -> Double) -> String? {
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
      kind: kind, title: kind.title,
      x: .init(scale: x, title: "Level: 0 is the picture itself, each further one has half its sides"),
      y: .init(scale: y, title: title),
      series: lines.enumerated().map {
        .init(index: $0.offset, name: "\($0.element.kind), \($0.element.tileSize)")
      })
    let highest = levels.map { value($0.cost) }.max() ?? 0
    return frame.drawing(description: "\(lines.count) lines; at most \(Numerals.short(highest.rounded())).") {
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
  }
}
