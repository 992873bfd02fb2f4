import Analysis
import Model
import Reports

/// CPU time of the decode against the wanted size, one line for each kind of file and route. Large markers mean that
/// the picture is good enough, small ones that it is not.
struct DecodeTimeChart {
  let table: ReadTable
  let answers: [RouteAnswer]

  static let name = "decode-time"
  private static let title = "CPU time of the decode against the wanted size"

  var chart: ReportChart? { ReportChart(Self.name, title: Self.title, svg: svg) }

  private struct Line {
    var name: String
    var points: [(side: Double, cpu: Double, isHonest: Bool, tip: String)]
  }

  /// More lines than this cannot be told apart.
  private static let mostLines = 24

  /// Nil unless two sizes were timed.
  private var svg: String? {
    let lines = Array(lines.prefix(Self.mostLines))
    let points = lines.flatMap(\.points)
    guard Set(points.map(\.side)).count > 1,
      let x = ChartScale(.logarithmic, points.map(\.side), margin: 0.08),
      let y = ChartScale(.logarithmic, points.map(\.cpu), margin: 0.1)
    else { return nil }
    let frame = ChartFrame(
      name: Self.name, title: Self.title,
      x: .init(scale: x, title: "Longest side that is wanted (pixels, logarithmic); all pixels rightmost"),
      y: .init(scale: y, title: "CPU time of the decode (ms, logarithmic)"),
      series: lines.enumerated().map { .init(index: $0.offset, name: $0.element.name) })
    return frame.drawing(description: lines.map(description).joined(separator: "; ") + ".") { canvas in
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
      // “All pixels” of a kind stand at the middle of its files' longest sides.
      let longest =
        table.samples.lazy.filter { table.groups[Int($0.group)].kind == kind }
        .map { Double(Float($0.longestSide)) }.median ?? 0
      let own = answers.filter { $0.kind == kind }
      return [ReadRoute.full, .scaled, .thumbnail].compactMap { route in
        var line = Line(name: "\(kind), \(route.rawValue)", points: [])
        for answer in own {
          guard let figures = answer.routes.first(where: { $0.route == route }), let cpu = figures.cpu,
            cpu > 0
          else { continue }
          let score = figures.score.map { ", SSIMULACRA 2 \(Numerals.fixed($0, decimals: 0))" } ?? ""
          let tip =
            "\(kind), \(answer.wanted), \(route.rawValue): \(Numerals.grouped(cpu, decimals: 1)) ms\(score), "
            + Numerals.counted(figures.files, "file")
          switch answer.wanted {
          case .side(let side): line.points.append((Double(side), cpu, figures.honestFiles > 0, tip))
          case .all: line.points.append((longest, cpu, figures.honestFiles > 0, tip))
          case .part: continue
          }
        }
        line.points.sort { $0.side < $1.side }
        return line.points.isEmpty ? nil : line
      }
    }
  }

  private func description(_ line: Line) -> String {
    let ends = [line.points.first, line.points.last].compactMap(\.self).map {
      "\(Numerals.grouped($0.cpu, decimals: 1)) ms at \(Numerals.short($0.side)) px"
    }
    return "\(line.name): \(ends.prefix(line.points.count).joined(separator: ", "))"
  }
}

/// The memory of each route as bars: the decoded pixels, the peak of the decode, and the formula's prediction.
struct DecodeMemoryChart {
  let table: ReadTable
  let answers: [RouteAnswer]

  static let name = "decode-memory"
  private static let title = "Memory of the decode"

  var chart: ReportChart? { ReportChart(Self.name, title: Self.title, svg: svg) }

  private struct Bar {
    var name: String
    var kind: Int
    var pixels, peak: Double
    var predicted: Double?

    var figures: String {
      let parts = [
        "\(Self.mebibytes(peak)) MiB", "pixels \(Self.mebibytes(pixels))",
        predicted.map { "predicted \(Self.mebibytes($0))" },
      ]
      return parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func mebibytes(_ value: Double) -> String {
      Numerals.fixed(value, decimals: value < 9.95 ? 1 : 0)
    }
  }

