import Model
import SampleData
import Store

@testable import Reports

extension SampleRun {
  /// A digest of rows with problems.
  static func digest(failures: Int = 1) -> RunDigest {
    var digest = RunDigest()
    for number in 1...24 {
      var row = SampleRows.measured("kodim\(number).png")
      if number <= 3 { row.sourceFormat = "jpeg" }
      if number == 4 { row.alpha = true }
      digest.add(row)
    }
    for number in 0..<failures { digest.add(SampleRows.failed("a|b\(number).png", "killed by *SIGSEGV*")) }
    var small = SampleRows.measured("tiny.png", variant: SampleAnalysis.heic)
    small.status = .unsupported
    small.error = "needs 2 pixels"
    digest.add(small)
    digest.add(small)
    var broken = ResultRow(image: "broken`.png", status: .failed)
    broken.error = "no PNG signature"
    digest.add(broken)
    return digest
  }
}
