import Foundation
import TestSupport
import Testing

@testable import HeicBenchKit

@Suite("Comparing runs")
struct CompareRequestTests {
  @Test("losses of HDR scores are listed")
  func hdrScores() throws {
    let folder = try TemporaryFolder()
    let runs = try [("a", 40), ("b", 35)].map { name, score in
      let path = folder.path + "/\(name).csv"
      let head = "image,codec,quality,encoded_bytes,status,pu21_psnr_db"
      try "\(head)\na.png,heic,0.5,1000,measured,\(score)\n".write(
        toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    let text = try CompareRequest(runs).text()
    #expect(text.contains("Largest losses"), "\(text)")
  }
}
