import Analysis
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Workers

struct DecodeCharts {
  let table: ReadTable
  let answers: [RouteAnswer]

  static let names = ["decode-time", "decode-memory"]

  var all: [ReportChart] { [time, memory].compactMap { $0 } }

  /// More lines than this cannot be told apart.
  private static let mostLines = 24

  /// Decode CPU time against the wanted size, with one line for each kind of file and route. Large markers mean that
  /// the picture is good enough, small markers that it is not.
  private var time: ReportChart? {
    let lines = Array(lines.prefix(Self.mostLines))
    let description = lines.map { line in
      let ends = [line.first, line.last].compactMap(\.self).prefix(line.count).map {
        "\(Numerals.grouped($0.y, decimals: 1)) ms at \(Numerals.short($0.x)) px"
      }
      return "\(line.first?.line ?? ""): \(ends.joined(separator: ", "))"
    }
    return ReportChart(
      Self.names[0], title: "Decode CPU time by wanted size", Array(lines.joined()),
      x: ("Longest side wanted (pixels, logarithmic); all pixels on the right", .logarithmic, 0.08),
      y: ("Decode CPU time (ms, logarithmic)", .logarithmic, 0.1), isCounted: true
    ) { _ in description.joined(separator: "; ") + "." }
  }

  private var lines: [[ReportChart.Point]] {
    kinds.flatMap { kind in
      // “All pixels” of a kind are drawn at the median of its files' longest sides.
      let samples = table.groups.filter { table.title(of: $0) == kind }.lazy.flatMap(\.samples.values)
        .joined()
      let longest = samples.median { Double(Float($0.longestSide)) } ?? 0
      return [ReadRoute.full, .scaled, .thumbnail].map { route in
        answers.filter { $0.kind == kind }.compactMap { answer -> ReportChart.Point? in
          guard let figures = answer.routes.first(where: { $0.route == route }), let cpu = figures.cpu,
            cpu > 0
          else { return nil }
          let side: Double
          switch answer.wanted {
          case .side(let wanted): side = Double(wanted)
          case .all: side = longest
          case .part: return nil
          }
          let score = figures.score.map { ", SSIMULACRA2 \(Numerals.fixed($0, decimals: 0))" } ?? ""
          return ReportChart.Point(
            line: "\(kind), \(route.rawValue)", x: side, y: cpu, radius: figures.honestFiles > 0 ? 5 : 2,
            tip: "\(kind), \(answer.wanted), \(route.rawValue): \(Numerals.grouped(cpu, decimals: 1)) ms"
              + "\(score), \(Numerals.counted(figures.files, "file"))")
        }.sorted { $0.x < $1.x }
      }
    }.filter { !$0.isEmpty }
  }

  private var kinds: [String] {
    var kinds: [String] = []
    for answer in answers where !kinds.contains(answer.kind) { kinds.append(answer.kind) }
    return kinds
  }

  private struct Bar {
    var name: String
    var kind: Int
    var pixels, peak: Double
    var predicted: Double?

    var end: Double { max(peak, pixels, predicted ?? 0) }

    var figures: String {
      "\(Self.mebibytes(peak)) MiB, pixels \(Self.mebibytes(pixels))"
        + (predicted.map { ", predicted \(Self.mebibytes($0))" } ?? "")
    }

    private static func mebibytes(_ value: Double) -> String {
      Numerals.fixed(value, decimals: value < 9.95 ? 1 : 0)
    }
  }

  private static let (width, left, right, top) = (720.0, 270.0, 210.0, 66.0)
  private static let (line, thickness) = (24.0, 12.0)
  private static let mostBars = 40

  /// The memory of each route as bars: the decoded pixels, the peak of the decode, and the formula's prediction.
  private var memory: ReportChart? {
    let bars = bars.prefix(Self.mostBars)
    guard let largest = bars.map(\.end).max(), largest > 0 else { return nil }
    let title = "Decode memory"
    var canvas = SVGCanvas(width: Self.width, height: Self.top + Double(bars.count) * Self.line + 16)
    canvas.text(title, at: .init(x: 16, y: 26), class: "hb-title")
    canvas.text(
      "dark: the decoded pixels, columns × rows × bytes; light: all memory that the decode needs; mark: the prediction",
      at: .init(x: 16, y: 46), class: "hb-soft")
    let unit = (Self.width - Self.left - Self.right) / largest
    for (index, bar) in bars.enumerated() {
      draw(bar, at: Self.top + Double(index) * Self.line, unit: unit, on: &canvas)
    }
    return ReportChart(
      Self.names[1], title: title,
      svg: canvas.document(
        id: "hb-\(Self.names[1])", title: title,
        description: bars.map { "\($0.name): \($0.figures)" }.joined(separator: "; ") + "."))
  }

