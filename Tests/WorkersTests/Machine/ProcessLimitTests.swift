import Testing

@testable import Workers

struct ProcessLimitTests {
  private static let text = """
    Limit                     Soft Limit           Hard Limit           Units
    Max data size             61440000             unlimited            bytes
    Max open files            64                   1024                 files

    """

  @Test func limitsAreRead() {
    #expect(ProcessLimit.data.value(0, in: Self.text) == 61_440_000)
    #expect(ProcessLimit.data.value(1, in: Self.text) == nil)
    #expect(ProcessLimit.openFiles.value(0, in: Self.text) == 64)
    #expect(ProcessLimit.openFiles.value(1, in: Self.text) == 1024)
    #expect(ProcessLimit.data.value(0, in: "") == nil)
  }
}
