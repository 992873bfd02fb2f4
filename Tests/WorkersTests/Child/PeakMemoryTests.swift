import Testing

@testable import Workers

/// What heicbench concludes from the kernel's marks. `CodecMemoryTests` looks at real ones.
struct PeakMemoryTests {
  /// A process with these marks in kB, in this order.
  private func memory(_ marks: [(highest: Int, resident: Int)], canReset: Bool) -> PeakMemory {
    var left = marks[...]
    return PeakMemory(resetFile: canReset ? "/dev/null" : "/nonexistent") {
      let now = left.count > 1 ? left.popFirst() : left.first
      return now.map { "Name:\tworker\nVmHWM:\t  \($0.highest) kB\nVmRSS:\t  \($0.resident) kB\n" }
    }
  }

  @Test func aCallsMemoryIsWhatItAddedToWhatWasThere() {
    let peak = memory([(900, 300), (300, 300), (340, 310), (340, 310)], canReset: true)
    #expect(peak.growth { 7 } == (7, 40 << 10))
    // The whole request counts for the plan of memory.
    #expect(peak.highest() == 900 << 10)
    peak.begin()
    #expect(peak.highest() == 340 << 10)
  }

  @Test func withoutAResetOnlyACallThatRaisesTheMarkTells() {
    #expect(memory([(900, 300), (900, 300), (900, 310)], canReset: false).growth { 1 }.bytes == nil)
    #expect(memory([(900, 300), (900, 300), (950, 310)], canReset: false).growth { 1 }.bytes == 650 << 10)
  }
}