  private func draw(_ bar: Bar, at y: Double, unit: Double, on canvas: inout SVGCanvas) {
    let colour = SeriesStyle.all(of: [bar.name])[0].colourClass
    let base = y + Self.thickness
    // Shows the end of a long name, where routes differ.
    let label = bar.name.count > 40 ? "…" + bar.name.suffix(39) : bar.name
    canvas.text(label, at: .init(x: Self.left - 8, y: base - 2), anchor: .end)
    let corner = SVGCanvas.Point(x: Self.left, y: y)
    canvas.bar(at: corner, width: bar.peak * unit, height: Self.thickness, class: "\(colour) hb-light")
    canvas.bar(at: corner, width: bar.pixels * unit, height: Self.thickness, class: colour)
    if let predicted = bar.predicted {
      let x = Self.left + predicted * unit
      canvas.line(.init(x: x, y: y - 3), .init(x: x, y: base + 3), class: "hb-gap")
    }
    canvas.text(bar.figures, at: .init(x: Self.left + bar.end * unit + 8, y: base - 2), class: "hb-soft")
  }

  /// One bar for each kind of file, route and decoded size; for wanted sizes with equal pixels, only the first.
  private var bars: [Bar] {
    let kinds = kinds
    var seen: Set<String> = []
    return answers.flatMap { answer in
      answer.routes.compactMap { bar($0.route, answer, kinds.firstIndex(of: answer.kind) ?? 0, &seen) }
    }.sorted { ($0.kind, $1.peak) < ($1.kind, $0.peak) }
  }

  private func bar(_ route: ReadRoute, _ answer: RouteAnswer, _ kind: Int, _ seen: inout Set<String>) -> Bar?
  {
    let all = answer.group.samples[route] ?? BlockArray()
    // Measured and predicted values must be of the same files.
    let isPredicted = all.contains { !$0.predictedBytes.isNaN }
    let figures = all.lazy.filter { !isPredicted || !$0.predictedBytes.isNaN }
    guard let peak = figures.median(\.peakBytes), let bytes = figures.median({ Double($0.pixelBytes) })
    else { return nil }
    let pixels = bytes / 1_048_576
    guard seen.insert("\(kind) \(route) \(pixels)").inserted else { return nil }
    // A full decode takes the same memory for any wanted size.
    let wanted = route == .full ? "" : ", \(answer.wanted)"
    return Bar(
      name: "\(answer.kind), \(route.rawValue)\(wanted)", kind: kind, pixels: pixels,
      peak: peak / 1_048_576, predicted: figures.median(\.predictedBytes).map { $0 / 1_048_576 })
  }
}

extension DecodeReport {
  /// The size of shown pictures in pixels; if it was not requested, the nearest one is shown.
  private static let shownSide = 320
  private static let largestSide = 1024

  /// A file whose pictures a page shows as an example of its kind, at one size and by each route that gives pixels.
  struct Choice: Sendable {
    var kind: String
    var reads: [CaseRecord]
  }

  /// A kind's pictures of a file at a size; files are numbered in the order of their names.
  private struct Place: Hashable {
    var kind: String
    var side, file: Int
  }

  /// Chooses the reads whose pictures a page shows.
  /// - Parameters:
  ///   - count: The number of files of each kind, those with the most routes first; nil for all.
  ///   - builds: The available builds; reads by other builds are measured but not shown.
  func choices(count: Int?, builds: Set<String> = []) throws -> [Choice] {
    var kinds: [String] = []
    var routes: [Place: Int] = [:]
    try forEachShown(builds) { place, _ in
      if !kinds.contains(place.kind) { kinds.append(place.kind) }
      routes[place, default: 0] += 1
    }
    var (choices, chosen) = ([Choice](), [Place: Int]())
    for kind in kinds {
      let own = routes.filter { $0.key.kind == kind }
      func distance(_ side: Int) -> (Int, Int) { (abs(side - Self.shownSide), side) }
      let side = own.keys.map(\.side).min { distance($0) < distance($1) }
      let best = own.filter { $0.key.side == side }
        .sorted { ($1.value, $0.key.file) < ($0.value, $1.key.file) }.prefix(count ?? .max)
      for (place, _) in best {
        chosen[place] = choices.count
        choices.append(Choice(kind: kind, reads: []))
      }
    }
    guard !choices.isEmpty else { return [] }
    try forEachShown(builds) { place, read in
      if let index = chosen[place] { choices[index].reads.append(read) }
    }
    return choices
  }

  private func forEachShown(
    _ builds: Set<String>, _ body: (_ place: Place, _ read: CaseRecord) -> Void
  ) throws {
    var (name, file) = (String?.none, -1)
    try forEachRow { read in
      let key = read.key
      if key.image.name != name { (name, file) = (key.image.name, file + 1) }
      guard read.figures != nil, case .side(let side) = key.wanted, side <= Self.largestSide,
        [.full, .scaled, .thumbnail].contains(key.route), key.build.map(builds.contains) ?? true
      else { return }
      body(Place(kind: read.kind, side: side, file: file), read)
    }
  }
}
