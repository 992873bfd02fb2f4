import Foundation
import TestSupport
import Testing

/// The memory columns, through the program.
@Suite("memory of a codec")
struct CodecMemoryTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  /// Memory of encode, decode and both in MiB, by settings and quality.
  private func memory(_ results: String, _ more: String...) throws -> [String: [Double]] {
    let sweep = try desk.run(
      [
        "images", "--jobs", "1", "--qualities", "0.3,0.7", "--refine", "off", "--images", "none", "--format",
        "csv", "--output",
        results,
      ] + more)
    #expect(sweep.status == 0, "\(sweep.errors)")
    return try Dictionary(
      ProgramDesk.rows(in: sweep.output).map { row in
        let columns = ["encode_peak_mib", "decode_peak_mib", "peak_memory_mib"]
        return (
          "\(row["settings"] ?? "") \(row["quality"] ?? "")",
          try columns.map { try #require(row[$0].flatMap(Double.init)) }
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test(
    "does not depend on the metrics or the order of the points",
    .enabled(if: FileManager.default.isWritableFile(atPath: "/proc/self/clear_refs")),
    .timeLimit(.minutes(30)))
  func independence() throws {
    try desk.writeImage("images/a.ppm", width: 900, height: 700)
    let first = try memory(
      "a", "--codec", "jpeg", "--codec", "jpeg:progressive=true", "--metrics", "all")
    let second = try memory(
      "b", "--codec", "jpeg:progressive=true", "--codec", "jpeg", "--metrics", "none")
    #expect(first.count == 4 && Set(first.keys) == Set(second.keys))
    for (key, values) in first {
      for (one, other) in zip(values, second[key] ?? []) {
        #expect(abs(one - other) < 0.3 + 0.05 * one, "\(key): \(values), \(second[key] ?? [])")
      }
      #expect(values[2] == max(values[0], values[1]))
      // The decoded raster alone is 1.8 MiB; the metrics would add about 50.
      #expect(values[1] > 1.7 && values[1] < 12, "\(key): \(values)")
    }
    // A progressive JPEG keeps all coefficients, at two bytes each.
    #expect((first["progressive=true 0.7"]?[0] ?? 0) > (first[" 0.7"]?[0] ?? .infinity) + 1)
  }
}
