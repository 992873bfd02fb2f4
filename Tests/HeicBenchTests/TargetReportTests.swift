import Foundation
import TestSupport
import Testing

/// Reports of a search, as users see them.
@Suite("heicbench --target")
struct TargetReportTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private func sweep(_ arguments: String...) throws -> BuiltProgram.Result {
    for seed in 1...2 {
      try desk.writeImage("images/\(seed).ppm", width: 96, height: 64, seed: UInt64(seed))
    }
    return try desk.run(
      ["images", "--codec", "jpeg", "--codec", "jpeg:chroma=444", "--images", "none"] + arguments)
  }

  @Test("a score as target: every report answers at it")
  func score() throws {
    let run = try sweep("--target", "psnr-y=38", "--metrics", "psnr-y,ssimulacra2")
    #expect(run.status == 0, "\(run.errors)")
    let summary = try desk.text("results/summary.md")
    let page = try desk.text("results/report.html").replacing("\u{a0}", with: " ")
    for text in [run.output, summary, page] {
      #expect(text.contains("At the target PSNR-Y 38 dB, JPEG (chroma=444) needs "), "\(text.prefix(900))")
      #expect(text.contains("psnr-y=38"))
      #expect(!text.contains("SSIMULACRA2 70") && !text.contains("BD-rate −") && !text.contains("BD-rate 1"))
    }
    #expect(run.output.contains("At the target exactly"))
    // Each image has its own qualities, so totals by quality would be meaningless.
    #expect(!summary.contains("Every codec and quality") && !page.contains("Every codec and quality"))
    let again = try desk.run(["report", "--images", "none"])
    #expect(again.status == 0, "\(again.errors)")
    #expect(try desk.text("results/summary.md") == summary)
  }

  @Test("a size as target: which codec looks better, with every score in targets.csv")
  func size() throws {
    let run = try sweep("--target", "bytes=2kB", "--metrics", "psnr-y,ssimulacra2")
    #expect(run.status == 0, "\(run.errors)")
    for text in [run.output, try desk.text("results/summary.md"), try desk.text("results/report.html")] {
      let text = text.replacing("\u{a0}", with: " ")
      #expect(text.contains("Within the target of 2 kB, JPEG (chroma=444) reaches a mean SSIMULACRA2 of "))
    }
    let header = try desk.text("results/targets.csv").split(separator: "\n")[0]
    #expect(
      header.hasSuffix("quality,native_quality,encoded_bytes,psnr_y_db,ssimulacra2,probes,build,error"),
      "\(header)")
  }

  @Test("a sweep in the folder of a search replaces its answers")
  func replaced() throws {
    let answers = desk.folder.path + "/results/targets.csv"
    #expect(try sweep("--target", "psnr-y=38", "--metrics", "psnr-y").status == 0)
    #expect(FileManager.default.fileExists(atPath: answers))
    #expect(try sweep("--qualities", "0.3,0.5,0.7,0.9", "--metrics", "psnr-y").status == 0)
    #expect(!FileManager.default.fileExists(atPath: answers))
  }

  @Test("impossible targets exit with 64, and the reports stay")
  func refused() throws {
    let both = try sweep("--target", "psnr-y=38", "--qualities", "0.5")
    #expect(both.status == 64 && both.errors.contains("--qualities is for a sweep"), "\(both.errors)")
    #expect(try sweep("--target", "ssimulacra2=101").status == 64)
    #expect(try sweep("--qualities", "0.3,0.5,0.7,0.9").status == 0)
    let summary = try desk.text("results/summary.md")
    for arguments in [["--at", "200"], ["--at", "3"], ["--headline", "nonsense"], ["--at", "-500"]] {
      let report = try desk.run(["report", "--images", "none"] + arguments)
      #expect(report.status == 64, "\(arguments) \(report.errors)")
      #expect(try desk.text("results/summary.md") == summary)
    }
    #expect(FileManager.default.fileExists(atPath: desk.folder.path + "/results/rate-quality.svg"))
    let ssim = try desk.run(["report", "--images", "none", "--headline", "ssim", "--at", "0.965"])
    #expect(ssim.status == 0, "\(ssim.errors)")
    #expect(try desk.text("results/summary.md").contains("At SSIM 0.965, "))
  }
}
