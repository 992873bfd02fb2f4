import TestSupport
import Testing

/// What to set, as users ask.
@Suite("heicbench recommend")
struct RecommendProgramTests {
  @Test("an answer with commands, as text and JSON; none where nothing fits; usage errors")
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
    #expect(try desk.run(["recommend", "nowhere"]).status == 74)
  }
}
