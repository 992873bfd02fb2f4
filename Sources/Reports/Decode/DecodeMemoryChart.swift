import Analysis
import Model

/// The memory of each route as bars: the decoded pixels, the peak of the decode, and the formula's prediction.
struct DecodeMemoryChart {
  let table: ReadTable
  let answers: [RouteAnswer]

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

  private static let width = 720.0
  private static let left = 270.0
  private static let right = 210.0
  private static let top = 66.0
  private static let line = 24.0
  private static let thickness = 12.0
  /// The most bars that fit on a page.
  private static let mostBars = 40

  var svg: String? {
    let bars = Array(bars.prefix(Self.mostBars))
    guard let largest = bars.map({ max($0.peak, $0.pixels, $0.predicted ?? 0) }).max(), largest > 0 else {
      return nil
    }
    var canvas = SVGCanvas(width: Self.width, height: Self.top + Double(bars.count) * Self.line + 16)
    canvas.text(ChartKind.decodeMemory.title, at: .init(x: 16, y: 26), class: "hb-title")
    canvas.text(
      "dark: the decoded pixels, columns × rows × bytes; light: what the decode needs in all; mark: the prediction",
      at: .init(x: 16, y: 46), class: "hb-soft")
    for (index, bar) in bars.enumerated() {
      draw(
        bar, at: Self.top + Double(index) * Self.line, unit: (Self.width - Self.left - Self.right) / largest,
        on: &canvas)
    }
    return canvas.document(
      id: "hb-\(ChartKind.decodeMemory.rawValue)", title: ChartKind.decodeMemory.title,
      description: bars.map { "\($0.name): \($0.figures)" }.joined(separator: "; ") + ".",
      style: ChartStyle.element)
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
    let all = table.memory(ofKind: answer.kind, answer.wanted, route)
    // Measured and predicted values must be of the same files.
    let isPredicted = all.contains { $0.predictedBytes != nil }
    let figures = all.lazy.filter { !isPredicted || $0.predictedBytes != nil }
    guard figures.contains(where: { $0.peakBytes != nil }) else { return nil }
    func middle(_ bytes: (ReadMemory) -> Int?) -> Double {
      figures.compactMap { bytes($0).map { Double($0) / 1_048_576 } }.median ?? 0
    }
    let pixels = middle(\.pixelBytes)
    guard seen.insert("\(kind) \(route) \(pixels)").inserted else { return nil }
    // A full decode takes the same memory for any wanted size.
    let wanted = route == .full ? "" : ", \(answer.wanted)"
    return Bar(
      name: "\(answer.kind), \(route.rawValue)\(wanted)", kind: kind, pixels: pixels,
      peak: middle(\.peakBytes), predicted: isPredicted ? middle(\.predictedBytes) : nil)
  }
}
