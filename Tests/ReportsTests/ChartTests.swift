import Analysis
import Foundation
import Model
import Reports
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct ChartTests {
  @Test("The drawings of two codecs are as committed", arguments: ChartKind.ofSweeps)
  func golden(kind: ChartKind) throws {
    let drawing = try #require(ChartSet.drawing(kind, of: SampleAnalysis.pair))
    try expectGolden(drawing, kind.fileName)
  }

  @Test("Drawings are well-formed XML whatever the names", arguments: ChartKind.ofSweeps)
  func wellFormed(kind: ChartKind) throws {
    for hostile in SampleRows.hostileNames + ["\u{1}\u{FFFE}\r", "]]>"] {
      var analysis = SampleAnalysis.three
      for index in analysis.imageDetails.indices { analysis.imageDetails[index].image = hostile }
      let drawing = try #require(ChartSet.drawing(kind, of: analysis))
      let parser = XMLParser(data: Data(drawing.utf8))
      #expect(parser.parse(), "\(hostile.debugDescription): \(String(describing: parser.parserError))")
    }
  }

  @Test("Every drawing has a role, a title and a description, and no script", arguments: ChartKind.ofSweeps)
  func accessible(kind: ChartKind) throws {
    let drawing = try #require(ChartSet.drawing(kind, of: SampleAnalysis.three))
    #expect(drawing.contains("role=\"img\""))
    #expect(drawing.contains("<title id=\"hb-\(kind.rawValue)-title\">"))
    #expect(drawing.contains("<desc id=\"hb-\(kind.rawValue)-desc\">"))
    #expect(drawing.contains("prefers-color-scheme:dark"))
    #expect(!drawing.contains("<script") && !drawing.contains("nan") && !drawing.contains("inf"))
  }

  @Test("Without data there is no drawing", arguments: ChartKind.ofSweeps)
  func noData(kind: ChartKind) {
    let analysis = Analysis(variants: [SampleAnalysis.jpeg], metrics: SampleRows.metrics)
    #expect(ChartSet.drawing(kind, of: analysis) == nil)
  }

  @Test("One image, one target and equal values still make drawings")
  func degenerate() throws {
    var analysis = SampleAnalysis.pair
    analysis.matchedQualities = Array(analysis.matchedQualities.prefix(1))
    analysis.matchedQualities[0].bytes?.interval = nil
    analysis.paretoFronts[1].entries[1] = analysis.paretoFronts[1].entries[0]
    analysis.meanCurves[1].points = analysis.meanCurves[0].points
    for kind in ChartKind.ofSweeps {
      let drawing = try #require(ChartSet.drawing(kind, of: analysis))
      #expect(!drawing.contains("nan") && !drawing.contains("inf"))
    }
  }
}
