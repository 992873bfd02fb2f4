import Foundation
import Model
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Reports

struct DecodeReportTests {
  private let report = DecodeReport(SampleReads.records())

  @Test("Answers compare the cheapest good route with full decodes of the same files")
  func answers() {
    let sentence =
      "320 px from HEIC files (2 files): 5.0 ms and 3.0 MiB from the embedded thumbnail "
      + "(SSIMULACRA2 85 against the full decode), 500 ms and 70 MiB by a full decode."
    #expect(report.answers.first.map(report.sentence) == sentence)
    #expect(
      report.feature().answer
        == "A picture of 320 px: HEIC files (12 MP, 2 files) 5.0 ms, 3.0 MiB from the embedded thumbnail.")
    #expect(
      report.feature().markdown.contains("![Decode CPU time by wanted size](decode-time.svg)")
    )
  }

  @Test("A route of few files is no answer, and is compared with these files only")
  func fewFiles() {
    var records = SampleReads.records(names: ["a", "b", "c"])
    func isThumbnail(_ record: CaseRecord) -> Bool { record.key.route == .thumbnail }
    records.removeAll { isThumbnail($0) && $0.key.image.name != "a" }
    #expect(
      DecodeReport(records).feature().answer.hasSuffix(
        "500 ms, 70 MiB by a full decode, or 5.0 ms from the embedded thumbnail (1 of 3 has one)."))
    records = SampleReads.records(names: ["a", "b"])
    records.removeAll { isThumbnail($0) && $0.key.image.name != "a" }
    for index in records.indices where records[index].key.image.name == "b" {
      if case .measured(var figures) = records[index].outcome {
        figures.timing.decode[0].cpuNanoseconds = 1
        records[index].outcome = .measured(figures)
      }
    }
    // The other file has no thumbnail, so its time says nothing about this one's thumbnail.
    let report = DecodeReport(records)
    #expect(
      report.answers.first.map(report.sentence)?.contains(
        "in 1 of 2, 500 ms and 70 MiB by a full decode")
        == true)
    #expect(report.feature().answer.hasSuffix("3.0 MiB from the embedded thumbnail in 1 of them."))
  }

  @Test("Small and large files have separate medians, and copies count once")
  func likeSizes() throws {
    var records = SampleReads.records(names: ["a", "b", "c", "d"])
    for index in records.indices {
      let name = records[index].key.image.name
      // “d” has the same content as “a”, and “c” is a thousandth of the others' size.
      records[index].key.image = ImageIdentity(name: name, contentHash: name == "d" ? "a" : name)
      guard name == "c", case .measured(var figures) = records[index].outcome else { continue }
      (figures[.width], figures[.height]) = (128, 96)
      figures.timing.decode[0].cpuNanoseconds = 100_000
      records[index].outcome = .measured(figures)
    }
    let report = DecodeReport(records)
    let kinds = Set(report.answers.map(\.kind))
    #expect(kinds.isSuperset(of: ["HEIC files, 4 to 16 MP", "HEIC files, up to 0.25 MP"]), "\(kinds)")
    #expect(report.answers.map(\.files).max() == 2)
    let markdown = report.feature().markdown
    #expect(markdown.contains("1 file is an exact copy of another and counts once."))
    #expect(markdown.contains("Full decode (ms/MP)"), "\(markdown)")
  }

  @Test("Files with equal quality numbers are not presented as equal")
  func unequal() throws {
    func records(_ codecs: [String], _ qualities: [Int], score: (String, Int) -> Double) -> [CaseRecord] {
      codecs.flatMap { codec in
        qualities.compactMap { quality in
          guard let value = Quality(thousandths: quality) else { return nil }
          var record = SampleReads.record(
            "a", .full, .all, cpu: 10, score: 100,
            encoding: ReadEncoding(variant: CodecVariant(codec: codec), quality: value))
          guard case .measured(var figures) = record.outcome else { return nil }
          figures[.original] = score(codec, quality)
          record.outcome = .measured(figures)
          return record
        }
      }
    }
    let one = DecodeReport(records(["jpeg", "heic"], [800]) { codec, _ in codec == "heic" ? 92.2 : 81.6 })
    for text in [one.feature().text(), one.feature().markdown] {
      #expect(text.contains("do not compare codecs here"))
      #expect(text.contains("JPEG at quality 0.8 81.6, HEIC at quality 0.8 92.2"))
      #expect(text.contains("use --qualities 0.4,0.6,0.8"))
    }
    #expect(!one.feature().text().contains("SSIMULACRA2 100"))
    let line = try #require(
      one.feature().text().split(separator: "\n").first { $0.hasPrefix("HEIC at 0.8") })
    #expect(line.hasSuffix("92.2"))
    // At an equal score there is no warning. Far from it, the figure is called a rough estimate.
    let several = DecodeReport(records(["jpeg", "heic"], [400, 800]) { $1 == 400 ? 60 : 92 })
    #expect(!several.feature().text().contains("do not compare codecs here"))
    #expect(several.feature().text().contains("a rough estimate between scores up to 32 apart"))
    let far = DecodeReport(records(["jpeg", "heic"], [400, 800]) { _, _ in 92 })
    #expect(
      far.feature().text().contains("To compare them at SSIMULACRA2 70, add more --qualities."))
    #expect(DecodeReport(records(["jpeg"], [800]) { _, _ in 80 }).feature().markdown.contains("80.0"))
    #expect(
      !DecodeReport(records(["jpeg"], [800]) { _, _ in 80 }).feature().text().contains("do not compare"))
  }

  /// Of files at the score, JPEG's take 100,000 bytes and 10 ms. At 8 Mbit/s, 1,000 bytes take 1 ms.
  @Test(
    "A codec appears sooner below or above a bandwidth, always or never",
    arguments: [
      (80_000, 20.0, "sooner below 16 Mbit/s", 16.0, nil), (120_000, 5, "sooner above 32 Mbit/s", 0, 32),
      (80_000, 5, "sooner over any connection", nil, nil), (120_000, 20, "later over any connection", 0, nil),
    ] as [(Int, Double, String, Double?, Double?)])
  func breakEven(bytes: Int, cpu: Double, says: String, below: Double?, above: Double?) throws {
    func record(_ codec: String, _ bytes: Int, _ cpu: Double) throws -> CaseRecord {
      let quality = try #require(Quality(thousandths: 800))
      var record = SampleReads.record(
        "a", .full, .all, cpu: cpu, score: 100,
        encoding: ReadEncoding(variant: CodecVariant(codec: codec), quality: quality))
      guard case .measured(var figures) = record.outcome else { return record }
      (figures[.original], figures[.touchedBytes]) = (BreakEven.score, bytes)
      record.outcome = .measured(figures)
      return record
    }
    let report = DecodeReport([try record("jpeg", 100_000, 10), try record("heic", bytes, cpu)])
    #expect(report.bandwidthSentences.count == 1)
    #expect(report.bandwidthSentences.first?.contains("heic appears \(says)") == true)
    var buffer = TextBuffer()
    report.breakEvens.map(report.json).first?.write(into: &buffer)
    let json = try JSONSerialization.jsonObject(with: Data(buffer.text.utf8))
    let found = try #require(json as? [String: Any])
    #expect(found["sooner_below_mbits"] as? Double == below)
    #expect(found["sooner_above_mbits"] as? Double == above)
    #expect(found["always_sooner"] as? Bool == (below == nil))
  }

  @Test("Long tables of memory are cut short, and say so")
  func longTables() throws {
    let names = (10_000..<10_300).map { "\($0).heic" }
    let report = DecodeReport(SampleReads.records(names: names))
    // Each file has a prediction for eight reads: two sizes by four routes.
    #expect(report.feature().markdown.contains("1,400 more lines of these are in `decodes.csv`."))
    #expect(!self.report.feature().markdown.contains("more lines"))
    var csv = ""
    try report.feature().table.write(.csv, to: &csv)
    #expect(csv.split(separator: "\n").count == 1 + 300 * 10)
    #expect(report.feature().markdown.contains("3,000 reads: "))
  }

  @Test("Charts show the measurements")
  func charts() throws {
    let time = try #require(report.feature().charts.first { $0.name == "decode-time" }?.svg)
    #expect(time.contains("HEIC files, thumbnail") && time.contains("JPEG at quality 0.8, scaled"))
    // Two kinds of files with two routes at two sizes each.
    #expect(time.components(separatedBy: "<title>").count - 1 == 8)
    let memory = try #require(report.feature().charts.first { $0.name == "decode-memory" }?.svg)
    #expect(memory.contains("HEIC files, full: 70 MiB, pixels"))
    #expect(DecodeReport([]).feature().charts.isEmpty)
  }

  @Test("A run's reports show reads, and its JSON stays valid")
  func reports() throws {
    let folder = try TemporaryFolder()
    var feature = report.feature()
    let choices = try report.choices(count: 1)
    #expect(choices.map(\.reads.count) == [2, 2])
    feature.makePictures = { _, folder in
      choices.map { choice in
        PictureGroup(
          name: "a", title: choice.kind,
          pictures: choice.reads.map { .init(address: "\(folder)/\"1.png", caption: $0.caption) })
      }
    }
    let source = RowSource(
      manifest: SampleRun.manifest, metrics: SyntheticSweep.metrics, variants: SyntheticSweep.variants,
      features: { [feature] in [feature] },
      forEachRow: { body in try (0..<2).flatMap(SyntheticSweep.rows).forEach(body) })
    try ReportWriter(folder: folder.path).write(source)
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
    }
    let page = try text("report.html")
    #expect(page.contains("<section id=\"reads\">") && page.contains("href=\"#reads\""))
    #expect(page.contains("report-images/&quot;1.png"))
    #expect(page.contains("thumbnail, 320 px: 5.0 ms, SSIMULACRA2 85; another good filter 92"))
    let summary = try text("summary.md")
    #expect(summary.contains("## Decoding cost") && summary.contains("(decode-time.svg)"))
    #expect(summary.contains("| `thumbnail` |"))
    var json = ""
    try RunFormat.json.write(source, to: &json)
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8))
    #expect(try JSONSchema().problems(of: document) == [])
    let reads = (document as? [String: Any])?["reads"] as? [String: Any]
    #expect((reads?["reads"] as? [Any])?.count == SampleReads.records().count)
    #expect((reads?["answers"] as? [Any])?.count == 4)
  }

  @Test("A page of only reads loads nothing and escapes names")
  func page() throws {
    let folder = try TemporaryFolder()
    let report = DecodeReport(SampleReads.records(names: ["<script>.heic"]))
    let files = try OwnedFolder(folder.path)
    var feature = report.feature()
    let choices = try report.choices(count: nil)
    #expect(choices.count == 2)
    feature.makePictures = { _, folder in
      choices.map { choice in
        PictureGroup(
          name: "<script>.heic", title: choice.kind,
          pictures: choice.reads.map { .init(address: "\(folder)/1.png", caption: $0.caption) })
      }
    }
    try feature.write(to: files, version: "1")
    let page = try String(contentsOf: folder.url.appending(path: "decode.html"), encoding: .utf8)
    #expect(!page.contains("<script") && page.contains("&lt;script&gt;.heic") && !page.contains("{{"))
    #expect(page.contains("default-src 'none'"))
    // Its answer appears once. The sections below are linked and have their titles once.
    let answer = HTMLText.prose(String(feature.answer.prefix(30)))
    #expect(
      page.components(separatedBy: answer).count == 2 && page.contains("<h1 class=\"answer\">\(answer)"))
    #expect(page.contains("90 = no visible difference even when flickering"))
    feature.answer = String(repeating: "An answer of many clauses; ", count: 8)
    try feature.write(to: files, version: "1")
    #expect(
      try String(contentsOf: folder.url.appending(path: "decode.html"), encoding: .utf8).contains(
        "answer long"))
    #expect(page.contains("<a href=\"#routes\">Routes</a>") && page.contains("<h2 id=\"routes\">Routes</h2>"))
    #expect(page.contains("<summary>Table</summary>") && !page.contains("<summary>Routes"))
  }

  @Test("Extreme figures never trap")
  func extremes() throws {
    var generator = SeededGenerator(seed: 5)
    let numbers: [Double] = [0, .infinity, -.infinity, 1e300, -1e300, 100, 70]
    let counts = [0, 1, Int(Int32.max), 1 << 50]
    for _ in 0..<200 {
      var records = SampleReads.records()
      for index in records.indices {
        guard case .measured(var figures) = records[index].outcome else { continue }
        figures[.plain] = numbers.randomElement(using: &generator)
        figures[.original] = numbers.randomElement(using: &generator)
        figures[.ceiling] = numbers.randomElement(using: &generator)
        figures.figures[.decodedBytes] = counts.randomElement(using: &generator)
        figures.figures[.decodePeak] = counts.randomElement(using: &generator)
        figures.figures[.predictedPeak] = counts.randomElement(using: &generator)
        figures[.width] = Int(Int32.max)
        figures[.decodedWidth] = Int(Int32.max)
        figures[.decodedHeight] = Int(Int32.max)
        figures.timing.decode[0].cpuNanoseconds =
          [0, 1, 10_000_000_000_000_000].randomElement(using: &generator) ?? 0
        if Bool.random(using: &generator) { figures.figures[.decodedBytes] = nil }
        records[index].outcome = .measured(figures)
      }
      let report = DecodeReport(records, ReadScope(bandwidth: 1e-9))
      let texts = report.feature().charts.map(\.svg) + [report.feature().markdown]
      #expect(!texts.contains { $0.contains("nan") || $0.contains("inf\"") })
    }
  }
}
