import Foundation
import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct ChartTests {
  @Test("The drawings of two codecs are as committed", arguments: ChartKind.allCases)
  func golden(kind: ChartKind) throws {
    let drawing = try #require(kind.drawing(of: SampleAnalysis.pair))
    #expect(try Golden.difference(drawing, kind.fileName) == nil)
  }

  @Test("Drawings are well-formed XML whatever the names", arguments: ChartKind.allCases)
  func wellFormed(kind: ChartKind) throws {
    for hostile in SampleRows.hostileNames + ["\u{1}\u{FFFE}\r", "]]>"] {
      var analysis = SampleAnalysis.three
      for index in analysis.imageDetails.indices { analysis.imageDetails[index].image = hostile }
      let drawing = try #require(kind.drawing(of: analysis))
      let parser = XMLParser(data: Data(drawing.utf8))
      #expect(parser.parse(), "\(hostile.debugDescription): \(String(describing: parser.parserError))")
    }
  }

  @Test("Every drawing has a role, a title and a description, and no script", arguments: ChartKind.allCases)
  func accessible(kind: ChartKind) throws {
    let drawing = try #require(kind.drawing(of: SampleAnalysis.three))
    #expect(drawing.contains("role=\"img\""))
    #expect(drawing.contains("<title id=\"hb-\(kind.rawValue)-title\">"))
    #expect(drawing.contains("<desc id=\"hb-\(kind.rawValue)-desc\">"))
    #expect(drawing.contains("prefers-color-scheme:dark"))
    #expect(!drawing.contains("<script") && !drawing.contains("nan") && !drawing.contains("inf"))
  }

  @Test(
    "An image has one column in the savings of all codecs, even if one codec has no figure")
  func drawsOneColumnEach() throws {
    var analysis = SampleAnalysis.three
    let target = try #require(analysis.verdicts.compactMap(\.target).first)
    let place = try #require(analysis.options.targets.firstIndex(of: target))
    let count = analysis.imageDetails.count
    for index in analysis.imageDetails.indices {
      analysis.imageDetails[index].image = "image\(index)"
      // The second codec ranks the images in reverse order.
      analysis.imageDetails[index].variants[1].changeAtTargets[place] = -Double(index)
      analysis.imageDetails[index].variants[2].changeAtTargets[place] = -Double(count - index)
    }
    analysis.imageDetails[3].variants[1].changeAtTargets[place] = nil
    let drawing = try #require(ChartKind.savingsStrip.drawing(of: analysis))
    // Both squares and circles start at their left edges, so columns are found by comparing marks of one shape. The
    // legend's marks have no titles.
    let marks = drawing.components(separatedBy: "<path class=\"hb-mark hb-s").dropFirst()
      .map { $0.components(separatedBy: "</path>")[0] }.filter { $0.contains("<title>") }
    let columns = ["1\"", "1 hb-hollow"].map { series in
      marks.filter { $0.hasPrefix(series) }.sorted { Self.left($0) < Self.left($1) }.map {
        $0.components(separatedBy: "<title>")[1].components(separatedBy: ":")[0]
      }
    }
    #expect(columns[1].count == count && columns[0].count == count - 1)
    #expect(columns[0] == columns[1].filter { $0 != "image3" })
    #expect(columns[1].last == "image3", "images without a figure of the first codec come last")
  }

  /// Where a mark begins: `1" d="M616.5 86.4a4 …`.
  private static func left(_ mark: String) -> Double {
    Double(mark.components(separatedBy: "d=\"M")[1].prefix { $0 != " " }) ?? .nan
  }

  @Test(
    "A codec always has the same colour and dash, and its further variants share the colour")
  func oneLook() {
    let all = SeriesStyle.all(of: CodecName.all.map(\.id) + ["null"])
    #expect(
      all.map(\.colour) == Array(0...CodecName.all.count) && Set(all.map { $0.dashes[0] }).count == all.count)
    for style in all.dropLast() {
      #expect(SeriesStyle.all(of: ["other", CodecName.all[style.colour].id])[1] == style)
      #expect(SeriesStyle.all(of: [CodecName.all[style.colour].title + " files, full"]) == [style])
    }
    let variants = SeriesStyle.all(of: ["heic", "jpegli", "heic@new:preset=fast", "HEIC, 512 px"])
    #expect(variants.map(\.colour) == [1, CodecName.all.count, 1, 1])
    #expect(Set(variants.map(\.dash)).count == 4)
  }

  /// Relative luminance of `#rrggbb`, by WCAG 2.
  private static func luminance(_ colour: Substring) -> Double {
    let number = Int(colour.dropFirst(), radix: 16) ?? 0
    let parts = [16, 8, 0].map { Double((number >> $0) & 255) / 255 }
    let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  @Test("Every colour has a contrast of 3:1 against the papers of drawings and pages, light and dark")
  func contrast() {
    let schemes = Palette.properties.split(separator: "@media")
    for (scheme, papers) in zip(schemes, [["#ffffff"], ["#0d1117", "#14171b"]]) {
      let colours = scheme.matches(of: /#[0-9a-f]{6}/).map(\.output)
      #expect(colours.count == CodecName.all.count + 1)
      for (colour, paper) in colours.flatMap({ colour in papers.map { (colour, $0) } }) {
        let pair = [Self.luminance(colour), Self.luminance(paper[...])].sorted()
        #expect((pair[1] + 0.05) / (pair[0] + 0.05) >= 3, "\(colour) on \(paper)")
      }
    }
  }

  @Test("The axis of a distance has the distances, the smallest at the top")
  func axisOfADistance() throws {
    let distance = MetricTraits(
      id: "distance", column: "distance", title: "Distance", higherIsBetter: false, decimals: 1)
    let sweep = SampleRows(change: { row in
      row.scores = ["distance": 100 - (row.scores["ssimulacra2"] ?? 0)]
    })
    let analysis = try sweep.analysis(
      metrics: [distance],
      options: AnalysisOptions(headlineMetric: "distance", targets: [30], band: 10...50, verdictTarget: 30))
    let drawing = try #require(ChartKind.rateQuality.drawing(of: analysis))
    #expect(drawing.contains(">50</text>") && !drawing.contains("−50"))
  }

  @Test("A curve has no mark for a score beyond its end, however small the metric's numbers are")
  func noMarkBeyondTheEnd() throws {
    let share = MetricTraits(id: "share", column: "share", title: "Share", decimals: 4)
    let curve = MeanCurve(
      variant: SampleAnalysis.jpeg, metric: "share",
      points: (0...40).map { .init(score: 0.5 + 0.005 * Double($0), bitsPerPixel: 1, images: 5) })
    #expect(curve.point(at: 0.9, of: share) == nil && curve.point(at: 0.49, of: share) == nil)
    #expect(curve.point(at: 0.6024, of: share) == curve.points[20])
    #expect(curve.point(at: 0.7, of: share) == curve.points[40])
  }

  @Test("Without data there is no drawing", arguments: ChartKind.allCases)
  func noData(kind: ChartKind) {
    let analysis = Analysis(variants: [SampleAnalysis.jpeg], metrics: SampleRows.metrics)
    #expect(kind.drawing(of: analysis) == nil)
  }

  @Test("One image, one target and equal values still make drawings")
  func degenerate() throws {
    var analysis = SampleAnalysis.pair
    analysis.matchedQualities = Array(analysis.matchedQualities.prefix(1))
    analysis.matchedQualities[0].bytes?.interval = nil
    analysis.paretoFronts[1].entries[1] = analysis.paretoFronts[1].entries[0]
    analysis.meanCurves[1].points = analysis.meanCurves[0].points
    for kind in ChartKind.allCases {
      let drawing = try #require(kind.drawing(of: analysis))
      #expect(!drawing.contains("nan") && !drawing.contains("inf"))
    }
  }
}
