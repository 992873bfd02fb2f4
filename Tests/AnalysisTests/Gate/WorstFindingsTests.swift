import Model
import Testing

@testable import Analysis
@testable import Store

@Suite struct WorstFindingsTests {
  @Test func keepsTheWorstInOrder() {
    var generator = SeededGenerator(seed: 9)
    let values = (0..<1000).map { Double($0) }.shuffled(using: &generator)
    var worst = WorstFindings(limit: 10) { $0.worsening }
    for value in values { worst.offer(GateFinding(quantity: .pointBytes, worsening: value)) }
    #expect(worst.findings.map(\.worsening) == stride(from: 999.0, through: 990, by: -1).map { $0 })
    #expect(worst.count == 1000)
  }

  @Test func equalsStayInTheirOrder() {
    var worst = WorstFindings(limit: 3) { _ in 0 }
    for name in ["a", "b", "c", "d"] {
      worst.offer(GateFinding(quantity: .failure, image: name, worsening: 1))
    }
    #expect(worst.findings.compactMap(\.image) == ["a", "b", "c"])
  }

  @Test func manyOfOneKindDoNotHideTheOnlyOneOfAnother() {
    var worst = WorstFindings(limit: 10) { $0.worsening }
    worst.offer(GateFinding(quantity: .score("ssim"), worsening: 1))
    for value in 2..<1000 { worst.offer(GateFinding(quantity: .pointBytes, worsening: Double(value))) }
    let kept: [Double] = Array(stride(from: 999, through: 991, by: -1)) + [1]
    #expect(worst.findings.map(\.worsening) == kept)
  }
}