  private static let (width, left, right, top) = (720.0, 270.0, 210.0, 66.0)
  private static let (line, thickness) = (24.0, 12.0)
  /// The most bars that fit on a page.
  private static let mostBars = 40

  private var svg: String? {
    let bars = Array(bars.prefix(Self.mostBars))
    guard let largest = bars.map({ max($0.peak, $0.pixels, $0.predicted ?? 0) }).max(), largest > 0 else {
      return nil
    }
    var canvas = SVGCanvas(width: Self.width, height: Self.top + Double(bars.count) * Self.line + 16)
    canvas.text(Self.title, at: .init(x: 16, y: 26), class: "hb-title")
    canvas.text(
      "dark: the decoded pixels, columns × rows × bytes; light: what the decode needs in all; mark: the prediction",
      at: .init(x: 16, y: 46), class: "hb-soft")
    for (index, bar) in bars.enumerated() {
      draw(
        bar, at: Self.top + Double(index) * Self.line, unit: (Self.width - Self.left - Self.right) / largest,
        on: &canvas)
    }
    return canvas.document(
      id: "hb-\(Self.name)", title: Self.title,
      description: bars.map { "\($0.name): \($0.figures)" }.joined(separator: "; ") + ".")
  }

  private func draw(_ bar: Bar, at y: Double, unit: Double, on canvas: inout SVGCanvas) {
    let colour = ChartStyle.colourClass(bar.kind)
    let base = y + Self.thickness
    canvas.text(Self.label(bar.name), at: .init(x: Self.left - 8, y: base - 2), anchor: .end)
    let corner = SVGCanvas.Point(x: Self.left, y: y)
    canvas.bar(at: corner, width: bar.peak * unit, height: Self.thickness, class: "\(colour) hb-light")
    canvas.bar(at: corner, width: bar.pixels * unit, height: Self.thickness, class: colour)
    if let predicted = bar.predicted {
      let x = Self.left + predicted * unit
      canvas.line(.init(x: x, y: y - 3), .init(x: x, y: base + 3), class: "hb-gap")
    }
    let end = max(bar.peak, bar.pixels, bar.predicted ?? 0)
    canvas.text(bar.figures, at: .init(x: Self.left + end * unit + 8, y: base - 2), class: "hb-soft")
  }

  /// Keeps the end of a long name, where routes differ.
  private static func label(_ name: String) -> String { name.count > 40 ? "…" + name.suffix(39) : name }

  /// One bar for each kind of file, route and decoded size; of wanted sizes with equal pixels, the first.
  private var bars: [Bar] {
    var kinds: [String] = []
    var seen: Set<String> = []
    return answers.flatMap { answer -> [Bar] in
      if !kinds.contains(answer.kind) { kinds.append(answer.kind) }
      return answer.routes.compactMap { bar($0.route, answer, kinds.firstIndex(of: answer.kind) ?? 0, &seen) }
    }.sorted { ($0.kind, $1.peak) < ($1.kind, $0.peak) }
  }

  private func bar(_ route: ReadRoute, _ answer: RouteAnswer, _ kind: Int, _ seen: inout Set<String>) -> Bar?
  {
    let all = table.samples.lazy.filter { $0.group == answer.group && $0.route == route }
    // Measured and predicted values must be of the same files.
    let isPredicted = all.contains { $0.predictedBytes != nil }
    let figures = all.filter { !isPredicted || $0.predictedBytes != nil }
    guard figures.contains(where: { $0.peakBytes != nil }) else { return nil }
    func middle(_ bytes: (ReadSample) -> Double?) -> Double {
      figures.compactMap { bytes($0).map { $0 / 1_048_576 } }.median ?? 0
    }
    let pixels = middle { Double($0.pixelBytes) }
    guard seen.insert("\(kind) \(route) \(pixels)").inserted else { return nil }
    // A full decode takes the same memory for any wanted size.
    let wanted = route == .full ? "" : ", \(answer.wanted)"
    return Bar(
      name: "\(answer.kind), \(route.rawValue)\(wanted)", kind: kind, pixels: pixels,
      peak: middle(\.peakBytes), predicted: isPredicted ? middle(\.predictedBytes) : nil)
  }
}
