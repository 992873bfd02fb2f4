import Foundation
import TestSupport
import Testing

/// Which setting to use, as users ask for it.
@Suite("heicbench recommend")
struct RecommendProgramTests {
  @Test("an answer with commands, as text and JSON; no answer where nothing fits; usage errors")
  func answers() throws {
    let desk = try ProgramDesk()
    for number in 1...2 {
      try desk.writeImage("images/\(number).ppm", width: 96, height: 80, seed: UInt64(number))
    }
    let sweep = try desk.run([
      "images", "--codec", "jpeg", "--codec", "webp:method={0,4}", "--qualities", "0.3...0.9:0.2", "--refine",
      "off", "--metrics", "psnr-y", "--headline", "psnr-y", "--images", "none", "--quiet",
    ])
    #expect(sweep.status == 0, "\(sweep.errors)")
    let ask = ["recommend", "results", "--headline", "psnr-y"]
    let found = try desk.run(ask + ["--score", "20"])
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.output.hasPrefix("Use cwebp -q 30: all 2 images reach PSNR-Y 20 "))
    #expect(found.output.contains("cjpeg -quality 30") && found.output.contains("heicbench images --codec"))
    let json = try desk.run(ask + ["--score", "20", "--format", "json", "--codec", "jpeg"])
    #expect(json.status == 0 && json.output.contains("\"command\": \"cjpeg -quality 30\""))
    #expect(json.output.contains("\"format\": \"heicbench-recommend\""))
    let nothing = try desk.run(ask + ["--score", "20", "--encode-cpu", "0.000001ms/MP"])
    #expect(nothing.status == 3 && nothing.output.contains("No measured setting gives"))
    #expect(nothing.output.contains("encode CPU"))
    for words in [
      ["--codec", "avif"], ["--share", "0%"], ["--for", "50%"], ["--score", "nan"], ["--encode-cpu", "fast"],
      ["--saves", "100%"],
    ] {
      #expect(try desk.run(ask + words).status == 64, "\(words)")
    }
    // Whatever it costs.
    #expect(try desk.run(ask + ["--score", "20", "--saves=-2000%"]).status == 0)
    #expect(try desk.run(["recommend", "nowhere"]).status == 74)
  }

  @Test("tables, page and recommend give the same quality, which a sweep measures at its headline")
  func oneAnswer() throws {
    let desk = try ProgramDesk()
    for number in 1...6 {
      try desk.writeImage("images/\(number).ppm", width: 128, height: 120, seed: UInt64(number))
    }
    // Too small for SSIMULACRA2: without a score, it is left out.
    try desk.writeImage("images/small.ppm", width: 6, height: 6)
    let sweep = [
      "images", "--codec", "jpeg", "--codec", "webp", "--qualities", "0.2...1.0:0.2", "--images", "none",
    ]
    let shown = try desk.run(sweep + ["--at", "60"])
    #expect(shown.status == 0, "\(shown.errors)")
    struct Document: Decodable {
      struct Analysis: Decodable { let settings: [Setting] }
      struct Setting: Decodable {
        let target: Double
        let variant: String
        let quality: Double?
      }
      let analysis: Analysis
    }
    struct Answer: Decodable {
      struct Found: Decodable {
        let variant: String
        let quality, quality_measured, bits_per_pixel: Double
        let holding, images: Int
        let command: String?
      }
      let fulfilling: [Found]
    }
    func answer(_ score: String) throws -> [Answer.Found] {
      let text = try desk.run(["recommend", "--score", score, "--format", "json"]).output
      return try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).fulfilling
    }
    let json = try desk.run(["report", "--at", "60", "--format", "json"]).output
    let settings = try JSONDecoder().decode(Document.self, from: Data(json.utf8)).analysis.settings
    let found = try answer("60")
    #expect(found.count == 2)
    for row in found {
      #expect(
        settings.contains { $0.variant == row.variant && $0.quality == row.quality }, "\(row) \(settings)")
      #expect(row.quality_measured == row.quality && row.holding * 10 >= row.images * 9 && row.images == 6)
      // The bytes are those of the measured files.
      let files = try desk.rows(of: "results/measurements.csv").filter {
        $0["variant"] == row.variant && $0["quality"].flatMap(Double.init) == row.quality
          && $0["image"] != "small.ppm"
      }
      #expect(files.count == 6)
      let bits = files.compactMap { $0["bits_per_pixel"].flatMap(Double.init) }.map { log($0) }
      #expect(abs(exp(bits.reduce(0, +) / 6) - row.bits_per_pixel) < 1e-3 * row.bits_per_pixel)
      for text in [shown.output, try desk.text("results/summary.md")] {
        #expect(text.contains(try #require(row.command)), "\(text)")
      }
    }
    let estimated = try answer("72")
    #expect(estimated.contains { $0.quality < $0.quality_measured })
    let text = try desk.run(["recommend", "--score", "72"]).output
    let command = try #require(
      text.firstMatch(of: /To measure at the estimated qualities: heicbench (.*)/)?.1)
    #expect(try desk.run(command.split(separator: " ").map(String.init) + ["--images", "none"]).status == 0)
    #expect(try answer("72").allSatisfy { $0.quality == $0.quality_measured })
  }
}
