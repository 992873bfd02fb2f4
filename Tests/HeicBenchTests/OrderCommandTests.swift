import Foundation
import TestSupport
import Testing

/// The order of points and the budget, as users see them.
@Suite("heicbench --order and --budget")
struct OrderCommandTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private static let sweep = [
    "images", "--metrics", "ssimulacra2", "--images", "none", "--jobs", "2", "--qualities", "0.1...0.9:0.1",
    "--codec", "jpeg", "--codec", "heic:preset=ultrafast",
  ]

  private func writeCorpus(_ count: Int, side: Int = 64) throws {
    for number in 0..<count {
      // The largest comes first, so that the coarse stage has a different order from the tables.
      try desk.writeImage(
        "images/\(number).ppm", width: side + 16 * (count - number), height: side, seed: UInt64(number + 1))
    }
  }

  private func deterministic(_ results: String) throws -> String {
    let result = try desk.run(["check", "--current", results, "--write", "-"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test("the results are the same in any order and after a budget that was too small")
  func sameResults() throws {
    try writeCorpus(4)
    for order in ["coarse", "image"] {
      let result = try desk.run(Self.sweep + ["--order", order, "--output", order])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("4 images (0.0"))
      #expect(result.errors.contains("with jpeg and heic:preset=ultrafast at 9 qualities: 72 encodes"))
    }
    let whole = try deterministic("coarse")
    #expect(try deterministic("image") == whole)
    #expect(whole.contains("refined"))

    var runs = 0
    var status: Int32 = 4
    while status == 4, runs < 60 {
      runs += 1
      // A little more each time, since the start alone may use it up on a busy machine.
      let budget = "\(0.2 * Double(runs))s"
      let result = try desk.run(Self.sweep + ["--budget", budget, "--output", "pieces"])
      status = result.status
      #expect([0, 4].contains(status), "\(result.errors)")
      if status == 4 {
        #expect(result.errors.contains("stopped after --budget: "))
        #expect(result.errors.contains("run the same command again for the rest"))
        #expect(try desk.text("pieces/summary.md").contains("not finished"))
      }
    }
    #expect(runs > 1, "the budget was too large to be spent")
    #expect(status == 0)
    #expect(try deterministic("pieces") == whole)
  }

  @Test("texts that are not times are refused", arguments: ["0", "soon", "-1"])
  func refused(budget: String) throws {
    try writeCorpus(1)
    let result = try desk.run(Self.sweep + ["--budget=\(budget)"])
    #expect(result.status == 64)
    #expect(result.errors.contains("--budget"))
  }
}
