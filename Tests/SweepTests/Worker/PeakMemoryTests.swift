import Foundation
import TestSupport
import Testing

@testable import Sweep

@Suite(.serialized, .enabled(if: !Sanitizer.isPresent, "shadow memory counts as the process's"))
struct PeakMemoryTests {
  /// A block of memory that has been written to.
  private static func block(_ mebibytes: Int) -> [UInt8] { [UInt8](repeating: 1, count: mebibytes << 20) }

  @Test("a call's memory is what it needed itself, not what was there before")
  func growth() throws {
    let peak = PeakMemory()
    let before = Self.block(64)
    let (kept, bytes) = peak.growth { Self.block(24) }
    let (_, again) = peak.growth { Self.block(24).count }
    #expect(before.count == 64 << 20 && kept.count == 24 << 20)
    for bytes in [bytes, again] {
      let mebibytes = Double(try #require(bytes)) / 1_048_576
      // The other tests of this process run beside it.
      #expect(mebibytes > 23 && mebibytes < 40, "\(mebibytes)")
    }
  }

  @Test("where the mark cannot be reset, a call that did not raise it says nothing")
  func withoutReset() {
    let peak = PeakMemory(resetFile: "/nonexistent")
    do { _ = Self.block(512) }
    #expect(peak.growth { Self.block(1).count }.bytes == nil)
  }
}
