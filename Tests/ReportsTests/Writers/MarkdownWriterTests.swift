import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

struct MarkdownWriterTests {
  @Test("The whole table is as committed")
  func golden() throws {
    let writer = MarkdownWriter(MeasurementColumns.all(metrics: SampleRows.metrics))
    #expect(try Golden.difference(writer.table(SampleRows.mixed), "measurements.md") == nil)
  }

  @Test("Every line has the same number of unescaped pipes, whatever the names")
  func pipes() {
    let writer = MarkdownWriter(MeasurementColumns.all(metrics: []))
    let counts = writer.table(SampleRows.mixed).split(separator: "\n").map { line in
      line.replacing("\\|", with: "").count { $0 == "|" }
    }
    #expect(counts.count == SampleRows.mixed.count + 2)
    #expect(Set(counts).count == 1)
  }

  @Test("Prose cannot start markup")
  func prose() {
    #expect(MarkdownText.escaped("a*b_c`d|e") == "a\\*b\\_c\\`d\\|e")
    #expect(MarkdownText.escaped("<b>&\n") == "&lt;b&gt;&amp; ")
    #expect(MarkdownText.escaped("https://x [y](z)") == "https:&#8288;//x \\[y\\](z)")
    #expect(MarkdownText.escaped("www.example.com") == "www&#8288;.example.com")
    #expect(MarkdownText.escaped("@team") == "@&#8288;team")
    #expect(MarkdownText.escaped("(@team)") == "(@&#8288;team)")
    #expect(MarkdownText.escaped("a@b.org.") == "a@&#8288;b.org.")
    #expect(MarkdownText.escaped("HEIC@new. HEIC@new") == "HEIC@new. HEIC@new")
  }

  @Test("Names stay within their code span")
  func code() {
    #expect(MarkdownText.code("a.png") == "`a.png`")
    #expect(MarkdownText.code("a`b") == "``a`b``")
    #expect(MarkdownText.code("`a``") == "``` `a`` ```")
    #expect(MarkdownText.code(" a ") == "`  a  `")
    #expect(MarkdownText.code("a|b") == "`a|b`")
    #expect(MarkdownText.code("a|b", inTable: true) == "`a\\|b`")
    #expect(MarkdownText.code("a\r\nb") == "`a b`")
    #expect(MarkdownText.code("") == "")
  }

  @Test("Wide characters count double when columns are aligned")
  func wideCharacters() {
    let writer = MarkdownWriter<String>([Column("n", title: "Name", alignment: .leading) { .text($0) }])
    #expect(writer.table(["日本", "e\u{301}a"]) == "| Name |\n| ---- |\n| 日本 |\n| e\u{301}a   |\n")
  }

  @Test("A table without rows still has its header")
  func empty() {
    let writer = MarkdownWriter<Int>([Column("n", title: "N") { .integer($0) }])
    #expect(writer.table([]) == "|   N |\n| --: |\n")
  }
}
