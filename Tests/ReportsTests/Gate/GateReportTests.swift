import Foundation
import Model
import SampleData
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct GateReportTests {
  @Test("The comment of a failed gate is as committed")
  func goldenComment() throws {
    #expect(try Golden.difference(GateSummary(SampleGate.worse()).markdown, "gate.md") == nil)
  }

  @Test("The comment of a gate that found nothing is as committed")
  func goldenClean() throws {
    #expect(try Golden.difference(GateSummary(SampleGate.clean).markdown, "gate-clean.md") == nil)
  }

  @Test("Comments fit the limits of code hosts, whatever the names and the number of findings")
  func limit() {
    let name = String(repeating: "long|folder/", count: 330) + "x.png"
    var report = SampleGate.worse(image: name)
    report.regressions += Array(repeating: report.regressions[3], count: 45)
    report.worsePoints = 5000
    report.worstPoints = Array(repeating: report.regressions[3], count: 10)
    report.worstImages = Array(repeating: report.worstImages[0], count: 10)
    let text = GateSummary(report).markdown
    #expect(text.utf8.count < 60_000)
    #expect(text.contains("5,000 figures of single encodes are beyond the threshold."))
  }

  @Test("Annotations are as committed")
  func goldenAnnotations() throws {
    #expect(try Golden.difference(GitHubAnnotations.text(SampleGate.worse()), "gate-annotations.txt") == nil)
  }

  @Test("No name can start a workflow command", arguments: SampleRows.hostileNames + ["a\r\n::error::b"])
  func annotationsAreOneLineEach(name: String) {
    let text = GitHubAnnotations.text(SampleGate.worse(image: name))
    let lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    #expect(lines.count == 8)
    for line in lines {
      #expect(["::error title=", "::warning title=", "::notice title="].contains { line.hasPrefix($0) })
    }
  }

  @Test("A gate that found nothing annotates nothing; improvements are errors only on request")
  func annotationLevels() {
    #expect(GitHubAnnotations.text(SampleGate.clean) == "")
    var better = SampleGate.clean
    better.improvements = SampleGate.worse().improvements
    #expect(GitHubAnnotations.text(better).hasPrefix("::notice"))
    better.failsOnImprovement = true
    #expect(GitHubAnnotations.text(better).hasPrefix("::error"))
  }

  @Test("JUnit is as committed")
  func goldenJUnit() throws {
    #expect(try Golden.difference(JUnitReport.xml([SampleGate.worse()]), "gate-junit.xml") == nil)
  }

  @Test("JUnit is well-formed and has the right counts", arguments: SampleRows.hostileNames)
  func junitCounts(name: String) throws {
    let counter = TestCaseCounter()
    let parser = XMLParser(data: Data(JUnitReport.xml([SampleGate.worse(image: name)]).utf8))
    parser.delegate = counter
    #expect(parser.parse())
    // The verdict and five findings.
    #expect(counter.failures == 6)
    #expect(counter.skipped == counter.declaredSkipped)
    #expect(counter.cases == counter.declared)
  }

  @Test("A gate that found nothing is a report of passed cases")
  func junitClean() {
    let xml = JUnitReport.xml([SampleGate.clean])
    #expect(xml.contains("failures=\"0\"") && xml.contains("<testcase ") && !xml.contains("<failure"))
  }

  @Test("JUnit fails if the gate does, and does not pass what was not compared")
  func junitVerdict() {
    var better = SampleGate.clean
    better.improvements = SampleGate.worse().improvements
    #expect(JUnitReport.xml([better]).contains("failures=\"0\""))
    better.failsOnImprovement = true
    let failed = JUnitReport.xml([better])
    #expect(failed.contains("name=\"verdict\">\n      <failure message=\"Better than the baseline"))
    #expect(failed.contains("name=\"saving\">\n      <failure") && !failed.contains("allowed"))
    var gone = SampleGate.worse()
    gone.variants = []
    let xml = JUnitReport.xml([gone])
    #expect(xml.contains("name=\"bd-rate\">\n      <skipped message=\"there was no encode to compare\"/>"))
    (gone.subject, gone.comparedPoints) = (.reads, 0)
    #expect(JUnitReport.xml([gone]).contains("<skipped message=\"there was no read to compare\"/>"))
    let clean = JUnitReport.xml([SampleGate.clean])
    for key in ["total-bytes", "point-bytes", "ssimulacra2", "saving", "bd-rate", "failures", "vanished"] {
      #expect(clean.contains("classname=\"heicbench.heic\" name=\"\(key)\""))
    }
    let unlooked = JUnitReport.unlooked("the <budget> was spent")
    #expect(
      unlooked.contains("errors=\"1\"") && unlooked.contains("<error message=\"the gate could not compare: "))
    #expect(unlooked.hasPrefix(JUnitReport.beginning) && XMLParser(data: Data(unlooked.utf8)).parse())
  }

  @Test("The only finding of a kind is annotated, however many findings of others there are")
  func annotatedKinds() {
    var report = SampleGate.worse()
    report.regressions.insert(contentsOf: Array(repeating: report.regressions[3], count: 40), at: 0)
    let text = GitHubAnnotations.text(report)
    #expect(text.contains("title=heicbench%3A ssimulacra2::"))
    #expect(text.components(separatedBy: "::error").count - 1 == 10)
  }

  @Test("The report of an interrupted run ends with the command that measures the rest")
  func resume() {
    var report = SampleGate.worse()
    (report.accept, report.resume) = (nil, "heicbench images --qualities 0.5")
    let text = GateSummary(report).markdown
    #expect(text.contains("Measure the rest:") && text.contains("heicbench images --qualities 0.5"))
    #expect(!text.contains("update the baseline"))
  }

  @Test("JSON parses, and says whether the gate failed")
  func json() throws {
    let text = GateJSON.text([SampleGate.worse(image: "a\"\\\n.png")])
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(parsed?["failed"] as? Bool == true)
    let regressions = try #require(parsed?["regressions"] as? [[String: Any]])
    #expect(regressions.count == 5)
    #expect(regressions[3]["before"] as? Double == 57_120)
    #expect(regressions[3]["image"] as? String == "a\"\\\n.png")
    #expect(try Golden.difference(GateJSON.text([SampleGate.worse()]), "gate.json") == nil)
  }

  @Test("A comparison has a section for each run but the first and no verdict")
  func comparison() throws {
    let comparison = ComparisonSummary(["old", "new|er", "newest"], [SampleGate.worse(), SampleGate.clean])
    let text = comparison.markdown
    #expect(text.contains("### `new|er` against `old`") && text.contains("### `newest` against `old`"))
    #expect(!text.contains("failed") && !text.contains("passed"))
    let parsed = try JSONSerialization.jsonObject(with: Data(GateJSON.text(comparison).utf8))
    #expect(((parsed as? [String: Any])?["differences"] as? [Any])?.count == 2)
  }
}

/// Counts the elements of a JUnit document.
private final class TestCaseCounter: NSObject, XMLParserDelegate {
  var cases = 0
  var declared = -1
  var declaredSkipped = -1
  var failures = 0
  var skipped = 0

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    switch element {
    case "testsuites":
      declared = attributes["tests"].flatMap { Int($0) } ?? -1
      declaredSkipped = attributes["skipped"].flatMap { Int($0) } ?? -1
    case "testcase": cases += 1
    case "failure": failures += 1
    case "skipped": skipped += 1
    default: break
    }
  }
}
